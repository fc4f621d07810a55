/* SPDX-License-Identifier: MIT
 * key.h - a key that was pressed. */
#ifndef PLYD_SCREEN_KEY_H
#define PLYD_SCREEN_KEY_H

#include <stdint.h>

enum press {
	PRESS_SIGN, /* `sign` was typed */
	PRESS_UP,
	PRESS_DOWN,
	PRESS_LEFT,
	PRESS_RIGHT,
	PRESS_HOME,
	PRESS_END,
	PRESS_PAGE_UP,
	PRESS_PAGE_DOWN,
	PRESS_ENTER,
	PRESS_ESCAPE,
	PRESS_TAB,
	PRESS_BACK_TAB,
	PRESS_BACKSPACE,
	PRESS_DELETE,
	PRESS_CLEAR_LINE, /* Ctrl-U */
	PRESS_REDRAW,     /* Ctrl-L */
	PRESS_OTHER
};

struct key {
	enum press kind;
	uint32_t sign; /* a code point, of PRESS_SIGN */
};

#endif
