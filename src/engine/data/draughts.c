/* SPDX-License-Identifier: MIT
 * The files of data/, laid into the program as they are. */
#include "engine/draughts_data_priv.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the weights are little-endian"
#endif

/* DATA(name, file): the bytes of data/FILE from name to name_end. */
#define DATA(name, file)                                                       \
	__asm__(".section .rodata\n"                                           \
		".balign 64\n" #name ":\n"                                     \
		".incbin \"" PLYD_ENGINE_DATA "/" file "\"\n" #name "_end:\n"  \
		".previous\n");                                                \
	extern const uint8_t name[], name##_end[]

DATA(plyd_english_weights, "english.weights");
DATA(plyd_turkish_weights, "turkish.weights");
DATA(plyd_english_endings, "english.endings");
DATA(plyd_turkish_endings, "turkish.endings");

static struct span between(const uint8_t *from, const uint8_t *to)
{
	return (struct span){ from, (size_t)(to - from) };
}

struct span data_english_weights(void)
{
	return between(plyd_english_weights, plyd_english_weights_end);
}

struct span data_turkish_weights(void)
{
	return between(plyd_turkish_weights, plyd_turkish_weights_end);
}

struct span data_english_endings(void)
{
	return between(plyd_english_endings, plyd_english_endings_end);
}

struct span data_turkish_endings(void)
{
	return between(plyd_turkish_endings, plyd_turkish_endings_end);
}
