/* SPDX-License-Identifier: MIT
 * domain_priv.h - the machine from inside. Files: domain.c (making, steps),
 * apply.c (facts of players and lobbies), match_apply.c (facts of matches),
 * stakes_apply.c (those of cube, games, resignations), session.c (sessions and
 * who drives a seat), player.c, lobby.c, begin.c, match.c, move.c, stakes.c,
 * resign.c, offer.c, watch.c, operator.c, ban.c,
 * chat.c, block.c, report.c (commands),
 * policy.c, verdict.c (draws), state.c (snapshots, waking, invariants);
 * meeting: lobby_host.c, seek.c, challenge.c, quick.c, bot.c, people.c
 * (commands), terms.c, listing.c, meeting_apply.c (facts). */
#ifndef PLYD_DOMAIN_DOMAIN_PRIV_H
#define PLYD_DOMAIN_DOMAIN_PRIV_H

#include "domain/audit.h"
#include "domain/ban.h"
#include "domain/account.h"
#include "domain/dice.h"
#include "domain/domain.h"
#include "domain/name.h"
#include "domain/pairs.h"
#include "domain/tournament.h"

enum due_kind {
	DUE_PLAYER,
	DUE_LOBBY,
	DUE_MATCH,
	DUE_SEEK,
	DUE_QUEUED,
	DUE_LATE,
	DUE_TIME,
	DUE_TOURNAMENT
};

struct domain {
	struct domain_limits limits;
	struct entropy entropy;
	size_t rules_count;
	struct match_rules rules[RULES_MAX];
	size_t personality_count;
	struct personality personality[PERSONALITIES_MAX];

	struct player *players;        /* by id */
	struct session *by_token;      /* by the token in use */
	struct offered_token *offered; /* of sessions, by token */
	struct lobby *lobbies;
	struct lobby *by_code;
	struct match *matches;
	struct shared_rules *shared_rules; /* of the matches */
	struct account *by_login;
	struct account *by_bot_token;
	struct name_claim *names;   /* by key */
	struct deleted_id *deleted; /* accounts that are no more */
	struct hash_job jobs[HASH_JOBS_MAX];
	size_t running;      /* matches that are not over */
	size_t ai_running;   /* those of them with a personality */
	struct rated *rated; /* ratings, by player */
	struct board *boards;
	struct domain *late; /* matches as spectators see them; or NULL */
	bool is_late;        /* this is such a one */
	struct late_item *late_shown; /* lent by the step */
	struct match *over;           /* and those that are, or are frozen */
	struct seek *seeks;
	struct tournament *tournaments; /* in order of their making */
	struct player *here[2];         /* people, bots */
	size_t here_count[2];
	struct player *idle; /* who may be forgotten, longest first */
	struct listing *listings;
	struct listing all;
	struct due_heap due;
	struct kept *kept;       /* by match */
	struct audit_act *audit; /* the newest first */
	size_t audit_count;
	int64_t audit_last; /* number of the newest */
	bool draining;      /* of this process only */
	struct ban *bans;   /* the oldest first */
	size_t ban_count;
	struct operator_token *tokens; /* the oldest first */
	size_t token_count;
	struct report *reports; /* the oldest first */
	size_t report_count;

	uint64_t now_ms;
	uint64_t recorded_ms; /* of the last fact that the journal gets */
	struct due time;      /* when the time itself is recorded */
	int64_t unix_ms;      /* of the command at hand */
	uint64_t last_row;
	struct step step;
	size_t effects_max;
	/* what this step's effects and facts lend */
	struct lobby *closed;
	struct seek *closed_seeks;
	struct contest_table tables[TABLES_MAX]; /* scratch */
	uint8_t table_bytes[TABLES_MAX * 5];
	struct tournament_terms terms;
	char breaks[BREAKS_TEXT_MAX];
	bool deciding; /* within a step; else facts are replayed */
	struct refusal refusal;
	char move_text[MOVE_TEXT_MAX];
	/* of a move's answer: its text, and the position after it */
	char answer_text[MOVE_TEXT_MAX];
	struct position answer_after;
	char name[NAME_BYTES_MAX + 1];
	char key[KEY_BYTES_MAX + 1];
	char login[LOGIN_BYTES_MAX + 1];
	char code[CODE_CHARS + 1];
	uint8_t nonce[DICE_NONCE_MAX];
	uint8_t seed[SEED_BYTES];
	char words[VERDICT_BYTES_MAX + 1];
	char target[TARGET_BYTES_MAX + 1];
	char said[SAID_BYTES_MAX + 1];
	char evidence[EVIDENCE_BYTES_MAX + 1];
	char text[RULESET_TEXT_MAX];
	char position[POSITION_TEXT_MAX];
	char rulesets[BOT_RULESETS_BYTES_MAX + 1];
	char ruleset[RULESET_NAME_MAX + 1];
	char policy[POLICY_BYTES_MAX + 1];
	char rules_version[VERSION_BYTES_MAX + 1];
	char policy_version[VERSION_BYTES_MAX + 1];
	char version[2][VERSION_BYTES_MAX + 1]; /* of personalities, by side */
	struct move_list moves;                 /* scratch */
};

