/* SPDX-License-Identifier: MIT
 * referee_priv.h - the referee's books. Files: referee.c (who says what),
 * referee_general.c (players and lobbies), referee_log.c (the facts of a
 * match), referee_end.c (ends, dice, records), referee_answer.c (answers and
 * refusals), referee_view.c (snapshots, events, lobbies as they are shown). */
#ifndef PLYD_TESTS_SIM_REFEREE_PRIV_H
#define PLYD_TESTS_SIM_REFEREE_PRIV_H

#include "client.h"
#include "domain/fact.h"
#include "domain/match.h"
#include "referee.h"
#include "sim.h"

enum { GUESTS_MAX = 4 * CLIENTS_MAX };
enum { RESULTS_COUNT = RESULT_ABORTED + 1 };
enum { SIDES = 2, NONCES_SENT_MAX = 8, METHODS_MAX = 256, MATCHES_LEAST = 3 };
/* A commit may be 2 s late, and some late ones may wait one for another. */
enum { ANSWERED_WITHIN_MS = 10000 };

/* Cube, score and resignations; sides are -1 for none. */
struct book_stakes {
	int value, owner; /* of the cube: 1, 2, 4 ... */
	int doubled;      /* who waits for the answer */
	int score[SIDES];
	bool crawford;
	int game;
	uint32_t game_ply;
	int resign, level; /* who would, and for what */
	uint64_t offer;    /* seq of that */
	int refused[SIDES];
	bool first; /* who begins is known */
	bool asked; /* the dice were asked for, after so long: */
	int64_t before_ms, before_lag_ms;
	uint64_t turn_at_ms; /* of the fact that began the turn */
};

/* A fact of a match, and the match after it. */
/* What the operator asks for in one match, of one side. */
enum { ADJUSTS_MAX = 8 };

struct book_fact {
	enum fact_type type;
	uint64_t at_ms;
	uint64_t durable_ms; /* domain time */
	uint64_t batch;      /* what became durable together */
	uint64_t generation; /* of the domain that made it */
	int side;            /* or -1 */
	uint32_t ply;
	char text[MOVE_TEXT_MAX]; /* of a move */
	int die[2];
	int64_t thought_ms, lag_ms; /* of the turn, if this tells it; */
	bool tells;
	int turn_side; /* whose turn ends with it, or -1 */
	/* after it */
	struct position pos;
	uint32_t plies, takebacks;
	uint32_t quiet; /* half-moves without progress */
	int64_t left_ms[SIDES];
	int offer;    /* who has an offer standing, or -1 */
	int takeback; /* who wants to take back, or -1 */
	int pause;    /* who wants a pause, or -1 */
	bool paused;
	bool frozen;
	bool playing;
	/* of a half-move */
	size_t undone; /* index of the fact that took it back; 0: none */
	bool acked;    /* an answer said that it was played just now */
	struct book_stakes stakes;
};

/* What a seat, or its personality, asked for about cube and resignations. */
struct asked_act {
	int side;
	enum method method;
	uint32_t ply;
	uint64_t offer;
	int level;
	uint32_t game;
	bool whole;
};

struct asked_move {
	int side;
	uint32_t ply;
	uint32_t takebacks; /* of a thought: when it was asked for */
	bool accepts;       /* a personality takes a draw that is offered */
	char text[ASKED_TEXT_MAX];
};

enum { KEPT_TEXT_MAX = 32 };

/* What a script kept with an answer, if that was taken. */
struct kept_said {
	int by; /* enum kept_by */
	uint32_t ply;
	bool failed;
	char text[KEPT_TEXT_MAX];
};

/* A verdict that ends a match, if that is still at this ply; or warns. */
struct verdict_said {
	bool warns;
	uint32_t ply;
	uint32_t takebacks;
	uint64_t at_ms;
	enum match_result result;
	uint64_t generation;
	bool in_time; /* for certain: nothing was too slow */
};

struct book_clock {
	int kind; /* enum clock_kind */
	int64_t base_ms, increment_ms, delay_ms;
};

