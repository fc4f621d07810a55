/* SPDX-License-Identifier: MIT
 * Files that the assembler lays into the program as they are. */
#include "engine/backgammon_net.h"
#include "engine/backgammon_tables.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the files are little-endian"
#endif

#define LAY(symbol, file)                                                      \
	__asm__(".section .rodata\n"                                           \
		".balign 64\n"                                                 \
		".globl " #symbol "\n"                                         \
		".type " #symbol ", %object\n" #symbol ":\n"                   \
		".incbin \"" file "\"\n"                                       \
		".size " #symbol ", . - " #symbol "\n"                         \
		".previous\n")

LAY(plyd_backgammon_tables, PLYD_BACKGAMMON_TABLES);
LAY(plyd_backgammon_nets, PLYD_BACKGAMMON_NETS);
