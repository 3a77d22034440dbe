#include "config.h"

#include "ctl/whatif.h"

#include <string.h>

#include "base/err.h"
#include "base/json_out.h"
#include "base/xmalloc.h"
#include "ctl/ctl.h"
#include "ctl/serving.h"
#include "ctl/yaml_out.h"
#include "model/workload.h"
#include "whatif/balance.h"

#define SHOWN_ROWS 20 /* unless --all */

static const struct profile *
serving(const void *arg, const struct profiles *profiles, const struct pod *pod)
{
	return serving_profile(arg, profiles, pod);
}

void
asked_of(const struct asked *a, struct whatif *w,
    const struct profiles *profiles)
{
	*w = (struct whatif){
		.cluster = a->load.cluster,
		.profiles = profiles,
		.seed = a->options->seed,
		.serving = serving,
		.serving_arg = a->options,
	};
	whatif_init(w);
}

static int
run_loaded(struct asked *a, int (*command)(struct asked *a))
{
	int code =
	    openshift_profile(&a->load.openshift, a->options, &a->profiles);

	if (code != EXIT_DONE)
		return code;
	asked_of(a, &a->whatif, a->profiles);
	code = command(a);
	whatif_fini(&a->whatif);
	return code;
}

int
asked_run(const struct options *options, int (*command)(struct asked *a))
{
	struct asked a = { .options = options };
	int code = load_profiles(options, &a.profiles);
	struct err err;

	if (code != EXIT_DONE)
		return code;
	if (load_cluster(options, a.profiles, &a.load, &err) == 0) {
		code = run_loaded(&a, command);
		load_fini(&a.load);
	} else {
		ctl_say("%s", err.text);
		code = EXIT_INPUT;
	}
	profiles_free(a.profiles);
	return code;
}

const struct pod *
asked_pod(const struct asked *a, const char *name)
{
	const char *slash = strchr(name, '/');
	const char *full = slash != NULL ? name : NULL;
	const char *namespace = a->options->namespace != SYM_NONE ?
	    sym_text(a->options->namespace) :
	    load_namespace(&a->load);

	for (size_t i = 0; i < a->load.npods; i++) {
		const struct pod *pod = a->load.pods[i];

		if (full != NULL ? strcmp(pod_full_name(pod), full) != 0 :
				   strcmp(sym_text(pod->object.namespace),
				       namespace) != 0 ||
			    strcmp(pod->object.name, name) != 0)
			continue;
		if (pod->object.partial == PARTIAL_NONE)
			return pod;
		ctl_say("pod \"%s\" cannot be decoded", name);
		return NULL;
	}
	ctl_say("pod \"%s\" is not in the cluster", name);
	return NULL;
}

const char *
plural_of(size_t n)
{
	return n == 1 ? "" : "s";
}

void
asked_more(const struct options *options, size_t n)
{
	if (n > 0)
		screen_print(&options->screen, STYLE_DIM,
		    "  and %zu more (--all)\n", n);
}

size_t
asked_rows(const struct options *options, size_t n)
{
	return options->all || n <= SHOWN_ROWS ? n : SHOWN_ROWS;
}

void
asked_write(const struct options *options, struct text *json)
{
	text_put(json, "\n");
	if (options->yaml) {
		yaml_write(json->bytes, json->len, stdout);
		text_fini(json);
	} else {
		text_write(json, stdout);
	}
}

void
json_node_name(struct json_out *json, const char *key, sym node)
{
	json_key(json, key);
	json_string(json, node != SYM_NONE ? sym_text(node) : NULL);
}

void
json_budget(struct json_out *json, const char *key,
    const struct pod_disruption_budget *budget)
{
	AUTOFREE char *name = NULL;

	if (budget != NULL)
		name = xasprintf("%s/%s", sym_text(budget->object.namespace),
		    budget->object.name);
	json_key(json, key);
	json_string(json, name);
}

void
json_strings(struct json_out *json, const char *key, size_t n,
    const char *const *texts)
{
	json_key(json, key);
	json_open(json, '[');
	for (size_t i = 0; i < n; i++)
		json_string(json, texts[i]);
	json_close(json, ']');
}