/* A nonce that was sent with a turn. */
struct book_lag {
	char hex[LAG_HEX + 1];
	size_t turn; /* the fact that began it */
	uint64_t generation;
	int side;
	uint64_t sent_ms;  /* to its player, world's time; 0: not yet */
	uint64_t asked_ms; /* when he echoed first; 0: not yet */
};

struct book_match {
	struct id id;
	struct ruleset rules;
	uint32_t no_progress, repetition;
	struct book_clock clock;
	int64_t lag_per_move_ms, lag_total_ms;
	struct book_lag *lag;
	size_t lags, lag_cap;
	size_t credit_turn; /* the last credit that was told */
	uint64_t credit_generation;
	int64_t credit_ms;
	struct id player[SIDES]; /* none: a personality */
	struct id cup;           /* tournament that it is of, or none */
	int64_t cup_round, cup_table;
	char rules_version[VERSION_BYTES_MAX + 1];
	char policy_version[VERSION_BYTES_MAX + 1];
	char version[SIDES][VERSION_BYTES_MAX + 1];
	struct kept_said *kept_said;
	size_t kept_said_count, kept_said_cap;
	char kept[KEPT_BY][KEPT_TEXT_MAX]; /* durably */
	struct digest commitment;
	struct position start;
	struct book_fact *fact;
	size_t facts, fact_cap;
	int64_t adjust_asked[SIDES][ADJUSTS_MAX]; /* by the operator */
	size_t adjusts_asked[SIDES];
	struct asked_move *asked;
	size_t asked_count, asked_cap;
	bool wished[SIDES][METHODS_MAX]; /* by method */
	bool claimed_win[SIDES], claimed_draw[SIDES];
	bool thought_badly; /* a personality failed: any fallback is good */
	char nonce_sent[SIDES][NONCES_SENT_MAX][2 * DICE_NONCE_MAX + 1];
	size_t nonces_sent[SIDES];
	uint8_t nonce[SIDES][DICE_NONCE_MAX];
	size_t nonce_len[SIDES];
	bool nonce_given[SIDES];
	uint32_t rolls;
	bool first_known;
	bool spent[SIDES]; /* may not offer a draw */
	int moves_since[SIDES];
	bool no_offers;
	uint32_t offers_from, offers_max;
	uint32_t offers_made[SIDES]; /* since the last progress */
	bool judged;                 /* a policy's script is asked */
	uint32_t asked_ply;          /* the last time, */
	uint32_t asked_takebacks;
	uint64_t asked_generation;
	bool was_judged;         /* since then */
	uint64_t asked_until_ms; /* and how long it had then */
	struct asked_act *act;
	size_t acts, act_cap;
	bool crawford_was; /* there was a Crawford game */
	/* the game is over: so it must say; or the next one must begin */
	bool game_over, game_to_begin, given_up;
	int game_winner, game_points;
	const char *game_why;
	struct verdict_said *said; /* that it is over, in time */
	size_t said_count, said_cap;
	/* what must come next, or "" */
	const char *must_end;
	enum match_result must_result;
	int must_points;
	bool over;
	char end_reason[32];
	enum match_result result;
	int points;
	uint64_t ended_generation, ended_ms;
	uint8_t seed[SEED_BYTES]; /* from the secret: nobody may see it */
	bool seed_known;
	bool finished; /* is a record */
	struct digest head;
	bool rated;
	bool rated_said;
	struct fact_rated_body rating;
	int rated_times[SIDES];
	int64_t spectator_delay_ms;
	struct id next; /* its rematch, or none */
	bool takeback_allowed;
	bool pause_spent[SIDES];
	bool was_struck; /* by a fault */
	bool torn;       /* frozen for that, and no fact says so yet */
	bool operator_ends[RESULTS_COUNT]; /* he wants it to end so */
	size_t torn_seq;                   /* after which fact */
	bool takeback_spent[SIDES];        /* asked since the last half-move */
};

struct book_session {
	int64_t number;
	struct digest token, offered;
	bool has_offered, ended;
	uint64_t ended_batch;
};

