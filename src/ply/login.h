/* SPDX-License-Identifier: MIT
 * login.h - who a command is to the server: a guest, a member with a login and a
 * password, or a bot with a token of the operator. */
#ifndef PLYD_PLY_LOGIN_H
#define PLYD_PLY_LOGIN_H

#include <argp.h>
#include <stdbool.h>

#include <plyd/client.h>

struct login {
	const char *login;          /* NULL: none */
	const char *bot_token_file; /* NULL: none */
	/* secrets, from login_read() on */
	char password[CLIENT_PASSWORD_MAX];
	char bot_token[CLIENT_TOKEN_MAX];
};

/* --login and --bot-token-file, to be a child of a command's parser, whose input
 * is a struct login. */
extern const struct argp login_argp;

/* Reads a password: from the environment, or asked for at the terminal without
 * showing it. False: there is none, stderr says why. */
bool password_read(const char *who, const char *variable, const char *question,
		   char out[CLIENT_PASSWORD_MAX]);

/* Reads what the options want: the password, from $PLY_PASSWORD or asked for,
 * or the token. False: stderr says why not. */
bool login_read(struct login *l, const char *who);

/* Puts them into the options of a client, which lend them. */
void login_use(const struct login *l, struct client_options *out);

#endif
