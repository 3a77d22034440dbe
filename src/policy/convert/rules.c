#include "config.h"

#include "policy/convert/rules.h"

#include <strings.h>

#include "base/doc.h"
#include "base/json_out.h"
#include "base/sorted.h"
#include "decide/framework/profiles.h"
#include "policy/configuration/configuration_internal.h"
#include "policy/policy_internal.h"

/* ---- available rules ---- */

struct rules {
	struct arena *arena;
	struct rule *at;
	size_t n, cap;
};

static void
add(struct rules *rules, struct rule rule)
{
	arena_room(rules->arena, rules->at, rules->n, &rules->cap);
	rules->at[rules->n++] = rule;
}

static bool
is_listed(const struct rules *rules, const char *name)
{
	return FIND_ROW(rules->at, rules->n, name, name) != NULL;
}

static void
list_predicates(struct rules *rules, const struct profile *profile)
{
	for (size_t i = 0; i < profile->npredicates; i++) {
		const struct profile_predicate *p = &profile->predicates[i];
		struct named_rule rule;
		bool is_named = find_named_rule(RULE_FILTERS, p->name, &rule);

		/* Rules that are no entry of a policy: of later fields, of
		 * options. */
		if (p->later || !is_algorithm_name(p->name) ||
		    (is_named && (rule.policy->in & OF_KOSMOS) != 0) ||
		    is_listed(rules, p->name))
			continue;
		add(rules,
		    (struct rule){ .name = p->name,
			.on = true,
			.required =
			    is_named && is_mandatory(&rule, &profile->gates),
			.custom = p->args != NULL,
			.line = p->line,
			.column = p->column });
	}
}

static enum extension_point
point_of(enum rule_kind kind)
{
	return kind == RULE_FILTERS ? POINT_FILTER : POINT_SCORE;
}

static void
list_plugins(struct rules *rules, const struct profile *profile,
    enum rule_kind kind)
{
	const struct profile_point *point = &profile->points[point_of(kind)];
	enum vocabulary vocabulary = vocabulary_of(profile->vocabulary);

	for (size_t i = 0; i < point->n; i++)
		add(rules,
		    (struct rule){ .name = point->plugins[i].name,
			.on = true,
			.weight = point->plugins[i].weight });
	for (size_t i = 0; i < PLUGINS; i++) {
		/* at least 1 where no configuration says one */
		int64_t weight = all_plugins[i]->weight[vocabulary];

		if (plugin_extends(all_plugins[i], vocabulary, profile->release,
			point_of(kind)) &&
		    !is_listed(rules, all_plugins[i]->name))
			add(rules,
			    (struct rule){ .name = all_plugins[i]->name,
				.weight = weight > 0 ? weight : 1 });
	}
}

static int
compare_off(const void *a, const void *b)
{
	return strcmp(((const struct rule *)a)->name,
	    ((const struct rule *)b)->name);
}

static bool
is_policy(const struct profile *profile)
{
	return profile->vocabulary < 20;
}

struct rule *
rules_of(const struct profile *profile, enum rule_kind kind,
    struct arena *arena, size_t *n)
{
	struct rules rules = { .arena = arena };
	size_t on = 0;

	if (!is_policy(profile))
		list_plugins(&rules, profile, kind);
	else if (kind == RULE_FILTERS)
		list_predicates(&rules, profile);
	else {
		for (size_t i = 0; i < profile->npriorities; i++) {
			const struct profile_priority *p =
			    &profile->priorities[i];

			add(&rules,
			    (struct rule){ .name = p->name,
				.on = true,
				.custom = p->args != NULL,
				.weight = p->weight,
				.line = p->line,
				.column = p->column });
		}
	}
	if (is_policy(profile)) {
		/* Those that a policy could have besides. */
		struct named_rule rule;

		for (size_t i = 0; next_named_rule(kind, &i, &rule);)
			if (is_registered(&rule, &profile->gates) &&
			    !is_listed(&rules, rule.name))
				add(&rules,
				    (struct rule){ .name = rule.name,
					.weight = rule.weight });
	}
	while (on < rules.n && rules.at[on].on)
		on++;
	SORT(rules.at + on, rules.n - on, compare_off);
	*n = rules.n;
	return rules.at;
}

