/* SPDX-License-Identifier: MIT */
#include "ply/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <wchar.h>

#include <histedit.h>

#include <plyd/err.h>
#include "base/buf.h"

enum { WAITING_BYTES_MAX = 1024 * 1024, HISTORY_LINES = 200 };

struct terminal {
	struct net *net;
	struct terminal_options options;
	pthread_t thread;
	int wake[2]; /* a pipe: the loop wakes the thread */
	EditLine *edit;
	History *history;
	/* of the thread */
	char line[TERMINAL_LINE_MAX];
	size_t len;
	char shown_prompt[TERMINAL_PROMPT_MAX];

	pthread_mutex_t lock; /* of all below */
	struct buf text;      /* to be printed */
	struct buf lines;     /* read, each ended by '\n' */
	char prompt[TERMINAL_PROMPT_MAX];
	bool ended;    /* no more lines */
	bool told_end; /* on_end was called */
	bool closing;
};

static bool can(int fd)
{
	const char *term = getenv("TERM");
	return isatty(fd) && term && *term && strcmp(term, "dumb") != 0;
}

bool terminal_has_colour(void)
{
	const char *no = getenv("NO_COLOR"); /* https://no-color.org */
	return can(STDOUT_FILENO) && (!no || !*no);
}

/* -- the loop's side -- */

static void wake_thread(struct terminal *t)
{
	ssize_t n = write(t->wake[1], "", 1);
	(void)n; /* full: it is awake */
}

void terminal_print(struct terminal *t, struct span text)
{
	pthread_mutex_lock(&t->lock);
	buf_put(&t->text, text.at, text.len);
	pthread_mutex_unlock(&t->lock);
	wake_thread(t);
}

void terminal_prompt(struct terminal *t, const char *prompt)
{
	pthread_mutex_lock(&t->lock);
	snprintf(t->prompt, sizeof(t->prompt), "%s", prompt);
	pthread_mutex_unlock(&t->lock);
	wake_thread(t);
}

/* Takes one line out of what was read; false: there is none. */
static bool take_line(struct terminal *t, char line[TERMINAL_LINE_MAX])
{
	pthread_mutex_lock(&t->lock);
	const uint8_t *end =
		t->lines.len ? memchr(t->lines.at, '\n', t->lines.len) : NULL;
	if (end) {
		size_t len = (size_t)(end - t->lines.at);
		span_copy(span_of(t->lines.at, len), line, TERMINAL_LINE_MAX);
		buf_drop(&t->lines, len + 1);
	}
	pthread_mutex_unlock(&t->lock);
	return end != NULL;
}

static void on_wake(void *payload)
{
	struct terminal *t = payload;
	char line[TERMINAL_LINE_MAX];
	while (take_line(t, line))
		t->options.on_line(t->options.payload, line);
	pthread_mutex_lock(&t->lock);
	bool tell = t->ended && !t->told_end;
	t->told_end = t->told_end || tell;
	pthread_mutex_unlock(&t->lock);
	if (tell)
		t->options.on_end(t->options.payload);
}

/* -- the thread's side -- */

static void write_all(const uint8_t *at, size_t len)
{
	while (len > 0) {
		ssize_t n = write(STDOUT_FILENO, at, len);
		if (n < 0 && errno != EINTR)
			return; /* nobody looks any more */
		if (n > 0) {
			at += n;
			len -= (size_t)n;
		}
	}
}

/* Prints what waits, above the line that is being typed. Returns whether the
 * line must be shown again. The lock is not held meanwhile: a terminal that
 * stands still must not stop the loop. */
static bool print_waiting(struct terminal *t, const char *before)
{
	struct buf text;
	pthread_mutex_lock(&t->lock);
	bool changed = strcmp(t->prompt, t->shown_prompt) != 0;
	memcpy(t->shown_prompt, t->prompt, sizeof(t->prompt));
	text = t->text;
	buf_init(&t->text, WAITING_BYTES_MAX);
	pthread_mutex_unlock(&t->lock);
	bool any = text.len > 0 || changed;
	if (any)
		write_all((const uint8_t *)before, strlen(before));
	write_all(text.at, text.len);
	buf_release(&text);
	return any;
}

static bool is_closing(struct terminal *t)
{
	pthread_mutex_lock(&t->lock);
	bool closing = t->closing;
	pthread_mutex_unlock(&t->lock);
	return closing;
}

static void give_line(struct terminal *t)
{
	pthread_mutex_lock(&t->lock);
	/* nobody types so much ahead; a file might */
	if (t->lines.len + t->len < WAITING_BYTES_MAX) {
		buf_put(&t->lines, t->line, t->len);
		buf_put_byte(&t->lines, '\n');
	}
	pthread_mutex_unlock(&t->lock);
	t->len = 0;
	net_wake(t->net);
}

static void add_to_line(struct terminal *t, char byte)
{
	if (byte == '\n')
		give_line(t);
	else if (byte != '\0' && t->len < sizeof(t->line) - 1)
		t->line[t->len++] = byte;
}

/* Waits for the person or the loop. 1: a byte was read; 0: end of input, or
 * closing; -1: the loop has something to print. */
static int wait_byte(struct terminal *t, char *byte)
{
	struct pollfd fds[] = { { .fd = STDIN_FILENO, .events = POLLIN },
				{ .fd = t->wake[0], .events = POLLIN } };
	char drained[64];
	for (;;) {
		if (poll(fds, 2, -1) < 0)
			continue; /* a signal */
		if (fds[1].revents) {
			ssize_t n = read(t->wake[0], drained, sizeof(drained));
			(void)n;
			return is_closing(t) ? 0 : -1;
		}
		ssize_t n = read(STDIN_FILENO, byte, 1);
		if (n >= 0)
			return (int)n;
		if (errno != EINTR && errno != EAGAIN)
			return 0;
	}
}