/* -- domain.c -- */

/* Adds an effect; the caller fills it. */
struct effect *effect_add(struct domain *d, enum effect_type type);
/* Refuses a command; the caller adds what helps. */
struct effect *refuse(struct domain *d, const struct command *cmd, int err);
/* Answers a command; the caller adds what the answer shows. */
struct effect *answer(struct domain *d, const struct command *cmd);
/* Records a fact and applies it: from here nothing can fail. The fact's header
 * but for type and match is filled here; a public one is told to its match's
 * audience. Returns its copy in the step. */
const struct fact *happen(struct domain *d, const struct fact *f);

/* -- apply.c -- */

int apply_general(struct domain *d, const struct fact *f);
struct player *find_player(const struct domain *d, const struct id *id);
struct lobby *find_lobby(const struct domain *d, const struct id *id);
void player_free(struct domain *d, struct player *p);
/* Takes a lobby out of everything. */
void lobby_unlink(struct domain *d, struct lobby *l);
void lobby_vacate(struct domain *d, struct lobby *l, int side); /* -1: none */
/* The two change sides. */
void lobby_swap(struct domain *d, struct lobby *l);
/* PLYD_ENOMEM. An empty key is none. */
int remember_key(struct player *p, struct span key, const struct id *made);
/* NULL: he has not used it, or long ago. */
const struct remembered_key *find_key(const struct player *p, struct span key);
/* Room for the deadline of one more thing. */
int due_reserve(struct domain *d);
/* `ms` from now; never 0, which means no deadline. */
uint64_t due_after(const struct domain *d, int64_t ms);
/* A player without a connection and without seats is forgotten some day. */
void player_set_due(struct domain *d, struct player *p);
/* Clears or sets the deadline of a lobby by who is away longest. */
void lobby_set_due(struct domain *d, struct lobby *l);

/* -- session.c -- */

int apply_session_added(struct domain *d, const struct fact *f);
int apply_session_ended(struct domain *d, const struct fact *f);
int apply_token_offered(struct domain *d, const struct fact *f);
int apply_token_used(struct domain *d, const struct fact *f);
/* Adds a session to a player. PLYD_ENOMEM. */
int session_add(struct domain *d, struct player *p, uint32_t number,
		const struct digest *token);
void session_free(struct domain *d, struct session *s);
/* The session whose token in use, or whose offered one, this is. */
struct session *find_session(const struct domain *d,
			     const struct digest *token);
/* The session that gave a command; NULL: it is no more. */
struct session *session_of(const struct domain *d, const struct command *cmd);
/* It has a connection now, or none any more. */
void session_comes(struct session *s, uint64_t conn);
void session_goes(struct domain *d, struct session *s);
/* The seat is driven by the session that gave the command; that which drove it
 * is told. */
void match_take_seat(struct domain *d, const struct command *cmd,
		     struct match *m, enum side side);
void lobby_take_seat(struct domain *d, const struct command *cmd,
		     struct lobby *l, int side);

/* Ends a session: its connection is told why and closed, and its player leaves
 * his seats if none is here any more. */
void session_end(struct domain *d, struct session *s, int why);
/* Ends all of a player's, but for `keep`, or NULL. */
void sessions_end(struct domain *d, struct player *p,
		  const struct session *keep, int why);
/* Room for one more session; one that is away may have to go. PLYD_ETOOMANY:
 * all are here. */
int session_make_room(struct domain *d, struct player *p);
int apply_token_replaced(struct domain *d, const struct fact *f);

/* -- names.c -- */

void names_free(struct domain *d);

/* A name that is somebody's, or was a while ago. */
struct name_claim {
	struct id holder;
	UT_hash_handle hh;
	char key[];
};
/* Whether `who` may be called so; none: a newcomer. PLYD_OK; PLYD_ENAMETAKEN;
 * PLYD_ENOMEM. A guest who is away and sits nowhere keeps no name from others:
 * then *evict is he, and must be forgotten first; else none. */
int name_check(const struct domain *d, const char *name, const struct id *who,
	       struct id *evict);
/* For apply: the name is his, if it is nobody's. PLYD_ENOMEM. */
int name_claim(struct domain *d, const char *name, const struct id *who);
/* It is not his any more. */
/* Who is called so; NULL: nobody. */
struct player *player_called(const struct domain *d, struct span name);
void name_release(struct domain *d, const char *name, const struct id *who);
/* Whether it is his, or nobody's because of an old duplicate. */
bool name_is_claimed(const struct domain *d, const char *name,
		     const struct id *who);

/* -- account_apply.c -- */

int apply_account(struct domain *d, const struct fact *f);
struct account *find_login(const struct domain *d, struct span login);
struct account *find_bot(const struct domain *d, const struct digest *token);
void account_free(struct domain *d, struct account *a);
/* A deleted account's id: may be shown nowhere. */
struct deleted_id {
	struct id id;
	UT_hash_handle hh;
};
void deleted_free(struct domain *d);
/* What is still in memory does not show who a deleted player was. */
void player_anonymise(struct domain *d, const struct id *id);
/* Snapshots: the facts after PLAYER_ADDED, whose name is this one. */
const char *account_first_name(const struct domain *d, const struct player *p);
void account_put(const struct domain *d, const struct player *p,
		 void (*put)(void *payload, const struct fact *f),
		 void *payload);