/* ---- changes ---- */

struct editing {
	const struct profile *profile; /* of the entries being written */
	size_t n;
	const struct rule_change *changes;
	struct text out;
	struct arena arena;
};

static bool
is_about(const struct rule_change *change, const struct profile *profile)
{
	return change->profile == NULL ||
	    (profile->scheduler_name != NULL &&
		strcmp(change->profile, profile->scheduler_name) == 0);
}

/* The last change of the rule; NULL: none. */
static const struct rule_change *
change_of(const struct editing *e, enum rule_kind kind, const char *rule)
{
	for (size_t i = e->n; i-- > 0;)
		if (e->changes[i].kind == kind &&
		    strcmp(e->changes[i].rule, rule) == 0 &&
		    is_about(&e->changes[i], e->profile))
			return &e->changes[i];
	return NULL;
}

static bool
has_change(const struct editing *e, enum rule_kind kind)
{
	return ANY(i, e->n,
	    e->changes[i].kind == kind && is_about(&e->changes[i], e->profile));
}

static int
check_change(struct editing *e, const struct rule_change *change,
    const struct profiles *profiles, struct err *err)
{
	const struct profile *profile = NULL;
	const struct rule *rules, *rule;
	size_t n;

	for (size_t i = 0; profile == NULL && i < profiles->n; i++)
		if (is_about(change, profiles->at[i]))
			profile = profiles->at[i];
	if (profile == NULL)
		return errf(err, "there is no profile \"%s\"", change->profile);
	if (change->profile == NULL && profiles->n > 1)
		return errf(err, "rule \"%s\": of which profile?",
		    change->rule);
	rules = rules_of(profile, change->kind, &e->arena, &n);
	rule = FIND_ROW(rules, n, name, change->rule);
	if (rule == NULL)
		return errf(err, "there is no rule \"%s\" that %s",
		    change->rule,
		    change->kind == RULE_FILTERS ? "filters" : "scores");
	if (change->weight == 0 && rule->required)
		return errf(err, "\"%s\" cannot be switched off", change->rule);
	return 0;
}

/* ---- texts ---- */

/* The comma between the members of an object or array, and their lines; indent
 * NULL: all are in one. */
static void
begin(struct text *out, bool *comma, const char *indent)
{
	if (indent == NULL)
		text_put(out, *comma ? ", " : "");
	else
		text_put(out, *comma ? ",\n" : "\n");
	text_put(out, indent != NULL ? indent : "");
	*comma = true;
}

static void
begin_member(struct text *out, bool *comma, const char *indent, const char *key)
{
	begin(out, comma, indent);
	json_put_key(out, key);
	text_put(out, ": ");
}

/* Keys are found in any case: kube-scheduler reads "Predicates", too. */
static bool
is_one_of(const struct doc_node *node, const char *const *keys, size_t n)
{
	return ANY(i, n, strcasecmp(node->key, keys[i]) == 0);
}

static const struct doc_node *
member(const struct doc_node *object, const char *key)
{
	if (object == NULL || object->kind != DOC_OBJECT)
		return NULL;
	EACH_CHILD (n, object)
		if (is_one_of(n, &key, 1) && n->kind != DOC_NULL)
			return n;
	return NULL;
}

/* The members of an object of the text (NULL: none) but those under n keys. */
static void
put_members(struct text *out, bool *comma, const char *indent,
    const struct doc_node *object, size_t n, const char *const *but)
{
	if (object == NULL)
		return;
	EACH_CHILD (p, object) {
		if (is_one_of(p, but, n))
			continue;
		begin_member(out, comma, indent, p->key);
		json_put_node(out, p);
	}
}

