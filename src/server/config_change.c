/* SPDX-License-Identifier: MIT */
#include "server/config_priv.h"

static bool is_reloaded(size_t i)
{
	static const bool reloaded[CONFIG_SETTING_COUNT] = {
#define R(section, name) [SETTING_##section##_##name] = true,
		CONFIG_RELOADED(R)
#undef R
	};
	return reloaded[i];
}

static bool differs(const struct config *a, const struct config *b,
		    const struct setting *s)
{
	return s->is_text ? strcmp(config_text(a, s), config_text(b, s)) != 0
			  : config_number(a, s) != config_number(b, s);
}

static void value_text(const struct config *c, const struct setting *s,
		       char *out, size_t size)
{
	if (s->is_text)
		snprintf(out, size, "\"%.100s\"", config_text(c, s));
	else
		snprintf(out, size, "%lld", (long long)config_number(c, s));
}

static void take(struct config *c, const struct config *fresh, size_t i)
{
	const struct setting *s = &config_settings[i];
	size_t size = s->is_text ? CONFIG_TEXT_MAX : sizeof(int64_t);
	memcpy((char *)c + s->at, (const char *)fresh + s->at, size);
	c->from[i] = fresh->from[i];
	c->line[i] = fresh->line[i];
}

size_t config_change(struct config *c, const struct config *fresh,
		     struct config_change out[CONFIG_SETTING_COUNT])
{
	size_t count = 0;
	for (size_t i = 0; i < CONFIG_SETTING_COUNT; i++) {
		const struct setting *s = &config_settings[i];
		char was[128], is[128];
		/* the command line goes before the file, and is not asked */
		if (c->from[i] == FROM_OPTION || !differs(c, fresh, s))
			continue;
		struct config_change *change = &out[count++];
		value_text(c, s, was, sizeof(was));
		value_text(fresh, s, is, sizeof(is));
		change->taken = is_reloaded(i);
		snprintf(change->text, sizeof(change->text),
			 change->taken ? "%s.%s is %s, was %s"
				       : "%s.%s is %s in the file, and stays "
					 "%s until plyd is started again",
			 s->section, s->name, is, was);
		if (change->taken)
			take(c, fresh, i);
	}
	return count;
}
