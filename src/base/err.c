/* SPDX-License-Identifier: MIT */
#include <plyd/err.h>

const char *plyd_err_name(int err)
{
	switch (err) {
	case PLYD_OK: return "ok";
#define X(code, value, name, doc)                                              \
	case code: return name;
		PLYD_ERRORS(X)
#undef X
	default: return "unknown";
	}
}

const char *plyd_err_text(int err)
{
	switch (err) {
	case PLYD_OK: return "No error.";
#define X(code, value, name, doc)                                              \
	case code: return doc;
		PLYD_ERRORS(X)
#undef X
	default: return "An error that this version does not know.";
	}
}
