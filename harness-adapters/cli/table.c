/* SPDX-License-Identifier: Apache-2.0 */
/* table: a report as columns for people. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"
#include "text.h"

#define N_COLUMNS 6

enum column {
	NAME,
	WANTED,
	STATE,
	VERIFIED,
	BY,
	NOTE
};

struct printer {
	FILE *out;
	bool colour;
	bool shown[N_COLUMNS];
	int width[N_COLUMNS];
};

static const char *name_at(const char *const *names, size_t n, uint32_t i)
{
	return i < n ? names[i] : "?";
}

#define NAME_AT(names, i) name_at(names, sizeof(names) / sizeof(names[0]), i)

const char *cli_state_name(uint32_t state)
{
	static const char *const names[] = {
		[SBX_STATE_OFF] = "off",
		[SBX_STATE_ABSENT] = "absent",
		[SBX_STATE_PARTIAL] = "partial",
		[SBX_STATE_ENFORCED] = "enforced",
	};

	return NAME_AT(names, state);
}

const char *cli_tier_name(uint32_t tier)
{
	static const char *const names[] = {
		[SBX_TIER_NONE] = "none",
		[SBX_TIER_B] = "B",
		[SBX_TIER_A] = "A",
	};

	return NAME_AT(names, tier);
}

static const char *verified_name(uint32_t verified)
{
	static const char *const names[] = {
		[SBX_VERIFIED_ASSUMED] = "assumed",
		[SBX_VERIFIED_READBACK] = "readback",
		[SBX_VERIFIED_CANARY] = "canary",
	};

	return NAME_AT(names, verified);
}

static const char *level_name(uint32_t level)
{
	static const char *const names[] = {
		[SBX_OFF] = "off",
		[SBX_PREFER] = "prefer",
		[SBX_REQUIRE] = "require",
	};

	return NAME_AT(names, level);
}

static const char *colour_of(uint32_t state)
{
	static const char *const codes[] = {
		[SBX_STATE_OFF] = "\033[2m",
		[SBX_STATE_ABSENT] = "\033[31m",
		[SBX_STATE_PARTIAL] = "\033[33m",
		[SBX_STATE_ENFORCED] = "\033[32m",
	};

	return state < sizeof(codes) / sizeof(codes[0]) ? codes[state] : "";
}

/* What is open, why, and what to do; malloc'd. */
static char *note_of(const struct sbx_report_row *row)
{
	const char *object = row->object ? row->object : "";
	const char *remedy = sbx_remedy_text(row->remedy);
	const char *err = row->sys_errno > 0 ? cli_errno_name(row->sys_errno) :
					       "";
	char *note = NULL, *escaped;

	if (asprintf(&note, "%s%s%s%s%s", object,
		     *object && *err ? ": " : "", err,
		     *remedy && (*object || *err) ? " - " : "", remedy) < 0)
		return NULL;
	escaped = cli_text_escaped(note);
	free(note);
	return escaped;
}

/* The cells of a row; the note has to be freed. */
static int cells_of(const struct sbx_report_row *row, const char **cell,
		    char **ret_note)
{
	bool is_off = row->state == SBX_STATE_OFF;

	*ret_note = note_of(row);
	if (!*ret_note)
		return -ENOMEM;
	cell[NAME] = row->name ? row->name : "?";
	cell[WANTED] = level_name(row->level);
	cell[STATE] = cli_state_name(row->state);
	cell[VERIFIED] = is_off ? "" : verified_name(row->verified);
	cell[BY] = row->mechanisms ? row->mechanisms : "";
	cell[NOTE] = *ret_note;
	return 0;
}

static void widen(struct printer *p, const char *const *cell)
{
	int i, n;

	for (i = 0; i < N_COLUMNS; i++) {
		n = (int)strlen(cell[i]);
		if (n > p->width[i])
			p->width[i] = n;
	}
}

static void print_cells(const struct printer *p, const char *const *cell,
			const char *colour)
{
	bool painted;
	int i, last = 0, pad;

	/* No blanks at the end of a line. */
	for (i = 0; i < N_COLUMNS; i++) {
		if (p->shown[i] && cell[i][0])
			last = i;
	}
	for (i = 0; i <= last; i++) {
		if (!p->shown[i])
			continue;
		painted = p->colour && i == STATE && *colour;
		pad = i == last ? 0 : p->width[i] + 2 - (int)strlen(cell[i]);
		(void)fprintf(p->out, "%s%s%s%*s", painted ? colour : "",
			      cell[i], painted ? "\033[0m" : "", pad, "");
	}
	(void)fputc('\n', p->out);
}

/* Once to measure, once to print. */
static int each_row(struct printer *p, const struct sbx_report *report,
		    bool print)
{
	struct sbx_report_row row = SBX_REPORT_ROW_INIT;
	const char *cell[N_COLUMNS];
	char *note = NULL;
	size_t i;

	for (i = 0; sbx_report_row(report, i, &row) == 0; i++) {
		if (cells_of(&row, cell, &note) < 0)
			return -ENOMEM;
		if (print)
			print_cells(p, cell, colour_of(row.state));
		else
			widen(p, cell);
		free(note);
	}
	return 0;
}

int cli_table_print(FILE *out, const struct sbx_report *report,
		    bool is_probe, bool colour)
{
	const char *const head[N_COLUMNS] = {
		is_probe ? "MECHANISM" : "PROPERTY", "WANTED", "STATE",
		"VERIFIED", "BY", is_probe ? "REMEDY" : "NOTE",
	};
	struct printer p = { .out = out, .colour = colour };
	int i, rc;

	for (i = 0; i < N_COLUMNS; i++)
		p.shown[i] = !is_probe || (i != WANTED && i != BY);
	widen(&p, head);
	rc = each_row(&p, report, false);
	if (rc < 0)
		return rc;
	print_cells(&p, head, "");
	return each_row(&p, report, true);
}
