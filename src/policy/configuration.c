#include "config.h"

#include "policy/configuration.h"

#include <stdlib.h>
#include <string.h>

#include "base/doc.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "policy/plugins.h"

static void
enable(struct arena *arena, struct configured_profile *p,
    enum extension_point point, const struct plugin *plugin)
{
	size_t n = p->points[point].n;

	if (p->points[point].at == NULL)
		p->points[point].at =
		    arena_array(arena, struct configured_plugin, 64);
	p->points[point].at[n].plugin = plugin;
	p->points[point].at[n].weight =
	    point == POINT_SCORE ? plugin->weight : 0;
	p->points[point].n++;
}

static void
enable_defaults(struct arena *arena, struct configured_profile *p)
{
	size_t n;
	const struct plugin *plugins = plugins_of(p->release, &n);

	for (int point = 0; point < NPOINTS; point++) {
		const char *const *names = default_plugins(point);

		if (p->release < 36) {
			for (; *names != NULL; names++)
				enable(arena, p, point,
				    plugin_find(p->release, *names));
			continue;
		}
		for (size_t i = 0; i < n; i++)
			if (plugins[i].enabled &&
			    (plugins[i].points & POINT_BIT(point)) != 0)
				enable(arena, p, point, &plugins[i]);
	}
}

struct configuration *
configuration_read(const char *name, const char *text, size_t len,
    const struct policy_options *options, struct problems *problems,
    struct err *err)
{
	struct doc *doc = doc_parse(name, text, len, &doc_limits_people, err);
	struct configured_profile configured = { .release = 36,
		.scheduler_name = "default-scheduler" };
	struct arena arena = ARENA_INIT;
	struct configuration *made;
	const char *version = "";

	(void)problems;
	if (doc == NULL)
		return NULL;
	doc_get_string(doc_root(doc), "apiVersion", "apiVersion", &version,
	    NULL);
	if (strstr(version, "beta1") != NULL)
		configured.release = 20;
	doc_free(doc);
	enable_defaults(&arena, &configured);
	made = xcalloc(1, sizeof(*made));
	made->release = configured.release;
	made->nprofiles = 1;
	made->profiles = xcalloc(1, sizeof(struct profile *));
	made->profiles[0] = profile_of_plugins(&arena, &configured, options);
	arena_fini(&arena);
	return made;
}

struct configuration *
configuration_read_file(const char *path, const struct policy_options *options,
    struct problems *problems, struct err *err)
{
	size_t len;
	AUTOFREE char *text = policy_file_text(path, &len, err);

	if (text == NULL)
		return NULL;
	return configuration_read(path, text, len, options, problems, err);
}

void
configuration_free(struct configuration *configuration)
{
	if (configuration == NULL)
		return;
	for (size_t i = 0; i < configuration->nprofiles; i++)
		profile_free(configuration->profiles[i]);
	free(configuration->profiles);
	free(configuration);
}

struct profile *
configuration_profile(const struct configuration *configuration,
    const char *scheduler_name)
{
	for (size_t i = 0; i < configuration->nprofiles; i++)
		if (strcmp(configuration->profiles[i]->scheduler_name,
			scheduler_name) == 0)
			return configuration->profiles[i];
	return NULL;
}
