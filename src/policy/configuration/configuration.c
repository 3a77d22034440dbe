#include "config.h"

#include "policy/configuration/configuration.h"

#include "base/doc.h"
#include "base/text.h"
#include "policy/configuration/configuration_internal.h"

/* Texts. */

static void __attribute__((format(printf, 3, 4)))
report(struct configuration_reading *reading, const struct doc_node *at,
    const char *fmt, ...)
{
	AUTOFREE char *text = NULL;

	XFORMAT(text, fmt);
	reading_report(&reading->reading, SEVERITY_ERROR, at, "%s", text);
	reading->reading.mistyped = true;
}

/* A member of the root that must be a text; "" when it is not. */
static const char *
type_member(struct configuration_reading *reading, const struct doc_node *root,
    const char *key)
{
	const struct doc_node *at = doc_get(root, key);
	const char *text = "";
	struct err err;

	if (doc_get_string(root, key, key, &text, &err) != 0)
		report(reading, at, "%s must be a string", key);
	else if (*text == '\0')
		report(reading, at != NULL ? at : root, "\"%s\" is missing",
		    key);
	return text;
}

/* Finds the version; false: it is no KubeSchedulerConfiguration that we know. */
static bool
find_version(struct configuration_reading *reading, const struct doc_node *root)
{
	struct arena *arena = &reading->reading.arena;
	const char *version, *kind;
	size_t len = strlen(CONFIGURATION_GROUP);

	if (root->kind != DOC_OBJECT) {
		report(reading, root, "this must be an object, not %s",
		    doc_kind_name(root->kind));
		return false;
	}
	version = type_member(reading, root, "apiVersion");
	kind = type_member(reading, root, "kind");
	if (reading->reading.mistyped)
		return false;
	if (strcmp(kind, "KubeSchedulerConfiguration") != 0)
		report(reading, doc_get(root, "kind"),
		    "kind must be \"KubeSchedulerConfiguration\", not "
		    "\"%s\"",
		    kind);
	if (strncmp(version, CONFIGURATION_GROUP, len) == 0)
		for (size_t i = 0; i < nconfiguration_versions; i++)
			if (strcmp(configuration_versions[i].name,
				version + len) == 0)
				reading->version = &configuration_versions[i];
	if (reading->version == NULL) {
		const char *names = configuration_versions[0].name;

		for (size_t i = 1; i < nconfiguration_versions; i++)
			names = arena_printf(arena, "%s, %s", names,
			    configuration_versions[i].name);
		report(reading, doc_get(root, "apiVersion"),
		    "apiVersion must be \"" CONFIGURATION_GROUP
		    "VERSION\" with one of the versions %s, not \"%s\"",
		    names, version);
	}
	return !reading->reading.mistyped;
}

/* Building. */

static void
collect_ignored(struct configuration_reading *reading)
{
	const struct extender_entry *e = reading->entry.extenders.items;
	struct string_value *at;
	size_t n = 0;

	for (size_t i = 0; i < reading->entry.extenders.n; i++)
		n += e[i].managed.n;
	at = arena_array(&reading->reading.arena, struct string_value, n);
	reading->ignored.items = at;
	for (size_t i = 0; i < reading->entry.extenders.n; i++) {
		const struct resource_entry *r = e[i].managed.items;

		for (size_t j = 0; j < e[i].managed.n; j++)
			if (r[j].ignored_by_scheduler)
				at[reading->ignored.n++] =
				    (struct string_value){ r[j].item,
					    or_empty(r[j].name) };
	}
	reading->ignored.given = reading->ignored.n > 0;
}

/* Reports the faults of the extenders' TLS. */
static void
check_extenders(struct configuration_reading *reading)
{
	struct profile profile = { 0 };
	const struct profile_entry *profiles = reading->entry.profiles.items;

	build_extenders(&reading->reading, &reading->entry.extenders, &profile);
	arena_fini(&profile.arena);
	if (reading->version->release < 36 || reading->ignored.n == 0)
		return;
	for (size_t i = 0; i < reading->entry.profiles.n; i++) {
		const char *plugin = "NodeResourcesFit";

		if (configuration_args_of(&profiles[i], plugin) == NULL &&
		    !configuration_enables(reading, &profiles[i], plugin))
			configuration_invalid(reading, profiles[i].item.at,
			    "profiles[%zu]: an extender's ignoredByScheduler "
			    "needs the plugin NodeResourcesFit",
			    i);
	}
}