void deleted_put(const struct domain *d,
		 void (*put)(void *payload, const struct fact *f),
		 void *payload);

/* -- login.c -- */

void login_begin(struct domain *d, const struct command *cmd);
void bot_login(struct domain *d, const struct command *cmd);
void on_hashed(struct domain *d, const struct command *cmd);
/* Has a password worked on for a command; refuses it if too many are. hash NULL:
 * nothing is verified. */
void hash_begin(struct domain *d, const struct command *cmd,
		const struct account *a, const struct hashing *what);
/* A new session of p answers a hello. */
void login_finish(struct domain *d, const struct command *cmd,
		  struct player *p);

/* -- account.c -- */

void on_account_get(struct domain *d, const struct command *cmd);
void on_account_register(struct domain *d, const struct command *cmd);
void on_account_password(struct domain *d, const struct command *cmd);
void on_account_rename(struct domain *d, const struct command *cmd);
void on_account_logout(struct domain *d, const struct command *cmd);
void on_account_delete(struct domain *d, const struct command *cmd);
/* Once the password was seen to. hash: of the new one. */
void account_registered(struct domain *d, const struct command *cmd,
			struct span login, struct span hash);
void account_password_set(struct domain *d, const struct command *cmd,
			  struct span hash);
void account_deleted(struct domain *d, const struct command *cmd);
/* A deleted player leaves one seat, or, having none, is forgotten. */
void player_leaves(struct domain *d, struct player *p);

/* -- operator_accounts.c -- */

void on_admin_bot_token(struct domain *d, const struct command *cmd);
void on_admin_bot_revoke(struct domain *d, const struct command *cmd);
void on_admin_reset(struct domain *d, const struct command *cmd);
void on_admin_reload(struct domain *d, const struct command *cmd);

/* -- shared_rules.c -- */

/* Lends rules as they are in r, of which all bytes are compared, those between
 * its members too; each call is undone by one of shared_rules_drop(). NULL: no
 * memory. */
const struct match_rules *shared_rules_take(struct domain *d,
					    const struct match_rules *r);
void shared_rules_drop(struct domain *d, const struct match_rules *r);

/* -- match_apply.c -- */

int apply_match(struct domain *d, const struct fact *f);
struct match *find_match(const struct domain *d, const struct id *id);
void match_free(struct domain *d, struct match *m);
/* The answer of most commands of a seat: the event that it made. */
void answer_event(struct domain *d, const struct command *cmd, struct match *m);
/* Room for one more half-move, so that applying it cannot fail. */
int match_reserve(struct match *m);
/* Says something of it, "" for nothing. PLYD_ENOMEM: nothing changed. */
int match_say(struct match *m, struct span words);
/* The half-move as people write it; match_reserve() made room. */
void log_move(struct match *m, struct span text);
bool is_clock(int64_t ms);
/* The only place that sets m->state. */
void match_move_to(struct match *m, enum match_state state);

/* -- player.c -- */

void on_hello(struct domain *d, const struct command *cmd);
/* Answers a hello by a session that gets its connection. */
void hello_answer(struct domain *d, const struct command *cmd,
		  struct session *s, bool resumed);
/* The player has left all his seats. */
void player_departs(struct domain *d, struct player *p);
/* A new id of a player. */
struct id player_new_id(struct domain *d);
void on_attach(struct domain *d, const struct command *cmd);
void on_gone(struct domain *d, const struct command *cmd);
void player_due(struct domain *d, struct player *p);

/* -- lobby.c -- */

void on_lobby_list(struct domain *d, const struct command *cmd);
void on_lobby_create(struct domain *d, const struct command *cmd);
void on_lobby_join(struct domain *d, const struct command *cmd);
void on_lobby_get(struct domain *d, const struct command *cmd);
void on_lobby_leave(struct domain *d, const struct command *cmd);
void on_lobby_ready(struct domain *d, const struct command *cmd);
void lobby_due(struct domain *d, struct lobby *l, int64_t unix_ms);

/* -- ai.c -- */

/* Ready on both sides, but as many matches with personalities run as may. */
bool lobby_waits_for_ai(const struct lobby *l);
uint64_t ai_look_ms(const struct domain *d);
/* It is the next that may, and there is room. */
bool lobby_may_begin_ai(const struct domain *d, const struct lobby *l);
/* There is room, and nobody waits for it. */
bool ai_may_begin_rematch(const struct domain *d);
/* PLYD_EAIFULL: as many wait as may. */
int ai_check_queue(const struct domain *d);
/* PLYD_EAIYOURS: he has as many such matches and lobbies as he may. */
int ai_check_player(const struct domain *d, const struct player *p);

