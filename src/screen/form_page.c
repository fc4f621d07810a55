/* SPDX-License-Identifier: MIT */
#include "screen/form_page.h"

#include <stdio.h>

enum { LABEL_COLUMN = 4, OPTION_COLUMN = 18, HINT_COLUMN = 42 };

void form_option(struct form_field *f, const char *text)
{
	if (f->options < FORM_OPTIONS_MAX)
		snprintf(f->option[f->options++], FORM_OPTION_BYTES, "%s",
			 text);
}

/* The next field that is shown, or this one. */
static int next_field(const struct form *f, int step)
{
	for (int i = f->at + step; i >= 0 && i < f->fields; i += step)
		if (f->field[i].options > 0)
			return i;
	return f->at;
}

static void turn(struct form_field *f, int step)
{
	if (f->options > 0)
		f->chosen = (f->chosen + step + f->options) % f->options;
}

bool form_key(struct form *f, struct key key)
{
	switch (key.kind) {
	case PRESS_UP:
	case PRESS_BACK_TAB: f->at = next_field(f, -1); break;
	case PRESS_DOWN:
	case PRESS_TAB: f->at = next_field(f, 1); break;
	case PRESS_LEFT: turn(&f->field[f->at], -1); break;
	case PRESS_RIGHT: turn(&f->field[f->at], 1); break;
	default: return false;
	}
	return true;
}

static void put_field(struct grid *g, int row, const struct form_field *f,
		      bool is_it)
{
	const struct style plain = { .ink = INK_TEXT };
	const struct style faint = { .ink = INK_FAINT };
	const struct style chosen = { .ground = GROUND_TITLE, .bold = true };
	grid_put(g, row, LABEL_COLUMN, -1, plain, f->label);
	grid_printf(g, row, OPTION_COLUMN, is_it ? chosen : plain, " %s %s %s ",
		    is_it ? "←" : " ", f->option[f->chosen], is_it ? "→" : " ");
	if (is_it && f->hint)
		grid_put(g, row, HINT_COLUMN, -1, faint, f->hint);
}

void form_page_put(struct grid *g, const struct page *page,
		   const struct form *f)
{
	int row = 3;
	if (!page_put(g, page, page_body_rows(g)))
		return;
	for (int i = 0; i < f->fields; i++) {
		if (f->field[i].options == 0)
			continue;
		put_field(g, row, &f->field[i], i == f->at);
		row += 2;
	}
}