static struct profile *
build_profile(struct configuration_reading *reading,
    const struct profile_entry *entry)
{
	struct reading *r = &reading->reading;
	struct problems *problems = r->problems, again = { 0 };
	struct profile *profile = configuration_merge(reading, entry);

	if (profile == NULL)
		return NULL;
	profile->file = arena_strdup(&profile->arena, r->file);
	/* They were reported once. */
	r->problems = &again;
	build_extenders(r, &reading->entry.extenders, profile);
	r->problems = problems;
	problems_fini(&again);
	return profile;
}

static struct profiles *
build(struct configuration_reading *reading)
{
	const struct profile_entry *profiles = reading->entry.profiles.items;
	struct profiles *made = xcalloc(1, sizeof(*made));

	made->at = xcalloc(reading->entry.profiles.n, sizeof(struct profile *));
	collect_ignored(reading);
	check_extenders(reading);
	for (size_t i = 0; i < reading->entry.profiles.n; i++) {
		struct profile *profile = build_profile(reading, &profiles[i]);

		if (profile != NULL)
			made->at[made->n++] = profile;
	}
	return made;
}

/* v1alpha1 */

static struct profiles *
named_profile(struct configuration_reading *reading, struct profile *profile)
{
	const char *name = or_empty(reading->entry.scheduler_name);

	if (profile == NULL)
		return NULL;
	if (*name == '\0')
		name = "default-scheduler";
	profile->scheduler_name = arena_strdup(&profile->arena, name);
	return profiles_of_one(profile);
}

/* 1.15 has no plugins of its own; all that it knows are compiled into it. */
static void
refuse_plugins(struct configuration_reading *reading)
{
	const struct plugins_entry *plugins = reading->entry.plugins;

	for (int point = 0; plugins != NULL && point < NPOINTS; point++) {
		const struct plugin_set *set = plugins->points[point];
		const struct plugin_entry *entries;

		if (set == NULL)
			continue;
		entries = set->enabled.items;
		for (size_t i = 0; i < set->enabled.n; i++)
			report(reading, entries[i].item.at,
			    "plugin \"%s\" does not exist: in v1alpha1 "
			    "there are only plugins of one's own",
			    or_empty(entries[i].name));
	}
}

#define ELSEWHERE                                                                \
	"the policy is in a ConfigMap, which is not read here; give the policy " \
	"itself"

/*
 * v1alpha1 names a provider or a policy.  The daemon takes these as options; this
 * is for callers without options.
 */
static struct profiles *
build_from_source(struct configuration_reading *reading)
{
	struct reading *r = &reading->reading;
	struct configuration_entry *e = &reading->entry;
	const struct algorithm_source *source = e->algorithm_source;
	const struct policy_entry *policy =
	    source != NULL ? source->policy : NULL;
	const char *provider = source != NULL ? or_empty(source->provider) : "";
	struct policy_options options = *r->options;
	struct profile *profile;
	struct err err;

	refuse_plugins(reading);
	if (is_given(&e->item, "hardPodAffinitySymmetricWeight"))
		options.hard_pod_affinity_symmetric_weight =
		    e->hard_pod_affinity_symmetric_weight;
	if (policy != NULL && policy->file != NULL)
		return named_profile(reading,
		    policy_read_file(or_empty(policy->file->path), &options,
			r->problems, &err));
	if (policy != NULL && policy->config_map != NULL) {
		reading_report(r, SEVERITY_WARNING, policy->config_map->item.at,
		    ELSEWHERE);
		return NULL;
	}
	if (*provider == '\0')
		provider = "DefaultProvider";
	profile = policy_provider(provider, &options);
	if (profile == NULL)
		report(reading, item_member(&source->item, "provider"),
		    "there is no algorithm provider \"%s\"", provider);
	return named_profile(reading, profile);
}