/* A player gives up his seat; why is a word of the wire. */
void lobby_leave(struct domain *d, struct lobby *l, int side, const char *why);
/* NULL: none of that name plays by these rules, which are on offer. */
const struct personality *personality_find(const struct domain *d,
					   struct span name,
					   const struct match_rules *rules);
/* Its match begins if both seats are ready. */
void lobby_begin_if_ready(struct domain *d, struct lobby *l, int64_t unix_ms);
/* NULL, or the lobby of a command, in which he sits; else it is refused. */
struct lobby *lobby_of_seat(struct domain *d, const struct command *cmd,
			    int *side);
void tell_lobby(struct domain *d, const struct lobby *l);
/* One player: it is nothing to him any more. */
void tell_gone(struct domain *d, const struct id *player, const struct lobby *l,
	       const char *why);
void answer_lobby(struct domain *d, const struct command *cmd,
		  const struct lobby *l);
/* Seats a player. */
void lobby_seat(struct domain *d, struct lobby *l, enum side side,
		const struct player *p, bool ready);

/* -- lobby_host.c -- */

void on_lobby_invite(struct domain *d, const struct command *cmd);
void on_lobby_decline(struct domain *d, const struct command *cmd);
void on_lobby_kick(struct domain *d, const struct command *cmd);
void on_lobby_update(struct domain *d, const struct command *cmd);

/* -- begin.c -- */

/* Who takes a seat; the name is lent until the next step. */
struct partner {
	enum player_kind kind;
	struct id player; /* none for a personality */
	struct span name;
	struct session *driver; /* that takes the seat; or NULL */
};
struct partner partner_of(const struct player *p);
/* What a match begins with; its texts are lent until the next step. */
struct pairing {
	const struct match_rules *rules;
	struct clock_rules clock;
	bool rated;
	bool closed;
	struct span position; /* or "": the start of the ruleset */
	int64_t spectator_delay_ms;
	struct id rematch_of; /* or none */
	struct match_place place;
	struct partner seat[2];
};
/* PLYD_OK, or why no match can begin with this player: PLYD_EFULL,
 * PLYD_ETOOMANY, PLYD_EFINISHING. */
int player_may_begin(const struct domain *d, const struct player *p);
/* A match begins. The facts that end what it came from follow, then
 * match_start(). */
struct match *match_begin(struct domain *d, const struct pairing *p,
			  int64_t unix_ms);
/* Tells both, takes people out of other waiting, and lets it go on. */
void match_start(struct domain *d, struct match *m);

/* -- terms.c -- */

/* The ruleset's clock, changed as asked for. PLYD_ECLOCK: it may not be. */
int clock_agreed(const struct match_rules *r, const struct clock_wish *wish,
		 struct clock_rules *out);
/* Whether a match of these rules may be so long; 0: as long as they say. */
bool length_is_allowed(const struct domain *d, const struct match_rules *r,
		       int length);
/* Nothing happens to rules without such a length, or with one out of range. */
void rules_set_length(struct match_rules *r, int64_t length);
bool clock_same(const struct clock_rules *a, const struct clock_rules *b);
bool against_admits(enum against opponent, const struct player *p);

/* -- listing.c -- */

/* So that listed_put() cannot fail for this ruleset. PLYD_ENOMEM. */
int listing_reserve(struct domain *d, struct span ruleset);
void listings_free(struct domain *d);
void listed_put(struct domain *d, struct listed *l, enum listed_kind kind,
		const char *ruleset, void *owner);
void listed_take(struct domain *d, struct listed *l, enum listed_kind kind);

/* -- people.c -- */

/* Before he is forgotten. */
void people_drop(struct domain *d, struct player *p);
/* He has come or gone: lists, lobbies, seeks, the queue. */
void people_presence(struct domain *d, struct player *p);
/* Whether something of his keeps him from being forgotten. */
bool player_is_bound(const struct player *p);
void player_set_idle(struct domain *d, struct player *p, bool idle);
/* The player whom a command names. NULL: the command is refused. */
struct player *player_named(struct domain *d, const struct command *cmd,
			    const struct cmd_whom *whom);
void on_players_list(struct domain *d, const struct command *cmd);
void on_player_get(struct domain *d, const struct command *cmd);

/* -- meeting_apply.c -- */

int apply_meeting(struct domain *d, const struct fact *f);
struct seek *find_seek(const struct domain *d, const struct id *id);
void seek_free(struct domain *d, struct seek *s);
void queued_free(struct domain *d, struct queued *q);
void seek_set_due(struct domain *d, struct seek *s);
void queued_set_due(struct domain *d, struct queued *q);
void lobby_uninvite(struct domain *d, struct lobby *l, const struct id *player);
void lobby_set_listed(struct domain *d, struct lobby *l);
/* Frees what the last step has closed. */
void closed_free(struct domain *d);

/* -- seek.c -- */

void on_seek_create(struct domain *d, const struct command *cmd);
void on_seek_list(struct domain *d, const struct command *cmd);
void on_seek_accept(struct domain *d, const struct command *cmd);
void on_seek_cancel(struct domain *d, const struct command *cmd);
void seek_due(struct domain *d, struct seek *s);
void seek_close(struct domain *d, struct seek *s, enum seek_reason reason);
/* What a command asks for, in d's scratch; an error of terms. */
struct terms {
	const struct match_rules *rules;
	struct clock_rules clock;
};
int seek_check(struct domain *d, const struct command *cmd,
	       const struct player *to, struct terms *out);