/* {"name": NAME, "weight": N}; an entry of the text keeps its other members. */
static void
put_entry(struct text *out, const struct doc_node *entry, const char *name,
    int64_t weight)
{
	static const char *const weight_key = "weight";
	bool comma = false;

	text_put(out, "{");
	if (entry == NULL) {
		begin_member(out, &comma, NULL, "name");
		json_put_string(out, name);
	}
	put_members(out, &comma, NULL, entry, weight > 0, &weight_key);
	if (weight > 0) {
		begin_member(out, &comma, NULL, weight_key);
		json_put(out, "%d", weight);
	}
	text_put(out, "}");
}

/* ---- policies ---- */

static bool
is_in_list(const struct doc_node *list, const char *name)
{
	EACH_CHILD (n, list)
		if (strcmp(doc_string(member(n, "name")), name) == 0)
			return true;
	return false;
}

/* The entries of a list of the text that stay. */
static void
put_kept(struct editing *e, enum rule_kind kind, const struct doc_node *list,
    bool *comma)
{
	EACH_CHILD (n, list) {
		const char *name = doc_string(member(n, "name"));
		const struct rule_change *change = change_of(e, kind, name);

		if (change != NULL && change->weight == 0)
			continue;
		begin(&e->out, comma, "    ");
		if (n->kind != DOC_OBJECT) {
			json_put_node(&e->out, n);
			continue;
		}
		put_entry(&e->out, n, name,
		    change != NULL && kind == RULE_SCORES ? change->weight : 0);
	}
}

/* The rules that are on by now and in no list; list NULL: all that are on. */
static void
put_others(struct editing *e, enum rule_kind kind, const struct doc_node *list,
    bool *comma)
{
	struct rule *rules;
	size_t n;

	rules = rules_of(e->profile, kind, &e->arena, &n);
	for (size_t i = 0; i < n; i++) {
		const struct rule_change *change =
		    change_of(e, kind, rules[i].name);
		int64_t weight =
		    change != NULL ? change->weight : rules[i].weight;

		if (change != NULL ? change->weight == 0 : !rules[i].on)
			continue;
		if (list != NULL &&
		    (change == NULL || is_in_list(list, rules[i].name)))
			continue;
		begin(&e->out, comma, "    ");
		put_entry(&e->out, NULL, rules[i].name,
		    kind == RULE_SCORES ? weight : 0);
	}
}

static void
put_policy(struct editing *e, const struct doc_node *root)
{
	static const char *const keys[] = { [RULE_FILTERS] = "predicates",
		[RULE_SCORES] = "priorities" };
	bool comma = false;

	text_put(&e->out, "{");
	if (root == NULL) {
		begin(&e->out, &comma, "  ");
		text_put(&e->out, "\"kind\": \"Policy\"");
		begin(&e->out, &comma, "  ");
		text_put(&e->out, "\"apiVersion\": \"v1\"");
	}
	put_members(&e->out, &comma, "  ", root, LENGTH(keys), keys);
	for (enum rule_kind kind = 0; kind < LENGTH(keys); kind++) {
		const struct doc_node *list = member(root, keys[kind]);
		bool any;

		/* Without a list the defaults apply. */
		if (list == NULL && root != NULL && !has_change(e, kind))
			continue;
		begin_member(&e->out, &comma, "  ",
		    list != NULL ? list->key : keys[kind]);
		any = false;
		text_put(&e->out, "[");
		if (list != NULL)
			put_kept(e, kind, list, &any);
		put_others(e, kind, list, &any);
		text_put(&e->out, any ? "\n  ]" : "]");
	}
	text_put(&e->out, "\n}\n");
}

/* ---- configurations ---- */

/* Plugins that keep state for filter or score run at these points before. */
static const struct {
	enum extension_point point;
	enum rule_kind kind;
} points[] = {
	{ POINT_PRE_FILTER, RULE_FILTERS },
	{ POINT_FILTER, RULE_FILTERS },
	{ POINT_PRE_SCORE, RULE_SCORES },
	{ POINT_SCORE, RULE_SCORES },
};

