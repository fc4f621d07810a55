/* SPDX-License-Identifier: MIT
 * protodoc_priv.h - example exchanges for docs/protocol.md. protodoc decodes
 * each request and checks each answer before it prints them. */
#ifndef PLYD_PROTO_PROTODOC_PRIV_H
#define PLYD_PROTO_PROTODOC_PRIV_H

struct example {
	const char *name;   /* of a method or a notification */
	const char *params; /* JSON; NULL for a notification */
	/* JSON, in lines as it is to be shown; a notification's parameters */
	const char *result;
};

/* Of some methods; each ends with a row without a name. */
extern const struct example admin_examples[];
/* Of accounts, alike. */
extern const struct example account_examples[];
extern const struct example chat_examples[];
/* Of meeting; the same. */
extern const struct example meeting_examples[];
extern const struct example tournament_examples[];

/* NULL: there is none of that name. */
const struct example *example_find(const char *name);

#endif
