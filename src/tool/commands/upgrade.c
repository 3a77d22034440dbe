#include "config.h"

#include "tool/commands/upgrade.h"

#include <ctype.h>

#include "base/text.h"
#include "policy/convert/convert.h"
#include "tool/input/load.h"
#include "objects/changes.h"
#include "objects/release.h"

#define GROUP "kubescheduler.config.k8s.io/"
#define LAST_WITH_POLICIES 22

/* An upgrade in the making: the profiles before and after it. */
struct state {
	struct upgrade *upgrade;
	const struct policy_options *options;
	struct problems *found;
	struct profiles *before, *after; /* after NULL: refused, or a policy */
	const struct profile *profile;   /* of before; where lines are */
};

/* Where a rule stands; line 0: in no line of the file. */
struct place {
	bool is_there;
	unsigned line, column;
};

static void __attribute__((format(printf, 4, 5))) put(const struct state *s,
    enum severity severity, const struct place *at, const char *fmt, ...)
{
	AUTOFREE char *text = NULL;

	XFORMAT(text, fmt);
	/* Of another profile already. */
	if (problems_have(s->found, at->line, at->column, text))
		return;
	problem_add(s->found, severity, s->upgrade->name, at->line, at->column,
	    "%s", text);
}

static const struct place whole = { .is_there = true };

/* ---- the rules of a profile ---- */

/* Whether it is the plugin of release 1.36 that has the rule under this name. */
static bool
is_plugin_of(const struct state *s, const char *plugin, struct counterpart c,
    const char *name)
{
	const char *its =
	    s->upgrade->is_policy ? counterpart_plugin(&c, 36) : NULL;

	return strcmp(its != NULL ? its : name, plugin) == 0;
}

static bool
lists(const struct profile *profile, const char *plugin, int32_t *weight)
{
	bool found = false;

	*weight = 0;
	for (int point = 0; point < NPOINTS; point++) {
		const struct profile_point *list = &profile->points[point];

		for (size_t i = 0; i < list->n; i++)
			if (strcmp(list->plugins[i].name, plugin) == 0) {
				found = true;
				*weight += list->plugins[i].weight;
			}
	}
	return found;
}

static void
look(struct place *at, bool same, unsigned line, unsigned column)
{
	if (!same || (at->is_there && at->line > 0))
		return;
	*at = (struct place){ true, line, column };
}

/* The first place in the file that names the plugin, or none if it is a default. */
static struct place
place_of(const struct state *s, const char *plugin)
{
	const struct profile *p = s->profile;
	struct place at = { .is_there = s->upgrade->is_policy &&
		    strcmp(plugin, "DefaultPreemption") == 0 };
	int32_t weight;

	for (size_t i = 0; i < p->npredicates; i++)
		look(&at,
		    is_plugin_of(s, plugin,
			counterpart_of_predicate(p->predicates[i].unit),
			p->predicates[i].name),
		    p->predicates[i].line, p->predicates[i].column);
	for (size_t i = 0; i < p->npriorities; i++)
		look(&at,
		    is_plugin_of(s, plugin,
			counterpart_of_priority(p->priorities[i].unit),
			p->priorities[i].name),
		    p->priorities[i].line, p->priorities[i].column);
	at.is_there = at.is_there || lists(p, plugin, &weight);
	return at;
}

static void
say_changes(const struct state *s)
{
	const struct release_change *c = NULL;

	while ((c = release_change_next(c, s->upgrade->from, s->upgrade->to)) !=
	    NULL) {
		struct place at =
		    strcmp(c->rule, "all") == 0 ? whole : place_of(s, c->rule);

		if (at.is_there && (c->in_policies || !s->upgrade->is_policy))
			put(s, SEVERITY_WARNING, &at, "from 1.%d on %s: %s",
			    c->since, c->rule, c->what);
	}
}

/* ---- a configuration as it is read after the upgrade ---- */

/* Default plugins that come, go or change their weights. */
static void
say_defaults(const struct state *s, const struct profile *before,
    const struct profile *after)
{
	int32_t weight, old;

	for (int point = 0; point < NPOINTS; point++)
		for (size_t i = 0; i < after->points[point].n; i++) {
			const char *name = after->points[point].plugins[i].name;

			lists(after, name, &weight);
			if (!lists(before, name, &old))
				put(s, SEVERITY_WARNING, &whole,
				    "%s is enabled by default", name);
			else if (weight != old)
				put(s, SEVERITY_WARNING, &whole,
				    "%s: the default weight is %d, not %d",
				    name, weight, old);
		}
	for (int point = 0; point < NPOINTS; point++)
		for (size_t i = 0; i < before->points[point].n; i++) {
			const char *name =
			    before->points[point].plugins[i].name;

			if (!lists(after, name, &weight))
				put(s, SEVERITY_WARNING, &whole,
				    "%s is no default plugin any more", name);
		}
}