struct seek *seek_open(struct domain *d, const struct command *cmd,
		       const struct player *to, const struct terms *t);
/* Its match begins; side is its maker's, or SIDE_BY_LOT. */
struct match *seek_play(struct domain *d, struct seek *s,
			const struct player *accepts, int side,
			int64_t unix_ms);
/* Answers a command that accepts it. */
void seek_accept(struct domain *d, const struct command *cmd, struct seek *s);
/* Answers again who has accepted it before. */
bool seek_accepted_before(struct domain *d, const struct command *cmd);
void seek_decline(struct domain *d, struct seek *s, enum decline_word word);
/* A repeated key finds what the first one made. */
bool seek_answered_before(struct domain *d, const struct command *cmd,
			  struct span key);
/* Closes what he offers to all and takes him out of the queue. */
void meeting_withdraw(struct domain *d, struct player *p,
		      enum seek_reason reason);

/* -- challenge.c -- */

void on_challenge_send(struct domain *d, const struct command *cmd);
void on_challenge_accept(struct domain *d, const struct command *cmd);
void on_challenge_decline(struct domain *d, const struct command *cmd);
void on_challenge_cancel(struct domain *d, const struct command *cmd);

/* -- quick.c -- */

void on_quick_join(struct domain *d, const struct command *cmd);
void on_quick_leave(struct domain *d, const struct command *cmd);
void on_quick_status(struct domain *d, const struct command *cmd);
void queued_due(struct domain *d, struct queued *q, int64_t unix_ms);
/* When his range widens next. */
uint64_t queued_widens_ms(const struct domain *d, const struct queued *q);
void queued_leave(struct domain *d, struct player *p, const struct id *match);

/* -- bot.c -- */

void on_bot_policy(struct domain *d, const struct command *cmd);
void on_bot_finish(struct domain *d, const struct command *cmd);
void on_bot_list(struct domain *d, const struct command *cmd);
/* Whether the bot would take such a match of this player; else *word is why. */
bool bot_takes(const struct player *bot, const struct player *from,
	       const struct match_rules *rules, const struct clock_rules *clock,
	       bool rated, enum decline_word *word);
/* After a match has ended: a bot that finishes is told at the last. */
void bots_after_end(struct domain *d, const struct match *m);

/* -- match.c -- */

void on_match_nonce(struct domain *d, const struct command *cmd);
void on_match_abort(struct domain *d, const struct command *cmd);
void on_match_claim(struct domain *d, const struct command *cmd);
void on_continue(struct domain *d, const struct command *cmd);
void match_due(struct domain *d, struct match *m);
void match_set_due(struct domain *d, struct match *m);
/* A match whose end is durable is forgotten after a while. Not before: who
 * watches it must be found if that is lost. */
void match_keep(struct domain *d, struct match *m);
/* A turn that waited after a restart begins. */
void match_release_now(struct domain *d, struct match *m);
/* Throws for the side to move, or the opening throw; its player may have asked
 * for it. */
void throw_dice(struct domain *d, struct match *m, bool asked);
/* Which release a turn waits for: there are two in one whose player asks for
 * his throw, and a new game begins at the ply at which the last one ended. */
uint32_t match_release_number(const struct match *m);
/* Ends a match that one side gives up, or loses by a flag or a claim. */
void match_lose(struct domain *d, struct match *m, enum side loser,
		enum end_reason reason);
/* A deleted player's seat: a match that may be aborted is, others are lost. */
void match_leave(struct domain *d, struct match *m, enum side side);
/* The one function that ends a match. */
void match_end(struct domain *d, struct match *m, enum match_result result,
	       enum end_reason reason, int points);
/* After a fact that may have ended the turn: ends the match, throws dice,
 * passes, or has the position released. One half-move a step. */
void match_go_on(struct domain *d, struct match *m);
/* The match and seat of a command; refuses and returns NULL if there is none,
 * or if the match is over or frozen. A flag that has fallen falls first. */
struct match *match_of_seat(struct domain *d, const struct command *cmd,
			    enum side *side);
/* The same for the answer to a request that binds the ply: also refuses if the
 * position is another one, or no request stands for this seat to answer. */
struct match *
match_of_reply(struct domain *d, const struct command *cmd, enum side *side,
	       bool (*stands_for)(const struct match *m, enum side side));

/* Whether a command was given for this very position: its ply, and as many
 * takebacks as it knows of, if it says so. */
bool match_ply_is(const struct match *m, const struct command *cmd,
		  uint32_t ply);

/* -- position.c -- */

/* Whether a match may begin there; "": at the start. PLYD_EPOSITION. */
int position_check(struct domain *d, const struct match_rules *r,
		   struct span text);

/* -- frozen.c -- */

