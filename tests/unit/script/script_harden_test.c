/* SPDX-License-Identifier: MIT
 * What harden.h takes away is tried in children: each is killed for it. */
#include "script/harden.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

enum { LINK = 3, REACHED = 42 };

static void do_nothing(void)
{
}
/* volatile: a compiler may otherwise leave malloc() out */
static void *volatile block;

static void do_memory(void)
{
	block = malloc(20 * 1024 * 1024);
	if (!block)
		_exit(1);
	block = realloc(block, 40 * 1024 * 1024);
	if (!block)
		_exit(1);
	free(block);
}
static void do_link(void)
{
	char c = 'x';
	if (write(LINK, &c, 1) != 1)
		_exit(1);
}
static void do_greed(void)
{
	block = malloc(100 * 1024 * 1024);
	if (block)
		_exit(1);
}
static void do_open(void)
{
	open("/etc/passwd", O_RDONLY);
}
static void do_stderr(void)
{
	char c = 'x';
	if (write(STDERR_FILENO, &c, 1)) {
	}
}
static void do_stdin(void)
{
	char c;
	if (read(STDIN_FILENO, &c, 1)) {
	}
}
static void do_socket(void)
{
	socket(AF_INET, SOCK_STREAM, 0);
}
static void do_fork(void)
{
	syscall(SYS_fork);
}
static void do_kill(void)
{
	kill(getppid(), 0);
}
static void do_exec_memory(void)
{
	mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
	     0);
}
static void do_map_link(void)
{
	mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, LINK, 0);
}
static void do_protect(void)
{
	mprotect((void *)((uintptr_t)do_protect & ~(uintptr_t)4095), 4096,
		 PROT_READ | PROT_WRITE | PROT_EXEC);
}

static struct deed {
	const char *name;
	void (*run)(void);
	int signal; /* 0: allowed */
} deeds[] = {
	{ "nothing", do_nothing, 0 },
	{ "memory within the limit", do_memory, 0 },
	{ "writing to the link", do_link, 0 },
	{ "memory over the limit is refused", do_greed, 0 },
	{ "opening a file", do_open, SIGSYS },
	{ "writing to standard error", do_stderr, SIGSYS },
	{ "reading standard input", do_stdin, SIGSYS },
	{ "a socket", do_socket, SIGSYS },
	{ "a process", do_fork, SIGSYS },
	{ "a signal", do_kill, SIGSYS },
	{ "memory that can be run", do_exec_memory, SIGSYS },
	{ "mapping a descriptor", do_map_link, SIGSYS },
	{ "making memory runnable", do_protect, SIGSYS },
};

static void child(const struct deed *deed)
{
	int pair[2];
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) ||
	    dup2(pair[0], LINK) != LINK || dup2(pair[1], LINK + 1) < 0)
		_exit(1);
	/* the far end stays open as LINK + 1, which harden_begin() spares here
	 * so that writing to the link can work */
	if (harden_begin(LINK + 1, 5) || harden_finish(LINK))
		_exit(2);
	deed->run();
	_exit(REACHED);
}

static void deed_ends(void **state)
{
	const struct deed *deed = *state;
	int status;
	if (PLYD_SANITIZED) {
		puts("skipped: sanitizers need what the worker gives up");
		skip();
	}
	fflush(stdout);
	pid_t pid = fork();
	if (pid == 0)
		child(deed);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (deed->signal) {
		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), deed->signal);
	} else {
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), REACHED);
	}
}

int main(void)
{
	return RUN_TABLE("harden", deeds, deed_ends);
}