/* What somebody said with a password, or asked to be called. */
struct book_said {
	enum method method;
	struct id player;
	char login[LOGIN_BYTES_MAX + 1];
	char password[PASSWORD_CHARS];
	char fresh[PASSWORD_CHARS];
};

struct book_rating {
	struct id player;
	char ruleset[RULESET_NAME_MAX + 1];
	int64_t speed, pool, games;
	double points, deviation, volatility;
	int64_t since_ms; /* Unix time up to which the deviation has grown */
};

struct book_guess { /* of a password, that was wrong */
	char login[LOGIN_BYTES_MAX + 1];
	uint64_t asked_ms;
	uint64_t address;
	uint32_t server; /* that said so */
};

struct book_player {
	struct id id;
	bool gone;
	uint64_t gone_batch;
	struct book_session *session;
	size_t sessions, session_cap;
	bool may_end;      /* he asked to end one */
	bool password_new; /* and no other session may go on */
	int64_t left_by;   /* session whose link was the last to end */
	char login[LOGIN_BYTES_MAX + 1]; /* "": no account */
	char hash[PASSWORD_HASH_MAX];
	uint64_t hash_since_ms; /* world's time */
	char old_name[NAME_BYTES_MAX + 1];
	uint64_t old_name_until_ms;
	bool leaving; /* deleted */
	uint64_t closed_batch;
	char name[NAME_BYTES_MAX + 1];
	enum player_kind kind;
	struct digest *offers; /* all that were ever offered */
	size_t offer_count, offer_cap;
	bool here;
	uint64_t away_ms;      /* domain time, if not here */
	bool went_away;        /* durably, */
	uint64_t went_away_ms; /* since then */
	int64_t leaves;        /* as they were counted last, */
	uint64_t leave_ms;     /* then */
	uint64_t out_ms;       /* when the operator put him out; 0: never */
};

struct book_lobby {
	struct id id;
	struct id owner;
	struct id opener;
	char ruleset[RULESET_NAME_MAX + 1];
	char key[KEY_BYTES_MAX + 1];
	char code[CODE_CHARS + 1];
	struct book_clock clock;
	int length;                       /* of its match; 0: one game */
	char position[POSITION_TEXT_MAX]; /* where it begins; "": the start */
	char personality[PERSONALITY_BYTES_MAX + 1];
	bool open;
	uint64_t closed_batch;
	bool taken[SIDES], ready[SIDES];
	uint64_t ready_ms; /* since then both are */
	uint64_t waits_ms; /* for somebody to be ready, since then; or 0 */
	struct id player[SIDES];
	struct id ever[2 * CLIENTS_MAX]; /* who ever sat in it */
	size_t evers;
	bool invited_only;
	struct {
		struct id player;
		bool invited, barred;
	} guest[GUESTS_MAX];
	size_t guests;
};

struct book_seek {
	struct id id, by, to;
	char ruleset[RULESET_NAME_MAX + 1];
	char key[KEY_BYTES_MAX + 1];
	struct book_clock clock;
	int side;
	uint64_t until_ms;
	int64_t rating_min, rating_max; /* of who accepts; 0: any */
	bool open;
};

struct book_queued {
	struct id player;
	char ruleset[RULESET_NAME_MAX + 1];
	bool bots;
};

/* Somebody asked for this, about that seek or lobby. */
struct book_wish {
	enum method method;
	struct id by, what, whom;
};

/* A tournament. */
enum { CUP_ENTRIES_MAX = 30, CUP_ROUNDS_MAX = 64, CUP_TABLES_MAX = 16 };
struct book_entry {
	struct id player;
	size_t first, until; /* rounds */
	bool gone, checked_in;
};
struct book_table {
	int white, black; /* entries; black -1: a bye */
	int outcome;
	int games;
	bool running, corrected;
	struct id match;
};
struct book_cup {
	struct id id, organiser;
	char key[KEY_BYTES_MAX + 1];
	int64_t no_show_ms, late_rounds, rounds_all;
	bool knockout, swiss, twice, check_in, began, forgotten;
	int state; /* enum tournament_state */
	struct book_entry entry[CUP_ENTRIES_MAX];
	size_t entries;
	struct book_table table[CUP_ROUNDS_MAX][CUP_TABLES_MAX];
	size_t tables[CUP_ROUNDS_MAX];
	size_t rounds;
};