/* The point's list as it is by now, in place of all defaults. */
static void
put_point(struct editing *e, enum extension_point point, enum rule_kind kind)
{
	const struct profile_point *now = &e->profile->points[point];
	bool comma = false, scores = point == POINT_SCORE;

	text_put(&e->out, "{\"disabled\": [{\"name\": \"*\"}], \"enabled\": [");
	for (size_t i = 0; i < now->n; i++) {
		const char *name = now->plugins[i].name;
		const struct rule_change *change = change_of(e, kind, name);

		if (change != NULL && change->weight == 0)
			continue;
		begin(&e->out, &comma, "        ");
		put_entry(&e->out, NULL, name,
		    !scores            ? 0 :
			change != NULL ? change->weight :
					 now->plugins[i].weight);
	}
	for (size_t i = 0; i < PLUGINS; i++) {
		const struct plugin *plugin = all_plugins[i];
		const struct rule_change *change =
		    change_of(e, kind, plugin->name);

		if (!plugin_extends(plugin,
			vocabulary_of(e->profile->vocabulary),
			e->profile->release, point) ||
		    change == NULL || change->weight == 0 ||
		    profile_place(e->profile, point, plugin->name) >= 0)
			continue;
		begin(&e->out, &comma, "        ");
		put_entry(&e->out, NULL, plugin->name,
		    scores ? change->weight : 0);
	}
	text_put(&e->out, comma ? "\n      ]}" : "]}");
}

static void
put_plugins(struct editing *e, const struct doc_node *plugins)
{
	const char *written[LENGTH(points)];
	size_t n = 0;
	bool comma = false;

	for (size_t i = 0; i < LENGTH(points); i++)
		if (has_change(e, points[i].kind))
			written[n++] = extension_point_names[points[i].point];
	text_put(&e->out, "{");
	put_members(&e->out, &comma, "      ", plugins, n, written);
	for (size_t i = 0; i < LENGTH(points); i++) {
		if (!has_change(e, points[i].kind))
			continue;
		begin_member(&e->out, &comma, "      ",
		    extension_point_names[points[i].point]);
		put_point(e, points[i].point, points[i].kind);
	}
	text_put(&e->out, comma ? "\n    }" : "}");
}

/* node NULL: the configuration has no profiles, and this is the default one. */
static void
put_profile(struct editing *e, const struct doc_node *node)
{
	static const char *const key = "plugins";
	const struct doc_node *plugins = member(node, key);
	bool comma = false;

	text_put(&e->out, "{");
	put_members(&e->out, &comma, "    ", node, 1, &key);
	if (plugins != NULL || has_change(e, RULE_FILTERS) ||
	    has_change(e, RULE_SCORES)) {
		begin_member(&e->out, &comma, "    ", key);
		put_plugins(e, plugins);
	}
	text_put(&e->out, comma ? "\n  }" : "}");
}

static void
put_configuration(struct editing *e, const struct doc_node *root,
    const struct profiles *profiles)
{
	static const char *const key = "profiles";
	const struct doc_node *list = member(root, key);
	const struct doc_node *node = list != NULL ? list->first : NULL;
	bool comma = false;

	text_put(&e->out, "{");
	put_members(&e->out, &comma, "  ", root, 1, &key);
	begin_member(&e->out, &comma, "  ", key);
	text_put(&e->out, "[");
	for (size_t i = 0; i < profiles->n; i++) {
		e->profile = profiles->at[i];
		text_put(&e->out, i > 0 ? ", " : "");
		put_profile(e, node);
		node = node != NULL ? node->next : NULL;
	}
	text_put(&e->out, "]\n}\n");
}

/* ---- the text ---- */

/* A policy or a configuration, or the ConfigMap around a policy. */
static const struct doc_node *
find_root(struct doc_reader *reader, struct err *err)
{
	const struct doc_node *root;
	int rc;

	while ((rc = doc_next(reader, &root, err)) == 1) {
		const char *kind = doc_string(member(root, "kind"));

		if (root->kind == DOC_OBJECT &&
		    (*kind == '\0' || strcmp(kind, "Policy") == 0 ||
			strcmp(kind, "ConfigMap") == 0 ||
			strcmp(kind, "KubeSchedulerConfiguration") == 0))
			return root;
	}
	if (rc == 0)
		errf(err,
		    "rules cannot be switched here: the text is not a "
		    "policy or a configuration itself");
	return NULL;
}

