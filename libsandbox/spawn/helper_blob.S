/* SPDX-License-Identifier: Apache-2.0 */
/* The helper program, carried in the library as read-only data. */
	.section .rodata
	.balign 16
	.globl sbxi_helper_begin
	.hidden sbxi_helper_begin
	.type sbxi_helper_begin, %object
sbxi_helper_begin:
	.incbin SBX_HELPER_FILE
	.globl sbxi_helper_end
	.hidden sbxi_helper_end
	.type sbxi_helper_end, %object
sbxi_helper_end:
	.byte 0
	.section .note.GNU-stack, "", %progbits