void on_freeze(struct domain *d, const struct command *cmd);
/* Stops a running match for good; `why` is told to everybody. */
void match_freeze(struct domain *d, struct match *m, const char *why);
/* Says of a match that replay froze that it is. */
void frozen_say(struct domain *d, struct match *m);
int apply_frozen(struct domain *d, struct match *m,
		 const struct fact_frozen_body *b);
/* Whether that may happen to a frozen match. */
bool frozen_takes(const struct match *m, const struct fact *f);

/* -- pause.c -- */

void on_match_pause_offer(struct domain *d, const struct command *cmd);
void on_match_pause_accept(struct domain *d, const struct command *cmd);
void on_match_pause_decline(struct domain *d, const struct command *cmd);
void on_match_resume(struct domain *d, const struct command *cmd);
/* Bookkeeping of apply. */
int apply_pause_offered(struct match *m,
			const struct fact_pause_offered_body *b);
int apply_pause_declined(struct match *m,
			 const struct fact_pause_declined_body *b);
int apply_paused(struct match *m, const struct fact_paused_body *b);
int apply_resumed(struct domain *d, struct match *m,
		  const struct fact_resumed_body *b);

/* -- leave.c -- */

void on_match_leave(struct domain *d, const struct command *cmd);
/* A player of a seat has left a match in a way that counts. */
void leave_count(struct domain *d, const struct match *m, enum side side);
/* How long he must still cool down before he may join what is rated or quick;
 * 0: he may. */
int64_t player_cooling_ms(const struct domain *d, const struct player *p);
/* Whether he is away from a match that waits for him for long, and that is not
 * durable yet. */
bool player_went_away(const struct player *p);
/* Writes it down. */
void player_goes(struct domain *d, const struct player *p);
int apply_leaves_counted(struct domain *d, const struct fact *f);
int apply_went_away(struct domain *d, const struct fact *f);
int apply_came_back(struct domain *d, const struct fact *f);
/* Until when a match waits for players who are all away; UINT64_MAX: one is
 * here, or a clock will decide. */
uint64_t adjourned_until_ms(const struct domain *d, const struct match *m);
/* When a first move is too late; UINT64_MAX: there is no such time. */
uint64_t first_move_until_ms(const struct domain *d, const struct match *m);

/* -- rematch.c -- */

void on_match_rematch(struct domain *d, const struct command *cmd);
void on_match_rematch_decline(struct domain *d, const struct command *cmd);

/* -- takeback.c -- */

void on_match_takeback_offer(struct domain *d, const struct command *cmd);
void on_match_takeback_accept(struct domain *d, const struct command *cmd);
void on_match_takeback_decline(struct domain *d, const struct command *cmd);
/* Bookkeeping of apply. */
int apply_takeback_offered(struct match *m,
			   const struct fact_takeback_offered_body *b);
int apply_takeback_declined(struct match *m,
			    const struct fact_takeback_declined_body *b);
int apply_taken_back(struct match *m, const struct fact_taken_back_body *b);
/* A half-move was played, or the match has left play: no request stands. */
void takeback_lapses(struct match *m);
/* -- match_clock.c -- */

void on_match_seen(struct domain *d, const struct command *cmd);
/* Time charged for the turn so far; 0 before its release. */
int64_t match_used_ms(const struct match *m, uint64_t now_ms);
/* What a half-move now costs the side whose turn it is, leaves it, and was not
 * charged. */
struct charge {
	int64_t thought_ms;
	int64_t left_ms;
	int64_t lag_ms;
};
struct charge match_charge(const struct match *m, uint64_t now_ms);
/* Whether the side to move has no time left, and when that will be, if its
 * clock runs. */
bool match_flag_fell(const struct match *m, uint64_t now_ms);
uint64_t match_flag_due_ms(const struct match *m, uint64_t now_ms);
/* What belongs to a turn and not to the next. */
void turn_forget(struct match *m);
/* The position goes to the side to move: with a nonce, if a credit is left. */
void lag_probe_send(struct domain *d, struct match *m);
/* It goes there once more, to `side` (or -1: to others). */
void lag_probe_again(struct domain *d, struct match *m, int side);

/* -- time.c -- */

/* Matches run, or none does any more: sets or clears the deadline. */
void time_keep(struct domain *d);
void time_due(struct domain *d);

/* -- move.c -- */

void on_match_move(struct domain *d, const struct command *cmd);
/* Plays it, refuses it, or has it wait for the verdict. known: the move that it
 * is in this position, where that was found out before; or NULL. */
void move_decide(struct domain *d, const struct command *cmd, struct match *m,
		 enum side side, const struct move *known);
void on_thought(struct domain *d, const struct command *cmd);
/* PLYD_OK, or why this seat may not play the half-move of this ply; whatever
 * it is and whatever the clock says. */
int turn_check(const struct match *m, enum side side, const struct command *cmd,
	       uint32_t ply);

/* -- stakes.c -- */

/* CMD_MATCH_ROLL, DOUBLE, TAKE, DROP. */
void on_match_cube(struct domain *d, const struct command *cmd);
/* Does it, refuses it, or has it wait for the verdict. */
void cube_decide(struct domain *d, const struct command *cmd, struct match *m,
		 enum side side);
