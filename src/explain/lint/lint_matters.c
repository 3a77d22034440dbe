/* For every rule or plugin, whether it can change an answer on this cluster: not if no
 * node or pod has the objects or fields that it needs. */
#include "config.h"

#include "explain/lint/lint_internal.h"

static void
note(struct lint *lint, const struct lint_rule *rule, const char *why)
{
	if (why != NULL)
		lint_warn_of(lint, rule, "cannot matter here: %s", why);
	else
		lint_warn_of(lint, rule, "can matter here");
}

/* ---- plugins ---- */

/* All that is known of a plugin of a profile, by all its rules. */
struct plugin_note {
	struct lint_rule rule;
	bool matters;
	const char *why; /* it does not */
};

struct plugin_notes {
	size_t n, cap;
	struct plugin_note *at;
};

static void
add_rule(struct lint *lint, struct plugin_notes *notes,
    const struct lint_rule *rule, const char *why)
{
	struct plugin_note *p =
	    FIND_ROW(notes->at, notes->n, rule.name, rule->name);

	if (p == NULL) {
		arena_room(&lint->arena, notes->at, notes->n, &notes->cap);
		p = &notes->at[notes->n++];
		*p = (struct plugin_note){ .rule = *rule, .why = "" };
	}
	if (p->rule.line == 0)
		p->rule = *rule;
	p->matters |= why == NULL;
	if (why != NULL && strstr(p->why, why) == NULL)
		p->why = arena_append(&lint->arena, p->why, "; ", why);
}

/* Whether it is at a point that means something without the others. */
static bool
has_own_point(const struct profile *profile, const char *name)
{
	return ANY(at, NPOINTS,
	    at != POINT_PRE_FILTER && at != POINT_PRE_SCORE &&
		profile_has_plugin(profile, at, name));
}

/* Plugins without a predicate or priority. */
static const char *
why_other(const struct lint *lint, const char *name)
{
	for (size_t i = 0; i < PLUGINS; i++)
		if (all_plugins[i]->needs != NEEDS_NO_OBJECT &&
		    strcmp(all_plugins[i]->name, name) == 0)
			return lint_lack(lint, all_plugins[i]->needs);
	return has_own_point(lint->profile, name) ?
	    NULL :
	    "it is enabled neither at filter nor at score";
}

static const char *
why_not(struct lint *lint, const struct lint_rule *rule)
{
	if (!rule->is_priority)
		return lint_lack(lint, lint_needs(rule));
	return lint->nnodes < 2 ? "there is only one node" :
				  lint_why_constant(lint, rule);
}

void
lint_all_rules(struct lint *lint)
{
	const struct profile_point *points = lint->profile->points;
	struct plugin_notes notes = { 0 };

	for (size_t i = 0; i < lint->nrules; i++) {
		const struct lint_rule *rule = &lint->rules[i];

		if (rule->later)
			continue;
		if (HAS_PLUGINS(lint))
			add_rule(lint, &notes, rule, why_not(lint, rule));
		else
			note(lint, rule, why_not(lint, rule));
	}
	for (int at = 0; HAS_PLUGINS(lint) && at < NPOINTS; at++)
		for (size_t i = 0; i < points[at].n; i++) {
			const struct lint_rule rule = { .word = "plugin",
				.name = points[at].plugins[i].name };

			if (FIND_ROW(lint->rules, lint->nrules, name,
				rule.name) == NULL)
				add_rule(lint, &notes, &rule,
				    why_other(lint, rule.name));
		}
	for (size_t i = 0; i < notes.n; i++)
		note(lint, &notes.at[i].rule,
		    notes.at[i].matters ? NULL : notes.at[i].why);
}