struct referee {
	struct doc *row;     /* a row or a record that is read */
	struct doc *message; /* a message that is read */
	struct book_match *match;
	size_t matches, match_cap;
	struct book_player *player;
	size_t players, player_cap;
	struct book_lobby *lobby;
	size_t lobbies, lobby_cap;
	struct book_seek *seek;
	size_t seeks, seek_cap;
	struct book_cup *cup;
	size_t cups, cup_cap;
	struct book_queued *queued;
	size_t queued_count, queued_cap;
	struct book_wish *wish; /* of meeting */
	size_t wishes, wish_cap;
	struct digest *shown; /* tokens that clients showed, hashed */
	size_t shown_count, shown_cap;
	struct book_said *said;
	size_t saids, said_cap;
	struct book_talk *talk;
	char evicted[NAME_BYTES_MAX + 1]; /* for a newcomer of this name */
	struct book_guess *guess;
	size_t guesses, guess_cap;
	struct book_rating *rating;
	size_t ratings, rating_cap;
	uint64_t batch;
	uint64_t ai_full_batch;  /* the last after which no more could begin, */
	uint64_t ai_waits_batch; /* or some lobby waited for that */
	uint64_t ai_drained_ms;  /* the last time that none could for that */
	uint64_t generation;
	uint64_t generation_ms; /* domain time of its start */
	uint64_t recorded_ms;   /* of the last durable fact */
	uint64_t writable_ms;   /* since when it takes commits */
};

struct book_match *book_match(const struct referee *r, const struct id *id);
struct book_player *book_player(const struct referee *r, const struct id *id);
struct book_lobby *book_lobby(const struct referee *r, const struct id *id);
struct book_player *book_token(const struct referee *r, struct span hex);

/* -- referee_account.c -- */

/* False: it is about something else. */
bool account_fact(struct sim *sim, const struct fact *f);
void account_asked(struct sim *sim, const struct link *l,
		   const struct asked *a);
void account_compare(struct sim *sim, const struct book_player *p,
		     const struct player *d);
/* The session of that number that goes on; NULL: there is none. */
struct book_session *book_session(const struct book_player *p, int64_t number);
void book_session_add(struct book_player *p, int64_t number,
		      const struct digest *token);
/* Whether any other link of a session of his that goes on is connected. */
bool is_connected(const struct sim *sim, const struct book_player *p,
		  const struct link *but);
/* Whether the session of a link ended, so long ago that all that was said
 * before is said. */
bool session_is_over(const struct sim *sim, const struct link *l);
/* Nobody else has this name, or keeps it; in this world names are ASCII. */
void judge_name(struct sim *sim, const struct id *id, const char *name,
		uint64_t at_ms);
void judge_rights(struct sim *sim, const struct link *l, const struct asked *a);
void judge_account_answer(struct sim *sim, struct link *l,
			  const struct asked *a, const struct value *map);
void judge_account_refused(struct sim *sim, const struct link *l,
			   const struct asked *a, int64_t code);
void look_for_persons(struct sim *sim, const struct link *l, struct span bytes);

/* -- referee_general.c -- */

void general_fact(struct sim *sim, const struct fact *f);
/* The domain has just these players and lobbies. */
void general_compare(struct sim *sim);
bool ever_sat(const struct book_lobby *l, const struct id *player);

/* -- referee_meeting.c -- */

struct book_seek *book_seek(const struct referee *r, const struct id *id);
void meeting_asked(struct sim *sim, const struct link *l,
		   const struct asked *a);
/* False: it is about something else. */
bool meeting_fact(struct sim *sim, const struct fact *f);
/* After each fact: since when somebody is waited for. */
void lobbies_wait(struct sim *sim, uint64_t at_ms);
/* A seat is about to be left. */
void lobby_left_for(struct sim *sim, const struct book_lobby *l, int side,
		    uint64_t at_ms);