/* Whether the side to move may double, and so throws only when it asks. */
bool match_may_double(const struct match *m);
/* A game has this outcome: the next one begins, or the match ends. */
void game_end(struct domain *d, struct match *m, const struct outcome *o,
	      enum end_reason reason);
/* A personality decided about cube or double; a worker that failed throws and
 * takes. */
void stakes_thought(struct domain *d, struct match *m,
		    const struct cmd_thought *t);

/* -- stakes_apply.c -- */

int apply_stakes(struct match *m, const struct fact *f);
/* Bookkeeping of apply: a half-move by `side`; what a seat did, which becomes
 * the next event; an offered resignation is answered by that. */
void stakes_after_half_move(struct match *m, enum side side);
void stakes_note_act(struct match *m, enum side side, enum cube_act act);
void resign_note_answer(struct match *m, bool accepted);

/* -- resign.c -- */

void on_match_resign(struct domain *d, const struct command *cmd);
/* The whole match, for all that it may cost. */
void match_resign(struct domain *d, struct match *m, enum side side);
void on_match_accept_resign(struct domain *d, const struct command *cmd);
void on_match_decline_resign(struct domain *d, const struct command *cmd);
/* Asks a personality about an offer that stands for it, if there is one. */
void resign_ask(struct domain *d, struct match *m);
/* Its answer; and its own resignation, which is final. */
void resign_thought(struct domain *d, const struct command *cmd,
		    struct match *m);
void resign_thought_itself(struct domain *d, struct match *m);

/* -- verdict.c -- */

void on_released(struct domain *d, const struct command *cmd);
void on_finished(struct domain *d, const struct command *cmd);
void on_verdict(struct domain *d, const struct command *cmd);
/* The side to move gets its turn: its clock runs, its personality thinks. */
void turn_begin(struct domain *d, struct match *m);

/* -- held.c -- */

/* Keeps a legal move, or what is none (NULL), until the verdict; or refuses:
 * there are enough. */
void move_hold(struct domain *d, struct match *m, const struct command *cmd,
	       const struct move *move);
/* The moves that waited are decided now, as if they had just come. */
void held_decide(struct domain *d, struct match *m);
/* They are forgotten, with their match. */
void held_free(struct match *m);
/* -- rating.c -- */

void on_rating_get(struct domain *d, const struct command *cmd);
void on_rating_history(struct domain *d, const struct command *cmd);
void on_rating_leaders(struct domain *d, const struct command *cmd);

/* -- watch.c -- */

void on_match_list(struct domain *d, const struct command *cmd);
void on_match_get(struct domain *d, const struct command *cmd);
void on_match_watch(struct domain *d, const struct command *cmd);
void on_match_unwatch(struct domain *d, const struct command *cmd);
void watcher_drop(struct watcher *w);
void on_player_watch(struct domain *d, const struct command *cmd);
void on_player_unwatch(struct domain *d, const struct command *cmd);
void follow_drop(struct follow *f);
/* A match has begun: the followers of its players watch it. */
void followers_watch(struct domain *d, struct match *m);

/* -- offer.c -- */

void on_match_offer_draw(struct domain *d, const struct command *cmd);
void on_match_accept_draw(struct domain *d, const struct command *cmd);
void on_match_decline_draw(struct domain *d, const struct command *cmd);
/* Whether this seat may offer a draw now; PLYD_OK or why not. */
int offer_check(const struct match *m, enum side side);
/* Offers, or agrees to an offer that stands. */
void offer_make(struct domain *d, struct match *m, enum side side);
/* Bookkeeping of apply: a half-move by `side` was played; an offer ended. */
void offers_after_move(struct draw_offers *o, enum side side);
void offers_made(struct draw_offers *o, enum side side);
void offers_declined(struct draw_offers *o);
void offers_renew(struct draw_offers *o); /* there was progress */

/* -- operator.c -- */

void on_admin_say(struct domain *d, const struct command *cmd);
void on_admin_drain(struct domain *d, const struct command *cmd);
void on_admin_shutdown(struct domain *d, const struct command *cmd);
void on_admin_kick(struct domain *d, const struct command *cmd);
void on_admin_note(struct domain *d, const struct command *cmd);
void on_admin_end_match(struct domain *d, const struct command *cmd);
/* Records the act and answers it. The texts are copied. */
void act_done(struct domain *d, const struct command *cmd, const char *act,
	      const char *target);
/* -- kept.c -- */

int apply_script_kept(struct domain *d, const struct fact *f);
/* A script keeps this from now on; no fact if it did so before. */
void kept_change(struct domain *d, const struct match *m, enum kept_by by,
		 struct span memory);
void kept_drop(struct domain *d, const struct id *match);
/* Drops what is of no match that is played: after replay. */
void kept_prune(struct domain *d);
void kept_free(struct domain *d);
/* NULL, or what is wrong. */
const char *kept_broken(const struct domain *d);

int apply_audited(struct domain *d, const struct fact *f);
void audit_free(struct domain *d);
/* Records the act and answers it. The texts are copied. */
void act_done(struct domain *d, const struct command *cmd, const char *act,
	      const char *target);