/* -- with libedit -- */

static char *edit_prompt(EditLine *edit)
{
	struct terminal *t;
	el_get(edit, EL_CLIENTDATA, &t);
	return t->shown_prompt;
}

/* One character for libedit; between them, text is printed. */
static int edit_getc(EditLine *edit, wchar_t *out)
{
	struct terminal *t;
	mbstate_t state = { 0 };
	el_get(edit, EL_CLIENTDATA, &t);
	for (;;) {
		char byte;
		int got = wait_byte(t, &byte);
		if (got < 0) {
			if (print_waiting(t, "\r\033[J"))
				el_set(edit, EL_REFRESH);
			continue;
		}
		if (got == 0)
			return 0;
		size_t n = mbrtowc(out, &byte, 1, &state);
		if (n == (size_t)-1)
			memset(&state, 0, sizeof(state)); /* not UTF-8 */
		else if (n != (size_t)-2)
			return 1;
	}
}

static void edit_lines(struct terminal *t)
{
	HistEvent event;
	int len;
	const char *line;
	print_waiting(t, "");
	while ((line = el_gets(t->edit, &len)) && len > 0) {
		history(t->history, &event, H_ENTER, line);
		for (int i = 0; i < len; i++)
			add_to_line(t, line[i]);
		el_resize(t->edit);
		print_waiting(t, "");
	}
}

static bool edit_open(struct terminal *t)
{
	HistEvent event;
	t->history = history_init();
	t->edit = el_init("ply", stdin, stdout, stderr);
	if (!t->edit || !t->history)
		return false;
	history(t->history, &event, H_SETSIZE, HISTORY_LINES);
	el_set(t->edit, EL_CLIENTDATA, t);
	el_set(t->edit, EL_PROMPT, edit_prompt);
	el_set(t->edit, EL_EDITOR, "emacs");
	el_set(t->edit, EL_HIST, history, t->history);
	el_set(t->edit, EL_GETCFN, edit_getc);
	return true;
}

/* -- without -- */

static void plain_lines(struct terminal *t)
{
	char byte;
	int got;
	bool prompts = isatty(STDIN_FILENO);
	while ((got = wait_byte(t, &byte)) != 0) {
		if (got > 0)
			add_to_line(t, byte);
		bool shown = got < 0 && print_waiting(t, prompts ? "\n" : "");
		if (prompts && (shown || (got > 0 && byte == '\n')))
			write_all((const uint8_t *)t->shown_prompt,
				  strlen(t->shown_prompt));
	}
	if (t->len > 0)
		give_line(t);
}

static void *run(void *payload)
{
	struct terminal *t = payload;
	if (t->edit)
		edit_lines(t);
	else
		plain_lines(t);
	pthread_mutex_lock(&t->lock);
	t->ended = true;
	pthread_mutex_unlock(&t->lock);
	net_wake(t->net);
	/* the end of the input is not the end of what there is to say */
	while (!is_closing(t)) {
		struct pollfd fd = { .fd = t->wake[0], .events = POLLIN };
		char drained[64];
		poll(&fd, 1, -1);
		ssize_t n = read(t->wake[0], drained, sizeof(drained));
		(void)n;
		print_waiting(t, "");
	}
	print_waiting(t, t->edit ? "\r\033[J" : "");
	return NULL;
}

/* -- life -- */

static int start(struct terminal *t)
{
	sigset_t all, before;
	if (pipe2(t->wake, O_CLOEXEC | O_NONBLOCK))
		return PLYD_EIO;
	sigfillset(&all);
	/* signals are the loop's */
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int failed = pthread_create(&t->thread, NULL, run, t);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (failed) {
		close(t->wake[0]);
		close(t->wake[1]);
		return PLYD_ENOMEM;
	}
	return PLYD_OK;
}

static void release(struct terminal *t)
{
	if (t->edit)
		el_end(t->edit);
	if (t->history)
		history_end(t->history);
	pthread_mutex_destroy(&t->lock);
	buf_release(&t->text);
	buf_release(&t->lines);
	free(t);
}

int terminal_open(struct terminal **out, struct net *n,
		  const struct terminal_options *options)
{
	struct terminal *t = calloc(1, sizeof(*t));
	*out = NULL;
	if (!t)
		return PLYD_ENOMEM;
	t->net = n;
	t->options = *options;
	pthread_mutex_init(&t->lock, NULL);
	buf_init(&t->text, WAITING_BYTES_MAX);
	buf_init(&t->lines, WAITING_BYTES_MAX);
	setlocale(LC_CTYPE, "C.UTF-8");
	int err = PLYD_OK;
	if (can(STDIN_FILENO) && can(STDOUT_FILENO) && !edit_open(t))
		err = PLYD_ENOMEM;
	if (!err) {
		net_on_wake(n, on_wake, t);
		err = start(t);
	}
	if (err) {
		net_on_wake(n, NULL, NULL);
		release(t);
		return err;
	}
	*out = t;
	return PLYD_OK;
}

void terminal_close(struct terminal *t)
{
	if (!t)
		return;
	pthread_mutex_lock(&t->lock);
	t->closing = true;
	pthread_mutex_unlock(&t->lock);
	wake_thread(t);
	pthread_join(t->thread, NULL);
	net_on_wake(t->net, NULL, NULL);
	close(t->wake[0]);
	close(t->wake[1]);
	release(t);
}