static int
change_root(struct editing *e, const struct doc_node *root,
    const struct profiles *profiles, struct err *err)
{
	bool policy = is_policy(profiles->at[0]);

	if (policy ==
	    (strcmp(doc_string(member(root, "kind")),
		 "KubeSchedulerConfiguration") == 0))
		return errf(err,
		    "rules cannot be switched here: they are not "
		    "in this text");
	if (policy)
		put_policy(e, root);
	else
		put_configuration(e, root, profiles);
	return 0;
}

static int
change_text(struct editing *e, const char *text, size_t len,
    const struct profiles *profiles, unsigned depth, struct err *err)
{
	struct doc_reader *reader =
	    doc_open_text("policy", text, len, &doc_limits_people, false);
	const struct doc_node *root = find_root(reader, err), *inner;
	int rc = -1;

	if (root == NULL) {
		/* err says why */
	} else if (strcmp(doc_string(member(root, "kind")), "ConfigMap") != 0) {
		rc = change_root(e, root, profiles, err);
	} else {
		inner = doc_get(doc_get(root, "data"), "policy.cfg");
		if (depth > 1 || inner == NULL || inner->kind != DOC_STRING)
			errf(err, "the ConfigMap has no policy.cfg");
		else
			rc = change_text(e, inner->text, inner->len, profiles,
			    depth + 1, err);
	}
	doc_close(reader);
	return rc;
}

int
rules_change(const char *text, size_t len, const struct profiles *profiles,
    size_t n, const struct rule_change *changes, struct text *out,
    struct err *err)
{
	struct editing e = { .profile = profiles->at[0],
		.n = n,
		.changes = changes,
		.arena = ARENA_INIT };
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = check_change(&e, &changes[i], profiles, err);
	if (rc == 0 && text == NULL)
		put_policy(&e, NULL);
	else if (rc == 0)
		rc = change_text(&e, text, len, profiles, 0, err);
	if (rc == 0)
		text_append(out, e.out.bytes, e.out.len);
	text_fini(&e.out);
	arena_fini(&e.arena);
	return rc;
}

/* ---- weights where they stand ---- */

struct place {
	const char *at; /* in the text, where a number of this length is */
	size_t len;
	int64_t weight;
};

struct places {
	const char *text, *end;
	struct place *at; /* one for each change */
	size_t n;
};

/* Where the text has the number; NULL: it has it from elsewhere, as YAML can. */
static const char *
find_number(const struct places *p, const struct doc_node *number)
{
	const char *at = p->text;

	for (uint32_t line = 1; line < number->line; line++) {
		at = memchr(at, '\n', (size_t)(p->end - at));
		if (at == NULL)
			return NULL;
		at++;
	}
	for (uint32_t column = 1; column < number->column && at < p->end;
	     column++)
		do {
			at++;
		} while (at < p->end && (*at & 0xc0) == 0x80);
	return (size_t)(p->end - at) >= number->len &&
		memcmp(at, number->text, number->len) == 0 ?
	    at :
	    NULL;
}

/* Whether it is the weight of exactly one entry of the list. */
static bool
place_weight(struct places *p, const struct doc_node *list,
    const struct rule_change *change)
{
	const struct doc_node *weight = NULL;
	size_t found = 0;

	if (list == NULL || change->kind != RULE_SCORES || change->weight == 0)
		return false;
	EACH_CHILD (n, list)
		if (strcmp(doc_string(member(n, "name")), change->rule) == 0) {
			weight = member(n, "weight");
			found++;
		}
	if (found != 1 || weight == NULL || weight->kind != DOC_NUMBER)
		return false;
	p->at[p->n] = (struct place){ .at = find_number(p, weight),
		.len = weight->len,
		.weight = change->weight };
	for (size_t i = 0; i < p->n; i++)
		if (p->at[i].at == p->at[p->n].at)
			return false; /* two changes of one */
	return p->at[p->n++].at != NULL;
}