void lobbies_at_the_end(struct sim *sim);
/* In points, of this ruleset at the speed of this clock. */
int64_t rating_shown(struct sim *sim, const struct id *player,
		     const char *ruleset, const struct book_clock *clock);
/* Somebody sits down in a lobby. */
void meeting_seated(struct sim *sim, struct book_lobby *l,
		    const struct id *player);
void meeting_compare(struct sim *sim);
/* False: an answer about something else. */
bool judge_meeting(struct sim *sim, const struct link *l, const struct asked *a,
		   const struct value *map);
void judge_meeting_refused(struct sim *sim, const struct link *l,
			   const struct asked *a, int64_t code);
/* listed: in an answer to seek.list. */
void judge_seek(struct sim *sim, const struct link *l, const struct value *map,
		bool listed);

/* -- referee_ai.c -- */

/* The match of this lobby begins. */
void ai_begins(struct sim *sim, const struct book_lobby *l);
void ai_settled(struct sim *sim);
void judge_ai_refused(struct sim *sim, const struct link *l, int64_t code,
		      enum method method);
void ai_at_the_end(struct sim *sim);

/* -- referee_tournament.c -- */

/* False: it is about something else. */
bool cup_fact(struct sim *sim, const struct fact *f);
/* How long such a match waits for a first half-move; -1: it is of none. */
int64_t cup_no_show_ms(const struct referee *r, const struct book_match *m);
/* Whether a director has decided about its table. */
bool cup_decided(const struct referee *r, const struct book_match *m);
void cups_compare(struct sim *sim);
/* False: an answer about something else. */
bool judge_cup(struct sim *sim, const struct asked *a, const struct value *map);

/* -- referee_log.c -- */

void match_fact(struct sim *sim, const struct fact *f);
int seat_of(const struct book_match *m, const struct id *player);
/* The fact that began the turn: since it was durable the clock runs. */
const struct book_fact *turn_began(const struct book_match *m, size_t facts);
/* The canonical text of an asked move in a position; false: not legal. */
bool canonical(const struct ruleset *rules, const struct position *pos,
	       const char *asked, char text[MOVE_TEXT_MAX]);
/* Games of the match before the one that is played. */
/* Nothing is left undone that the server must do at once. */
void match_is_settled(struct sim *sim, const struct book_match *m);

/* -- referee_stakes.c -- */

/* Whose turn it is after `facts` facts, or -1; and to do what, or "". */
int turn_after(const struct book_match *m, size_t facts);
const char *awaits_after(const struct book_match *m, size_t facts);
void stakes_begin(struct book_match *m, struct book_fact *f);
void stakes_asked(struct book_match *m, int side, const struct asked *a);
void stakes_thought_of(struct book_match *m, int side,
		       const struct cmd_thought *t);
void stakes_fact(struct sim *sim, struct book_match *m, struct book_fact *now,
		 const struct fact *f);
void stakes_rolled(struct sim *sim, struct book_match *m, struct book_fact *now,
		   const struct fact_rolled_body *b);
/* A half-move of this side was played. */
void stakes_half_move(struct book_fact *now, int side);
/* The rules end the game. */
void stakes_look_for_end(struct book_match *m, const struct outcome *o);
bool stakes_may_follow(const struct book_match *m, enum fact_type type);
/* Whether the loser can have resigned the game for that; or the match. */
bool stakes_resigned(const struct book_match *m, int loser, int points);
bool stakes_gave_up(const struct book_match *m, int loser);
bool stakes_are_shown(const struct book_match *m, uint64_t seq,
		      const struct value *map);
/* Whether the answer to match.roll, double, take or drop is true. */
bool stakes_acted(struct book_match *m, int side, const struct asked *a,
		  const struct value *map);
bool stakes_not_awaited(const struct book_match *m, size_t facts,
			enum method method);

/* -- referee_script.c -- */

void script_thought(struct sim *sim, struct book_match *m, int side,
		    const struct cmd_thought *t);
void script_verdict(struct sim *sim, struct book_match *m,
		    const struct cmd_verdict *v);