/* Reading. */

static struct profiles *
read_root(struct configuration_reading *reading, const struct doc_node *root)
{
	const struct doc_node *again;
	size_t errors_before;

	for (size_t i = 0; (again = doc_duplicate(root->doc, i)) != NULL; i++)
		reading_report(&reading->reading, SEVERITY_ERROR, again,
		    "\"%s\" is repeated", again->key);
	if (!find_version(reading, root))
		return NULL;
	reading->reading.version = reading->version->version;
	reading->reading.exact_numbers = reading->version->release >= 36;
	configuration_decode(reading, root);
	/* Unknown and repeated fields do not hide the other problems. */
	if (reading->reading.mistyped)
		return NULL;
	errors_before = reading->reading.problems->nerrors;
	configuration_validate(reading);
	if (reading->reading.problems->nerrors > errors_before ||
	    reading->without_profiles)
		return NULL;
	if (reading->version->release < 20)
		return build_from_source(reading);
	return build(reading);
}

/* YAML may have more documents, which do not count. */
static struct profiles *
read_text(struct configuration_reading *reading, const char *text, size_t len)
{
	struct reading *r = &reading->reading;
	AUTOFREE char *without = reading_without_commas(r, text, len);
	struct doc_reader *docs = doc_open_text(r->file,
	    without != NULL ? without : text, len, &doc_limits_people, false);
	struct profiles *made = NULL;
	const struct doc_node *root;
	struct err err;
	int result;

	r->yaml = policy_text_is_yaml(text, len);
	result = doc_next(docs, &root, &err);
	if (result < 0)
		reading_unreadable(r, err.text);
	else if (result == 0)
		report(reading, NULL, "\"kind\" is missing: it is empty");
	else
		made = read_root(reading, root);
	if (result == 1 && !r->yaml && (result = doc_next(docs, &root, &err))) {
		if (result < 0)
			reading_unreadable(r, err.text);
		else
			report(reading, root,
			    "unexpected text after the configuration");
	}
	doc_close(docs);
	return made;
}

bool
configuration_is(const char *text)
{
	struct doc_reader *docs =
	    doc_open_text("", text, strlen(text), &doc_limits_people, false);
	const struct doc_node *root = NULL;
	const char *kind = "";
	bool is = doc_next(docs, &root, NULL) == 1 &&
	    doc_get_string(root, "kind", "kind", &kind, NULL) == 0 &&
	    strcmp(kind, "KubeSchedulerConfiguration") == 0;

	doc_close(docs);
	return is;
}

static struct profiles *
read_as(bool without_profiles, const char *name, const char *text, size_t len,
    const struct policy_options *options, struct problems *problems,
    struct err *err)
{
	struct configuration_reading reading = {
		.reading = { .options = options,
		    .problems = problems,
		    .file = name,
		    .strict_fields = true },
		.without_profiles = without_profiles,
		.prefix = "",
	};
	size_t errors_before = problems->nerrors;
	struct profiles *made;

	made = read_text(&reading, text, len);
	if (problems->nerrors > errors_before) {
		profiles_free(made);
		made = NULL;
		reading_error(&reading.reading, err);
	} else if (made == NULL) {
		errf(err, "%s: " ELSEWHERE, name);
	}
	arena_fini(&reading.reading.arena);
	return made;
}

struct profiles *
configuration_read(const char *name, const char *text, size_t len,
    const struct policy_options *options, struct problems *problems,
    struct err *err)
{
	return read_as(false, name, text, len, options, problems, err);
}

int
configuration_check(const char *name, const char *text, size_t len,
    const struct policy_options *options, struct problems *problems)
{
	size_t errors_before = problems->nerrors;

	read_as(true, name, text, len, options, problems, NULL);
	return problems->nerrors > errors_before ? -1 : 0;
}