static const struct doc_node *
scores_of(const struct doc_node *root, const struct profiles *profiles,
    const struct rule_change *change, const char *point)
{
	const struct doc_node *profile = member(root, "profiles");
	size_t i = 0;

	if (change->profile == NULL && profiles->n > 1)
		return NULL;
	if (is_policy(profiles->at[0]))
		return is_about(change, profiles->at[0]) ?
		    member(root, "priorities") :
		    NULL;
	profile = profile != NULL ? profile->first : NULL;
	while (profile != NULL && i < profiles->n &&
	    !is_about(change, profiles->at[i])) {
		profile = profile->next;
		i++;
	}
	return member(member(member(profile, "plugins"), point), "enabled");
}

static int
compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

/* Digits that are looked at, each with a reading of the text. */
#define MOST_TRIES 2000

/* Puts the weight where it makes the policy in a ConfigMap that one; false: nowhere. */
static bool
put_weight(struct text *map, int64_t weight, const char *policy)
{
	static const char digits[] = "0123456789";
	const char *at = strpbrk(map->bytes, digits);

	for (int i = 0; at != NULL && i < MOST_TRIES; i++) {
		size_t len = strspn(at, digits);
		struct text tried = { 0 };
		AUTOFREE char *inner = NULL;

		text_append(&tried, map->bytes, (size_t)(at - map->bytes));
		json_put(&tried, "%d", weight);
		text_put(&tried, at + len);
		inner = policy_in_config_map(tried.bytes, tried.len);
		if (inner != NULL && strcmp(inner, policy) == 0) {
			text_fini(map);
			*map = tried;
			return true;
		}
		text_fini(&tried);
		at = strpbrk(at + len, digits);
	}
	return false;
}

/* Of the policy in a ConfigMap, which may be quoted or indented there in many ways. */
static bool
reweigh_map(const char *text, size_t len, const char *policy,
    const struct profiles *profiles, size_t n,
    const struct rule_change *changes, struct text *out)
{
	struct text map = { 0 };
	char *now = xstrdup(policy);
	bool done = true;

	text_append(&map, text, len);
	for (size_t i = 0; done && i < n; i++) {
		struct text then = { 0 };

		done = rules_reweigh(now, strlen(now), profiles, 1, &changes[i],
			   &then) &&
		    (strcmp(now, then.bytes) == 0 ||
			put_weight(&map, changes[i].weight, then.bytes));
		free(now);
		now = text_take(&then);
	}
	if (done)
		text_append(out, map.bytes, map.len);
	free(now);
	text_fini(&map);
	return done;
}

bool
rules_reweigh(const char *text, size_t len, const struct profiles *profiles,
    size_t n, const struct rule_change *changes, struct text *out)
{
	struct doc_reader *reader =
	    doc_open_text("policy", text, len, &doc_limits_people, false);
	struct arena arena = ARENA_INIT;
	struct places p = { .text = text,
		.end = text + len,
		.at = arena_array(&arena, struct place, n) };
	AUTOFREE char *inner = policy_in_config_map(text, len);
	struct err err;
	const struct doc_node *root = find_root(reader, &err);
	size_t i = 0;

	if (inner != NULL) {
		arena_fini(&arena);
		doc_close(reader);
		return reweigh_map(text, len, inner, profiles, n, changes, out);
	}
	while (root != NULL && i < n &&
	    (place_weight(&p, scores_of(root, profiles, &changes[i], "score"),
		 &changes[i]) ||
		place_weight(&p,
		    scores_of(root, profiles, &changes[i], "multiPoint"),
		    &changes[i])))
		i++;
	SORT(p.at, p.n, compare_places);
	for (size_t k = 0; root != NULL && i == n && k <= n; k++) {
		const char *until = k < n ? p.at[k].at : p.end;

		text_append(out, text, (size_t)(until - text));
		if (k < n) {
			json_put(out, "%d", p.at[k].weight);
			text = until + p.at[k].len;
		}
	}
	arena_fini(&arena);
	doc_close(reader);
	return root != NULL && i == n;
}
