#include "config.h"

#include "tool/input/openshift.h"

#include "base/doc.h"
#include "cluster/confines.h"
#include "tool/commands/ctl.h"
#include "tool/input/load.h"
#include "tool/commands/options.h"
#include "objects/labels.h"
#include "policy/configuration/configuration.h"
#include "policy/openshift.h"

#define KEY "policy.cfg"

/* The text of one ConfigMap, NULL where it has no policy.cfg. */
struct config_map {
	const char *name, *place;
	const char *text;
	size_t len;
};

void
openshift_fini(struct openshift *openshift)
{
	strmap_fini(&openshift->config_maps);
	arena_fini(&openshift->arena);
	*openshift = (struct openshift){ 0 };
}

static const char *
place_of(struct openshift *openshift, const struct doc_node *root)
{
	return arena_printf(&openshift->arena, "%s:%u:%u", doc_name(root->doc),
	    (unsigned)root->line, (unsigned)root->column);
}

static int
take_scheduler(struct openshift *openshift, const struct doc_node *root,
    struct err *err)
{
	struct openshift_scheduler scheduler;
	struct labels labels;
	struct err why;

	if (openshift->place != NULL)
		return doc_errf(err, root,
		    "duplicate Scheduler object; the "
		    "first is at %s",
		    openshift->place);
	if (openshift_scheduler_read(root, &scheduler, err) != 0)
		return -1;
	if (labels_from_text(&openshift->arena, scheduler.node_selector,
		&labels, &why) != 0)
		return doc_errf(err,
		    doc_get(doc_get(root, "spec"), "defaultNodeSelector"),
		    "spec.defaultNodeSelector: %s", why.text);
	openshift->node_selector = labels;
	openshift->place = place_of(openshift, root);
	openshift->config_map =
	    arena_printf(&openshift->arena, "%s", scheduler.config_map);
	openshift->profile =
	    arena_printf(&openshift->arena, "%s", scheduler.profile);
	return 1;
}

static int
take_config_map(struct openshift *openshift, const struct doc_node *root)
{
	const struct doc_node *text = doc_get(doc_get(root, "data"), KEY);
	const char *name = "";
	struct config_map *map = arena_zalloc(&openshift->arena, sizeof(*map));

	doc_get_string(doc_get(root, "metadata"), "name", "name", &name, NULL);
	map->name = arena_printf(&openshift->arena, "%s", name);
	map->place = place_of(openshift, root);
	if (text != NULL && text->kind == DOC_STRING) {
		map->text =
		    arena_memdup(&openshift->arena, text->text, text->len + 1);
		map->len = text->len;
	}
	strmap_put(&openshift->config_maps, map->name, map);
	return 1;
}

int
openshift_take(struct openshift *openshift, const struct doc_node *root,
    struct err *err)
{
	const char *kind;
	const char *namespace;

	if (is_openshift_scheduler(root))
		return take_scheduler(openshift, root, err);
	/* One of openshift-config. */
	kind = "";
	namespace = "";
	doc_get_string(root, "kind", "kind", &kind, NULL);
	doc_get_string(doc_get(root, "metadata"), "namespace", "namespace",
	    &namespace, NULL);
	return strcmp(kind, "ConfigMap") == 0 &&
		strcmp(namespace, OPENSHIFT_CONFIG) == 0 ?
	    take_config_map(openshift, root) :
	    0;
}

static struct profile *
read_config_map(const struct openshift *openshift,
    const struct policy_options *options)
{
	const struct config_map *map =
	    strmap_get(&openshift->config_maps, openshift->config_map);
	AUTOFREE char *name =
	    xasprintf(OPENSHIFT_CONFIG "/%s[" KEY "]", openshift->config_map);
	struct problems problems = { 0 };
	struct profile *profile = NULL;
	struct err err;

	if (map == NULL) {
		ctl_print("%s: the ConfigMap " OPENSHIFT_CONFIG "/%s is not in "
			  "the input; give the policy with --policy",
		    openshift->place, openshift->config_map);
	} else if (map->text == NULL) {
		ctl_print("%s: the ConfigMap has no \"" KEY
			  "\" in its \"data\"",
		    map->place);
	} else {
		profile = policy_read(name, map->text, map->len, options,
		    &problems, &err);
		load_print_problems(&problems);
	}
	problems_fini(&problems);
	return profile;
}

int
openshift_profile(const struct openshift *openshift,
    const struct options *options, struct profiles **profiles)
{
	struct policy_options how = options->policy_options;
	struct profile *other = NULL;
	struct err err;

	how.project_node_selectors = true;
	how.kubernetes_minor = options->kubernetes_minor;
	if (!options_follow_cluster(options) || openshift->place == NULL)
		return EXIT_DONE;
	if (openshift->config_map[0] != '\0') {
		other = read_config_map(openshift, &how);
	} else if (openshift->profile[0] == '\0') {
		return EXIT_DONE;
	} else {
		other =
		    policy_openshift_profile(openshift->profile, &how, &err);
		if (other == NULL)
			ctl_print("%s: %s", openshift->place, err.text);
	}
	if (other == NULL) {
		load_print_refused(options, openshift->place, "policy",
		    "the policy of the Scheduler object is invalid");
		return EXIT_NEGATIVE;
	}
	profiles_free(*profiles);
	*profiles = profiles_of_one(other);
	return EXIT_DONE;
}

char *
openshift_text(const struct openshift *openshift, const struct options *options,
    size_t *len, bool *is_configuration)
{
	const struct config_map *map;
	char *text = NULL;

	if (openshift->place == NULL)
		return NULL;
	*is_configuration = openshift->config_map[0] == '\0';
	if (*is_configuration) {
		text = policy_openshift_text(openshift->profile,
		    &options->policy_options);
	} else {
		map =
		    strmap_get(&openshift->config_maps, openshift->config_map);
		if (map != NULL && map->text != NULL)
			text = xstrdup(map->text);
	}
	*len = text != NULL ? strlen(text) : 0;
	return text;
}
