/* SPDX-License-Identifier: MIT */
#define NCURSES_WIDECHAR 1
#include "screen/tty.h"

#include <curses.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

enum { ESCAPE_MS = 25, RESTORE_BYTES_MAX = 256, COLOURS_MANY = 256 };

static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
enum { CRASHES = sizeof(crashes) / sizeof(crashes[0]) };

static struct {
	SCREEN *screen; /* NULL: the terminal is not ours */
	bool utf8;
	bool colour;
	struct termios before;
	struct sigaction handler[CRASHES]; /* before ours */
	/* what leaves the screen, for a signal handler */
	char restore[RESTORE_BYTES_MAX];
	size_t restore_len;
} tty;

bool tty_can(void)
{
	const char *term = getenv("TERM");
	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && term && *term &&
	       strcmp(term, "dumb") != 0;
}

/* -- crashes -- */

/* Only what a signal handler may do. The signal then meets who had it before:
 * the core is written, or a sanitizer speaks, on a terminal that can be read. */
static void on_crash(int number)
{
	ssize_t n = write(STDOUT_FILENO, tty.restore, tty.restore_len);
	(void)n;
	tcsetattr(STDIN_FILENO, TCSANOW, &tty.before);
	for (int i = 0; i < CRASHES; i++)
		sigaction(crashes[i], &tty.handler[i], NULL);
	raise(number);
}

static void add_restore(const char *capability)
{
	const char *text = tigetstr(capability);
	if (!text || text == (const char *)-1)
		return;
	size_t len = strlen(text);
	if (tty.restore_len + len > sizeof(tty.restore))
		return;
	memcpy(tty.restore + tty.restore_len, text, len);
	tty.restore_len += len;
}

static void catch_crashes(void)
{
	struct sigaction action = { .sa_handler = on_crash };
	sigemptyset(&action.sa_mask);
	tty.restore_len = 0;
	add_restore("sgr0");
	add_restore("rmcup");
	add_restore("cnorm");
	add_restore("rmkx");
	for (int i = 0; i < CRASHES; i++)
		sigaction(crashes[i], &action, &tty.handler[i]);
}

static void release_crashes(void)
{
	for (int i = 0; i < CRASHES; i++)
		sigaction(crashes[i], &tty.handler[i], NULL);
}

/* -- life -- */

static void begin_colour(void)
{
	const char *no = getenv("NO_COLOR"); /* https://no-color.org */
	tty.colour = false;
	if ((no && *no) || !has_colors() || start_color() == ERR)
		return;
	use_default_colors();
	tty.colour = COLORS >= 8;
}

bool tty_open(void)
{
	setlocale(LC_CTYPE, "");
	tty.utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	if (tcgetattr(STDIN_FILENO, &tty.before))
		return false;
	tty.screen = newterm(NULL, stdout, stdin);
	if (!tty.screen)
		return false;
	begin_colour();
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(ESCAPE_MS);
	leaveok(stdscr, FALSE);
	catch_crashes();
	return true;
}

void tty_close(void)
{
	if (!tty.screen)
		return;
	release_crashes();
	endwin();
	delscreen(tty.screen);
	tty.screen = NULL;
}

/* -- showing -- */

static int ink_colour(enum ink ink)
{
	static const struct {
		short many, few;
	} colours[INK_COUNT] = {
		[INK_TEXT] = { -1, -1 },
		[INK_FAINT] = { 245, -1 },
		[INK_GOOD] = { 78, COLOR_GREEN },
		[INK_BAD] = { 203, COLOR_RED },
		[INK_NAME] = { 75, COLOR_CYAN },
		[INK_WHITE] = { 231, COLOR_WHITE },
		[INK_BLACK] = { 16, COLOR_BLACK },
	};
	return COLORS >= COLOURS_MANY ? colours[ink].many : colours[ink].few;
}

static int ground_colour(enum ground ground)
{
	static const struct {
		short many, few;
	} colours[GROUND_COUNT] = {
		[GROUND_NONE] = { -1, -1 },
		[GROUND_TITLE] = { 24, COLOR_BLUE },
		[GROUND_DARK] = { 65, COLOR_GREEN },
		[GROUND_STRIPE] = { 71, COLOR_CYAN },
		[GROUND_LIGHT] = { 187, COLOR_WHITE },
		[GROUND_BAR] = { 94, COLOR_RED },
		[GROUND_LAST] = { 136, COLOR_YELLOW },
		[GROUND_CHOSEN] = { 172, COLOR_MAGENTA },
		[GROUND_TARGET] = { 29, COLOR_BLUE },
		[GROUND_CURSOR] = { 31, COLOR_BLUE },
	};
	return COLORS >= COLOURS_MANY ? colours[ground].many
				      : colours[ground].few;
}

/* On a ground of ours faint signs and those of the terminal's own colour would
 * be lost. */
