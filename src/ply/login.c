/* SPDX-License-Identifier: MIT */
#include "ply/login.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/span.h"

enum { OPTION_LOGIN = 0x1000, OPTION_BOT_TOKEN_FILE };
enum { LINE_MAX_BYTES = 256 };

static const struct argp_option options[] = {
	{ "login", OPTION_LOGIN, "NAME", 0,
	  "Log in to that account; its password is $PLY_PASSWORD, or is asked "
	  "for",
	  1 },
	{ "bot-token-file", OPTION_BOT_TOKEN_FILE, "FILE", 0,
	  "Log in as the bot whose token, from the operator, is in that file",
	  1 },
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct login *l = state->input;
	switch (key) {
	case OPTION_LOGIN: l->login = arg; break;
	case OPTION_BOT_TOKEN_FILE: l->bot_token_file = arg; break;
	case ARGP_KEY_END:
		if (l->login && l->bot_token_file)
			argp_error(state, "--login and --bot-token-file are "
					  "two ways in: take one");
		break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

const struct argp login_argp = { .options = options, .parser = parse };

/* -- a password at the terminal -- */

static bool read_line(FILE *from, char *out, size_t size)
{
	char line[LINE_MAX_BYTES]; /* with room for the end of the line */
	bool good = fgets(line, sizeof(line), from) != NULL;
	if (good) {
		size_t len = strcspn(line, "\r\n");
		bool whole = line[len] != '\0' || feof(from);
		good = whole && len > 0 &&
		       span_copy(span_of(line, len), out, size);
	}
	explicit_bzero(line, sizeof(line));
	return good;
}

static bool ask(FILE *tty, const char *question, char *out, size_t size)
{
	struct termios shown, hidden;
	int fd = fileno(tty);
	fputs(question, tty);
	fflush(tty);
	bool can_hide = !tcgetattr(fd, &shown);
	hidden = shown;
	hidden.c_lflag &= ~(tcflag_t)ECHO;
	if (can_hide)
		tcsetattr(fd, TCSAFLUSH, &hidden);
	bool good = read_line(tty, out, size);
	if (can_hide)
		tcsetattr(fd, TCSAFLUSH, &shown);
	fputs("\n", tty);
	return good;
}

bool password_read(const char *who, const char *variable, const char *question,
		   char out[CLIENT_PASSWORD_MAX])
{
	const char *given = getenv(variable);
	if (given) {
		snprintf(out, CLIENT_PASSWORD_MAX, "%s", given);
		return true;
	}
	FILE *tty = fopen("/dev/tty", "r+");
	bool good = tty && ask(tty, question, out, CLIENT_PASSWORD_MAX);
	if (!tty)
		fprintf(stderr, "%s: there is no terminal to ask at; set %s\n",
			who, variable);
	else if (!good)
		fprintf(stderr, "%s: that is no password\n", who);
	if (tty)
		fclose(tty);
	return good;
}

/* -- a token in a file -- */

static bool read_token(struct login *l, const char *who)
{
	FILE *file = fopen(l->bot_token_file, "r");
	bool good = file && read_line(file, l->bot_token, CLIENT_TOKEN_MAX);
	if (!file)
		fprintf(stderr, "%s: cannot open '%s': %s\n", who,
			l->bot_token_file, strerror(errno));
	else
		fclose(file);
	good = good && strlen(l->bot_token) == CLIENT_TOKEN_MAX - 1;
	if (file && !good)
		fprintf(stderr, "%s: '%s' holds no token\n", who,
			l->bot_token_file);
	return good;
}

bool login_read(struct login *l, const char *who)
{
	if (l->bot_token_file)
		return read_token(l, who);
	return !l->login ||
	       password_read(who, "PLY_PASSWORD", "Password: ", l->password);
}

void login_use(const struct login *l, struct client_options *out)
{
	out->login = l->login;
	out->password = l->login ? l->password : NULL;
	out->bot_token = l->bot_token_file ? l->bot_token : NULL;
}
