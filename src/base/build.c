/* SPDX-License-Identifier: MIT */
#include "base/build.h"

void build_print_version(FILE *out, const char *program)
{
	static const char commit[] = PLYD_COMMIT;
	fprintf(out, "%s %s%s%s%s\n", program, PLYD_VERSION,
		commit[0] ? " (" : "", commit, commit[0] ? ")" : "");
}