static int ink_on(const struct style *s)
{
	if (s->ground == GROUND_NONE)
		return ink_colour((enum ink)s->ink);
	if (s->ink == INK_FAINT && s->ground != GROUND_TITLE)
		return COLORS >= COLOURS_MANY ? 150 : COLOR_BLACK;
	return s->ink == INK_TEXT || s->ink == INK_FAINT
		       ? ink_colour(INK_WHITE)
		       : ink_colour((enum ink)s->ink);
}

static void wear(const struct style *s)
{
	/* a bold black is grey in many terminals */
	bool bold = s->bold && !(tty.colour && s->ink == INK_BLACK);
	attr_t attributes = bold ? A_BOLD : A_NORMAL;
	int pair = 0;
	if (tty.colour)
		pair = alloc_pair(ink_on(s),
				  ground_colour((enum ground)s->ground));
	else if (s->ground == GROUND_TITLE || s->ground == GROUND_CURSOR)
		attributes |= A_REVERSE;
	attr_set(attributes, (short)(pair > 0 ? pair : 0), &pair);
}

/* What the grid and the C library take for differently wide would push the rest
 * of a row aside. */
static void put_cell(int row, int column, const struct cell *c)
{
	wchar_t sign[2] = { (wchar_t)c->sign, L'\0' };
	if (wcwidth(sign[0]) != sign_width(c->sign))
		sign[0] = L'?';
	wear(&c->style);
	mvaddnwstr(row, column, sign, 1);
}

void tty_begin(struct grid *g)
{
	g->utf8 = tty.utf8;
	g->colour = tty.colour;
	grid_clear(g, LINES, COLS);
}

void tty_show(const struct grid *g)
{
	if (!tty.screen)
		return;
	erase();
	for (int r = 0; r < g->rows; r++)
		for (int c = 0; c < g->columns; c++)
			if (g->cell[r][c].sign != 0)
				put_cell(r, c, &g->cell[r][c]);
	curs_set(g->cursor_row >= 0);
	if (g->cursor_row >= 0)
		move(g->cursor_row, g->cursor_column);
	refresh();
}

/* -- keys -- */

static enum press special(wint_t code)
{
	static const struct {
		wint_t code;
		enum press press;
	} all[] = {
		{ KEY_UP, PRESS_UP },
		{ KEY_DOWN, PRESS_DOWN },
		{ KEY_LEFT, PRESS_LEFT },
		{ KEY_RIGHT, PRESS_RIGHT },
		{ KEY_HOME, PRESS_HOME },
		{ KEY_END, PRESS_END },
		{ KEY_PPAGE, PRESS_PAGE_UP },
		{ KEY_NPAGE, PRESS_PAGE_DOWN },
		{ KEY_ENTER, PRESS_ENTER },
		{ KEY_BTAB, PRESS_BACK_TAB },
		{ KEY_DC, PRESS_DELETE },
		{ KEY_BACKSPACE, PRESS_BACKSPACE },
	};
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i].code == code)
			return all[i].press;
	return PRESS_OTHER;
}

static enum press control(wint_t sign)
{
	switch (sign) {
	case '\r':
	case '\n': return PRESS_ENTER;
	case '\t': return PRESS_TAB;
	case 0x1b: return PRESS_ESCAPE;
	case 0x08:
	case 0x7f: return PRESS_BACKSPACE;
	case 0x0c: return PRESS_REDRAW;
	case 0x15: return PRESS_CLEAR_LINE;
	case 0x01: return PRESS_HOME;
	case 0x05: return PRESS_END;
	default: return PRESS_OTHER;
	}
}

bool tty_key(struct key *out)
{
	wint_t code;
	int got = tty.screen ? get_wch(&code) : ERR;
	*out = (struct key){ .kind = PRESS_OTHER };
	if (got == ERR)
		return false;
	if (got == KEY_CODE_YES) {
		out->kind = special(code);
	} else if (code < ' ' || code == 0x7f) {
		out->kind = control(code);
	} else {
		out->kind = PRESS_SIGN;
		out->sign = (uint32_t)code;
	}
	return true;
}

bool tty_is_gone(void)
{
	int waiting = 0;
	return ioctl(STDIN_FILENO, FIONREAD, &waiting) != 0 || waiting == 0;
}

/* -- the size, and being stopped -- */

void tty_resized(void)
{
	struct winsize size;
	if (tty.screen && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) &&
	    size.ws_row > 0 && size.ws_col > 0)
		resizeterm(size.ws_row, size.ws_col);
	tty_redraw();
}

void tty_redraw(void)
{
	if (tty.screen)
		clearok(stdscr, TRUE);
}

void tty_stop(void)
{
	if (!tty.screen)
		return;
	def_prog_mode();
	endwin();
	raise(SIGSTOP);
	reset_prog_mode();
	tty_resized();
}
