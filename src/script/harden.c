/* SPDX-License-Identifier: MIT */
#include "script/harden.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#if !PLYD_SANITIZED
#include <seccomp.h>
#endif

int harden_begin(int fd, int nice)
{
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) ||
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
#if !PLYD_SANITIZED
	/* a leak sanitizer traces its own process at the end */
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0))
		return -1;
#endif
	if (close_range((unsigned)fd + 1, ~0u, 0))
		return -1;
	return nice ? setpriority(PRIO_PROCESS, 0, nice) : 0;
}

static int limit(__rlimit_resource_t what, rlim_t value)
{
	struct rlimit r = { value, value };
	return setrlimit(what, &r);
}

#if !PLYD_SANITIZED
/* Bytes of address space in use; 0: unknown. */
static rlim_t mapped_bytes(void)
{
	unsigned long pages = 0;
	FILE *f = fopen("/proc/self/statm", "re");
	if (!f)
		return 0;
	if (fscanf(f, "%lu", &pages) != 1)
		pages = 0;
	fclose(f);
	return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

/* sysinfo: glibc's qsort() asks how much memory there is, once it sorts more
 * than a kilobyte. */
static const int allowed_calls[] = {
	SCMP_SYS(brk),          SCMP_SYS(munmap),
	SCMP_SYS(mremap),       SCMP_SYS(madvise),
	SCMP_SYS(exit),         SCMP_SYS(exit_group),
	SCMP_SYS(rt_sigreturn), SCMP_SYS(restart_syscall),
	SCMP_SYS(sysinfo),
};

/* Memory that can be neither run nor shared, and the one socket. */
static int allow(scmp_filter_ctx filter, int fd)
{
	const unsigned exec = 4; /* PROT_EXEC */
	int err = 0;
	for (size_t i = 0; i < sizeof(allowed_calls) / sizeof(int); i++)
		err |= seccomp_rule_add(filter, SCMP_ACT_ALLOW,
					allowed_calls[i], 0);
	err |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 2,
				SCMP_A2(SCMP_CMP_MASKED_EQ, exec, 0),
				SCMP_A4(SCMP_CMP_EQ, (scmp_datum_t)0xffffffff));
	err |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(read), 1,
				SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)fd));
	err |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(write), 1,
				SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)fd));
	return err;
}

static int filter_calls(int fd)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
	if (!filter) {
		errno = ENOMEM;
		return -1;
	}
	int err = allow(filter, fd);
	if (!err)
		err = seccomp_load(filter);
	seccomp_release(filter);
	if (err) {
		errno = EPERM;
		return -1;
	}
	return 0;
}
#endif

int harden_finish(int fd)
{
#if PLYD_SANITIZED
	(void)fd;
	return limit(RLIMIT_CORE, 0);
#else
	rlim_t mapped = mapped_bytes();
	if (mapped == 0) {
		errno = ENOSYS;
		return -1;
	}
	if (limit(RLIMIT_AS, mapped + HARDEN_MEMORY_BYTES) ||
	    limit(RLIMIT_FSIZE, 0) || limit(RLIMIT_CORE, 0) ||
	    limit(RLIMIT_NOFILE, (rlim_t)fd + 1))
		return -1;
	return filter_calls(fd);
#endif
}