void script_kept_fact(struct sim *sim, const struct fact *f);
/* What was decided in this half-move, and what is kept, are of one answer. */
void script_decided(struct sim *sim, const struct book_match *m, int by,
		    uint32_t ply);
void versions_begun(struct sim *sim, struct book_match *m,
		    const struct fact_begun_body *b);
void versions_shown(struct sim *sim, const struct book_match *m,
		    const struct value *map);

/* -- referee_clock.c -- */

/* The clock that a lobby gets; false: it is refused. */
bool clock_of_lobby(const struct sim *sim, const struct clock_asked *a,
		    struct book_clock *out);
bool clock_is(const struct book_clock *c, const struct value *map);
bool clocks_equal(const struct book_clock *a, const struct book_clock *b);
/* The same for a turn that is broken off by a takeback. */
void clock_broken_off(struct sim *sim, const struct book_match *m,
		      const struct book_fact *now, int64_t left_after);
void clock_moved(struct sim *sim, const struct book_match *m,
		 const struct book_fact *now, int64_t left_after);
void clock_flag(struct sim *sim, const struct book_match *m, uint64_t at_ms);
/* The time before a throw that was asked for. */
void clock_thought(struct sim *sim, const struct book_match *m,
		   const struct book_fact *now);
void clock_game_ended(struct sim *sim, const struct book_match *m,
		      const struct book_fact *now,
		      const struct fact_game_ended_body *b);
void clock_ended(struct sim *sim, const struct book_match *m,
		 const struct fact *f);
/* The operator gave time, or took it. */
void clock_adjusted(struct sim *sim, struct book_match *m,
		    struct book_fact *now,
		    const struct fact_clock_adjusted_body *b);
bool clock_is_shown(const struct book_match *m, uint64_t seq,
		    const struct value *map);
uint64_t clock_latest_ms(const struct sim *sim, const struct book_match *m);

/* Whether a half-move was in force after `facts` facts. */
bool in_force(const struct book_match *m, size_t i, size_t facts);
void fact_wrong(struct sim *sim, const struct book_match *m,
		const struct book_fact *f, const char *what);

/* -- referee_leave.c -- */

void pause_fact(struct sim *sim, struct book_match *m, struct book_fact *now,
		const struct fact *f);
void leaves_counted(struct sim *sim, const struct fact *f);
void went_away(struct sim *sim, const struct fact *f);
void came_back(struct sim *sim, const struct fact *f);
/* Whether a first move was waited for long enough. */
bool nobody_showed(const struct sim *sim, const struct book_match *m,
		   const struct fact *f);

/* -- referee_frozen.c -- */

void frozen_fact(struct sim *sim, struct book_match *m, struct book_fact *now,
		 const struct fact *f);
/* Whether the match stands still for the operator. */
bool is_frozen(const struct book_match *m);
/* Who sees a match late sees it stop by its facts alone, and not where a row was
 * torn after seq. */
bool is_unseen_tear(const struct book_match *m, const struct link *l,
		    uint64_t seq);
/* Whether it was frozen when that was refused, or after. */
void judge_frozen_refusal(struct sim *sim, const struct link *l,
			  const struct asked *a);

/* -- referee_rematch.c -- */

void rematch_begun(struct sim *sim, struct book_match *m, const struct id *of);
void judge_rematch(struct sim *sim, const struct link *l,
		   const struct value *map);

/* -- referee_takeback.c -- */

void takeback_offered_fact(struct sim *sim, struct book_match *m,
			   struct book_fact *now, const struct fact *f);
void takeback_declined_fact(struct sim *sim, struct book_match *m,
			    struct book_fact *now, const struct fact *f);
void taken_back_fact(struct sim *sim, struct book_match *m,
		     struct book_fact *now, const struct fact *f);
/* -- referee_lag.c -- */

void lag_begun(struct sim *sim, struct book_match *m,
	       const struct fact_begun_body *b);
void lag_shown(struct sim *sim, const struct link *l, struct book_match *m,
	       uint64_t seq, const struct value *map, bool snapshot);
