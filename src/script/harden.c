/* SPDX-License-Identifier: MIT */
#include "script/harden.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>
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
 * than a kilobyte. clock_gettime: a call only where the vDSO has no clock. */
static const int allowed_calls[] = {
	SCMP_SYS(brk),          SCMP_SYS(munmap),
	SCMP_SYS(mremap),       SCMP_SYS(madvise),
	SCMP_SYS(exit),         SCMP_SYS(exit_group),
	SCMP_SYS(rt_sigreturn), SCMP_SYS(restart_syscall),
	SCMP_SYS(sysinfo),      SCMP_SYS(clock_gettime),
};

/* Adds a call that is allowed only with the arguments that cmp says. */
static int allow_if(scmp_filter_ctx filter, int call, unsigned count,
		    const struct scmp_arg_cmp *cmp)
{
	return seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call, count, cmp);
}

/* Memory that can be neither run nor shared, and the one socket. */
static int allow(scmp_filter_ctx filter, int fd)
{
	const struct scmp_arg_cmp link = { .arg = 0,
					   .op = SCMP_CMP_EQ,
					   .datum_a = (scmp_datum_t)fd };
	const struct scmp_arg_cmp memory[] = {
		{ .arg = 2, .op = SCMP_CMP_MASKED_EQ, .datum_a = PROT_EXEC },
		{ .arg = 3,
		  .op = SCMP_CMP_EQ,
		  .datum_a = MAP_PRIVATE | MAP_ANONYMOUS },
	};
	int err = 0;
	for (size_t i = 0; i < sizeof(allowed_calls) / sizeof(int); i++)
		err |= allow_if(filter, allowed_calls[i], 0, NULL);
	err |= allow_if(filter, SCMP_SYS(mmap), 2, memory);
	err |= allow_if(filter, SCMP_SYS(read), 1, &link);
	err |= allow_if(filter, SCMP_SYS(write), 1, &link);
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
