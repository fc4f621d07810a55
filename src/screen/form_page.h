/* SPDX-License-Identifier: MIT
 * form_page.h - a view in which some things are chosen, each from a few. */
#ifndef PLYD_SCREEN_FORM_PAGE_H
#define PLYD_SCREEN_FORM_PAGE_H

#include "screen/page.h"

enum { FORM_FIELDS_MAX = 8, FORM_OPTIONS_MAX = 32, FORM_OPTION_BYTES = 40 };

struct form_field {
	const char *label;
	const char *hint; /* or NULL */
	char option[FORM_OPTIONS_MAX][FORM_OPTION_BYTES];
	int options; /* 0: the field is not shown */
	int chosen;
};

struct form {
	struct form_field field[FORM_FIELDS_MAX];
	int fields;
	int at; /* the field that the arrows change */
};

/* Adds an option to a field; what does not fit is left out. */
void form_option(struct form_field *f, const char *text);
/* Up and down choose a field, left and right its option. False: another key. */
bool form_key(struct form *f, struct key key);

void form_page_put(struct grid *g, const struct page *page,
		   const struct form *f);

#endif