void lag_asked(struct sim *sim, struct book_match *m, int side,
	       const struct asked *a);
/* A fact says what a turn of this side was credited by now. */
void lag_told(struct sim *sim, struct book_match *m, struct book_fact *now,
	      int side, int64_t lag_ms);
/* The most that the turn may have been credited by now. */
int64_t lag_possible_ms(const struct sim *sim, const struct book_match *m);
void judge_seen(struct sim *sim, const struct link *l, const struct asked *a,
		const struct value *map);

/* -- referee_talk.c -- */

struct book_talk *talk_new(void);
void talk_free(struct book_talk *t);
/* False: it is about something else. */
bool talk_fact(struct sim *sim, const struct fact *f);
void talk_player_removed(struct sim *sim, const struct id *player);
void talk_compare(struct sim *sim);
/* A personality of this match would say this. */
void talk_thought(struct sim *sim, const struct id *match, struct span say);
void judge_chat_line(struct sim *sim, struct link *l, const struct value *map);
void judge_chat(struct sim *sim, const struct link *l, const struct value *map);
void judge_chat_said(struct sim *sim, const struct link *l,
		     const struct asked *a, const struct value *map);

/* -- referee_end.c -- */

void ended_fact(struct sim *sim, struct book_match *m, const struct fact *f);
/* Whether rules or draw policy end the match after its last half-move. */
void look_for_end(struct book_match *m);
void match_at_the_end(struct sim *sim, const struct book_match *m);

/* -- referee_answer.c -- */

void judge_response(struct sim *sim, struct link *l, const struct value *root);

/* -- referee_record.c -- */

void judge_records(struct sim *sim, const struct link *l,
		   const struct value *map);
void judge_record(struct sim *sim, const struct link *l, const struct asked *a,
		  const struct value *map);

/* -- referee_rating.c -- */

void rated_fact(struct sim *sim, struct book_match *m, const struct fact *f);
void rated_ended(struct sim *sim, const struct book_match *m,
		 enum match_result result);
void player_rated_fact(struct sim *sim, const struct fact *f);

/* -- referee_watch.c -- */

/* Whether this link sees that match late; and not too soon. */
bool sees_late(const struct book_match *m, const struct link *l);
void judge_late(struct sim *sim, const struct link *l,
		const struct book_match *m, uint64_t seq);
/* Whether he who watches reads nothing, or did a moment ago: what he missed is
 * not yet shown to him. */
bool catches_up(const struct sim *sim, const struct link *l,
		const struct book_match *m);
/* Whether all was told that must have been. */
void judge_heard(struct sim *sim, const struct link *l, struct heard *h,
		 const struct book_match *m);
void judge_followers(struct sim *sim, struct link *l);
void judge_followed(struct sim *sim, struct link *l, const struct asked *a,
		    const struct value *map);
void judge_unfollowed(struct link *l, const struct asked *a);
/* Whether a match.snapshot has a reason to come. */
bool may_be_shown(const struct sim *sim, const struct link *l,
		  const struct book_match *m, const struct heard *h);

/* -- referee_view.c, snapshots -- */

enum shown_as { SHOWN_ONCE, SHOWN_TO_FOLLOW, SHOWN_AS_STARTED, SHOWN_ANEW };
void judge_snapshot(struct sim *sim, struct link *l, const struct value *map,
		    enum shown_as how);
void judge_event(struct sim *sim, struct link *l, const struct value *map);
void judge_presence(struct sim *sim, struct link *l, const struct value *map);
void judge_lobby(struct sim *sim, const struct link *l,
		 const struct value *map);
struct heard *heard_of(struct link *l, const struct id *match, bool add);

/* Values that the schema has promised; false or -1 if not there. */
bool id_in(const struct value *map, const char *key, struct id *out);
int64_t int_in(const struct value *map, const char *key);
bool bool_in(const struct value *map, const char *key);
struct span str_in(const struct value *map, const char *key);
int side_in(const struct value *map, const char *key);
bool position_is(const struct ruleset *rules, const struct position *pos,
		 struct span text);
const char *side_word(int side);

#endif