/* The text, in a version that the later release reads; you own it. */
static char *
text_after(const struct state *s)
{
	const struct profile *p = s->before->at[0];
	const struct upgrade *u = s->upgrade;
	const char *at = strstr(u->text, GROUP), *rest = u->text, *end, *start;
	struct place place = { true, 1, 1 };
	AUTOFREE char *old = NULL, *new = NULL;
	struct convert_target target;
	struct text out = { 0 };
	struct err err;
	size_t len;

	if (at == NULL || (p->first_reader > 0 && u->to <= p->last_reader) ||
	    convert_target(NULL, u->to, &target, &err) != 0)
		return xstrdup(u->text);
	for (end = at + strlen(GROUP); isalnum((unsigned char)*end);)
		end++;
	old = xasprintf("%.*s", (int)(end - at), at);
	new = xasprintf(GROUP "%s", target.version);
	len = strlen(old);
	for (start = u->text; start < at; start++) {
		place.line += *start == '\n';
		place.column = *start == '\n' ? 1 : place.column + 1;
	}
	put(s, SEVERITY_ERROR, &place,
	    "kube-scheduler 1.%d does not read %s; what follows is about %s",
	    u->to, old + strlen(GROUP), target.version);
	for (; (at = strstr(rest, old)) != NULL; rest = at + len) {
		text_append(&out, rest, (size_t)(at - rest));
		text_put(&out, isalnum((unsigned char)at[len]) ? old : new);
	}
	text_put(&out, rest);
	return text_take(&out);
}

static void
read_after(struct state *s, const struct problems *known)
{
	struct policy_options how = *s->options;
	struct problems problems = { 0 };
	AUTOFREE char *text = text_after(s);
	struct err err;

	how.kubernetes_minor = s->upgrade->to;
	s->after = load_parse(true, s->upgrade->name, text, strlen(text), &how,
	    &problems, &err);
	for (size_t i = 0; i < problems.n; i++) {
		const struct problem *p = &problems.at[i];
		const struct place at = { true, p->line, p->column };

		if (FIND_ROW(known->at, known->n, text, p->text) == NULL)
			put(s, p->severity, &at, "%s", p->text);
	}
	problems_fini(&problems);
}

/* ---- gates ---- */

static void
say_gates(const struct state *s)
{
	const struct gates *given = &s->options->gates;
	struct gates before = *given, after = *given;
	const char *name;

	gates_of_release(&before, s->upgrade->from);
	gates_of_release(&after, s->upgrade->to);
	for (size_t i = 0; (name = gates_name(i)) != NULL; i++) {
		bool is_given = (given->given >> i & 1) != 0;

		if (is_given && gates_has(i, s->upgrade->from) &&
		    !gates_has(i, s->upgrade->to))
			put(s, SEVERITY_ERROR, &whole,
			    "--feature-gates: kube-scheduler 1.%d has no gate "
			    "%s",
			    s->upgrade->to, name);
		else if (gates_is_on(&before, i) != gates_is_on(&after, i) &&
		    !s->upgrade->is_policy)
			put(s, SEVERITY_WARNING, &whole,
			    "the gate %s is on by default", name);
	}
}

/* ---- policies ---- */

/* What a configuration for the later release cannot say. */
static void
say_conversion(const struct state *s)
{
	struct convert_target target;
	struct problems notes = { 0 };
	struct text out = { 0 };
	struct err err;

	if (s->upgrade->to <= LAST_WITH_POLICIES ||
	    s->upgrade->from > LAST_WITH_POLICIES ||
	    convert_target(NULL, s->upgrade->to, &target, &err) != 0)
		return;
	put(s, SEVERITY_WARNING, &whole,
	    "kube-scheduler reads no policy from 1.%d on, but predicated does; "
	    "'predicatectl convert --kubernetes-version 1.%d' writes the "
	    "configuration",
	    LAST_WITH_POLICIES + 1, s->upgrade->to);
	convert_policy(s->profile, "default-scheduler", &target, &out, &notes);
	for (size_t i = 0; i < notes.n; i++) {
		const struct place at = { true, notes.at[i].line,
			notes.at[i].column };

		put(s, SEVERITY_WARNING, &at, "for kube-scheduler 1.%d: %s",
		    s->upgrade->to, notes.at[i].text);
	}
	problems_fini(&notes);
	text_fini(&out);
}

/* ---- both ---- */

/* Reads it as before the upgrade: as the first release that reads it, unless another
 * is known to. */
static void
read_before(struct state *s, struct problems *problems)
{
	struct policy_options how = *s->options;
	struct upgrade *u = s->upgrade;
	const struct profile *p;
	struct err err;

	how.kubernetes_minor = u->from;
	s->before = load_parse(!u->is_policy, u->name, u->text, u->len, &how,
	    problems, &err);
	if (s->before == NULL || s->before->n == 0)
		return;
	p = s->before->at[0];
	if (p->first_reader > 0 &&
	    (u->from < p->first_reader || u->from > p->last_reader)) {
		u->from = p->first_reader;
		problems_fini(problems);
		profiles_free(s->before);
		read_before(s, problems);
	} else if (u->from == 0) {
		u->from = p->release;
	}
}

void
upgrade_check(struct upgrade *upgrade, const struct policy_options *options,
    struct problems *found)
{
	struct state s = { .upgrade = upgrade,
		.options = options,
		.found = found };
	struct problems problems = { 0 };

	read_before(&s, &problems);
	if (s.before != NULL && s.before->n > 0) {
		if (!upgrade->is_policy)
			read_after(&s, &problems);
		for (size_t i = 0; i < s.before->n; i++) {
			s.profile = s.before->at[i];
			if (upgrade->is_policy)
				say_conversion(&s);
			else if (s.after != NULL)
				say_defaults(&s, s.profile, s.after->at[i]);
			if (!upgrade->is_policy || !options->strict)
				say_changes(&s);
		}
		say_gates(&s);
	}
	problems_fini(&problems);
	profiles_free(s.before);
	profiles_free(s.after);
}