/* Closes all his connections, and says err to each. */
void player_kick(struct domain *d, struct player *p, int err);

/* -- chat.c -- */

void on_chat_send(struct domain *d, const struct command *cmd);
/* What the personality of a side says with its thought, if that was in time. It
 * is bounded as a player's talk is, by match and side; what is too much, or
 * finds no memory, is just not said. */
void chat_thought(struct domain *d, const struct command *cmd, struct match *m,
		  enum side side);
void on_chat_get(struct domain *d, const struct command *cmd);
void on_chat_switch(struct domain *d, const struct command *cmd);
int apply_chat_switched(struct domain *d, const struct fact *f);
void chat_release(struct chat *c);

/* -- block.c -- */

void on_block_add(struct domain *d, const struct command *cmd);
void on_block_remove(struct domain *d, const struct command *cmd);
void on_block_list(struct domain *d, const struct command *cmd);
int apply_blocked(struct domain *d, const struct fact *f);
int apply_unblocked(struct domain *d, const struct fact *f);

/* -- report.c -- */

void on_report_send(struct domain *d, const struct command *cmd);
void on_admin_close_report(struct domain *d, const struct command *cmd);
int apply_reported(struct domain *d, const struct fact *f);
int apply_report_closed(struct domain *d, const struct fact *f);
int apply_reports_counted(struct domain *d, const struct fact *f);
void reports_free(struct domain *d);

/* -- operator_token.c -- */

/* PLYD_EVALUE: no name, PLYD_EFULL; PLYD_ENOTHING. */
void on_admin_token(struct domain *d, const struct command *cmd);
void on_admin_token_revoke(struct domain *d, const struct command *cmd);
int apply_operator_token_set(struct domain *d, const struct fact *f);
void operator_tokens_free(struct domain *d);

/* -- adjust.c -- */

/* PLYD_ERANGE: nothing would be left, or more than a clock can hold.
 * PLYD_ENOTALLOWED: a clock without a bank. */
void on_admin_adjust_clock(struct domain *d, const struct command *cmd);
int apply_clock_adjusted(struct match *m,
			 const struct fact_clock_adjusted_body *b);

/* -- ban.c -- */

void on_admin_ban(struct domain *d, const struct command *cmd);
void on_admin_unban(struct domain *d, const struct command *cmd);
void on_admin_mute(struct domain *d, const struct command *cmd);
void on_admin_unmute(struct domain *d, const struct command *cmd);
int apply_banned(struct domain *d, const struct fact *f);
int apply_unbanned(struct domain *d, const struct fact *f);
int apply_muted(struct domain *d, const struct fact *f);
void bans_free(struct domain *d);
/* Refuses a hello of one who is kept out; p NULL: a new guest. */
bool refuse_if_banned(struct domain *d, const struct command *cmd,
		      const struct player *p);

/* -- tournament*.c -- */

void on_tournament_list(struct domain *d, const struct command *cmd);
void on_tournament_get(struct domain *d, const struct command *cmd);
void on_tournament_round(struct domain *d, const struct command *cmd);
void on_tournament_watch(struct domain *d, const struct command *cmd);
void on_tournament_unwatch(struct domain *d, const struct command *cmd);
void on_tournament_create(struct domain *d, const struct command *cmd);
void on_tournament_scheduled(struct domain *d, const struct command *cmd);
void on_tournament_move(struct domain *d, const struct command *cmd);
void on_tournament_direct(struct domain *d, const struct command *cmd);
void on_tournament_enter(struct domain *d, const struct command *cmd);
void on_tournament_withdraw(struct domain *d, const struct command *cmd);
void on_tournament_check_in(struct domain *d, const struct command *cmd);
void on_tournament_invite(struct domain *d, const struct command *cmd);
void on_tournament_remove(struct domain *d, const struct command *cmd);
void on_tournament_correct(struct domain *d, const struct command *cmd);
int apply_tournament(struct domain *d, const struct fact *f);
void tournament_due(struct domain *d, struct tournament *t);
void tournaments_free(struct domain *d);
/* A match has ended: its table learns of it. */
void tournament_match_ended(struct domain *d, const struct match *m);
/* A deleted player is in one no more; false: he is in none. */
bool tournament_quit(struct domain *d, const struct player *p);
void tournaments_anonymise(struct domain *d, const struct id *player);
/* How long a match of it waits for a first half-move. */
int64_t tournament_no_show_ms(const struct domain *d, const struct match *m);
void tournament_watches_drop(struct session *s);
void tournaments_put(const struct domain *d,
		     void (*put)(void *payload, const struct fact *f),
		     void *payload);
void tournaments_wake(struct domain *d);
const char *tournaments_broken(const struct domain *d);

/* -- policy.c -- */

/* Whether the draw policy's data end the match in this position. */
bool policy_draws(const struct match *m, enum end_reason *reason);
/* Whether it asks how often a position has been: its hashes are kept. */
bool policy_counts(const struct match *m);
/* Bookkeeping of apply. */
void policy_begin(struct match *m);
void policy_after_move(struct match *m, const struct position *before);

#endif
