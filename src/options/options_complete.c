/* Completion in a shell, from the table. */
#include "config.h"

#include <string.h>

#include "base/complete.h"
#include "base/xmalloc.h"
#include "model/limits.h"
#include "model/steering.h"
#include "options/options_internal.h"

/* The flag without its hyphens, len bytes of it. */
static const struct option_row *
row_of(const char *flag, size_t len)
{
	for (size_t i = 0; i < noption_rows; i++)
		if (option_rows[i].flag != NULL &&
		    strlen(option_rows[i].flag) == len &&
		    strncmp(option_rows[i].flag, flag, len) == 0)
			return &option_rows[i];
	return NULL;
}

/* The value begins after skip bytes of the word. */
static void
put_values(struct complete *c, const struct option_row *row, size_t skip)
{
	AUTOFREE char *prefix = xasprintf("%.*s", (int)skip, c->word);

	if (row == option_of(feature_gates))
		complete_assignments(c, skip, gates_name, "true|false");
	else if (row == option_of(pod_limits))
		complete_assignments(c, skip, pod_limits_name, "");
	else if (row == option_of(ignore_unsupported))
		complete_names(c, skip, unsupported_name);
	else if (row == option_of(algorithm_provider))
		complete_choices(c, prefix, POLICY_PROVIDERS);
	else if (row == option_of(kubernetes_version))
		complete_put(c, prefix, "auto", "", NULL);
	else if (row->type == OPTION_BOOL)
		complete_choices(c, prefix, "true|false");
	else if (row->type == OPTION_CHOICE || row == option_of(completion))
		complete_choices(c, prefix, row->arg);
	if (row->type == OPTION_BOOL ||
	    (strcmp(row->arg, "FILE") != 0 && strcmp(row->arg, "DIR") != 0))
		c->directive |= COMPLETE_NO_FILES;
}

/* The option whose value the word behind this one is, or NULL. */
static const struct option_row *
awaiting(const char *word)
{
	const char *flag = word + strspn(word, "-");
	const struct option_row *row;

	if (word[0] != '-' || strchr(word, '=') != NULL)
		return NULL;
	row = row_of(flag, strlen(flag));
	return row != NULL && row->type != OPTION_BOOL ? row : NULL;
}

static void
put_flags(struct complete *c)
{
	for (size_t i = 0; i < noption_rows; i++) {
		const struct option_row *row = &option_rows[i];

		if (row->section == NULL)
			complete_put(c, "--", row->flag, "", row->help);
	}
	c->directive |= COMPLETE_NO_FILES;
}

void
daemon_options_complete(int argc, char **argv, FILE *out)
{
	struct complete c = { .word = argc > 0 ? argv[argc - 1] : "" };
	const char *equals = strchr(c.word, '=');
	const char *flag = c.word + strspn(c.word, "-");
	const struct option_row *row = NULL;
	size_t skip = 0;

	for (int i = 0; i + 1 < argc; i++)
		row = row == NULL ? awaiting(argv[i]) : NULL;
	if (row == NULL && c.word[0] == '-' && equals != NULL) {
		row = row_of(flag, (size_t)(equals - flag));
		skip = (size_t)(equals + 1 - c.word);
	}
	if (row != NULL)
		put_values(&c, row, skip);
	else
		put_flags(&c);
	complete_end(&c, out);
}
