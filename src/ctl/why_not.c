/* predicatectl why-not: the changes that bring a pod to a node. */
#include "config.h"

#include "whatif/why_not.h"

#include <inttypes.h>
#include <string.h>

#include "base/json_out.h"
#include "ctl/ctl.h"
#include "ctl/whatif.h"

static void
why_not_json(const struct why_not *r, const char *node, const struct pod *pod,
    const struct options *options)
{
	struct text text = { 0 };
	struct json_out json = JSON_OUT_INIT(&text);

	json_open(&json, '{');
	json_pair(&json, "pod", pod_full_name(pod));
	json_pair(&json, "node", node);
	json_pair(&json, "chosen",
	    r->chosen != SYM_NONE ? sym_text(r->chosen) : NULL);
	json_pair_bool(&json, "fits", r->fits);
	json_pair(&json, "error", r->error);
	json_strings(&json, "reasons", r->nreasons, r->reasons);
	json_break(&json, " ");
	json_strings(&json, "changes", r->nchanges, r->changes);
	json_pair_bool(&json, "fitsThen", r->fits_then);
	json_pair(&json, "chosenThen",
	    r->chosen_then != SYM_NONE ? sym_text(r->chosen_then) : NULL);
	json_begin(&json, "weights");
	for (size_t i = 0; i < r->nweights; i++) {
		json_open(&json, '{');
		json_pair(&json, "priority", r->weights[i].name);
		json_pair_int(&json, "weight", r->weights[i].weight);
		json_pair_int(&json, "insteadOf", r->weights[i].instead_of);
		json_close(&json, '}');
	}
	json_close(&json, ']');
	json_close(&json, '}');
	asked_write(options, &text);
}

static void
why_not_table(const struct why_not *r, const char *node, const struct pod *pod,
    const struct screen *screen)
{
	bool goes = r->chosen_then != SYM_NONE &&
	    strcmp(sym_text(r->chosen_then), node) == 0;

	if (goes && r->chosen == r->chosen_then && r->fits) {
		screen_print(screen, STYLE_HEAD,
		    "%s %s %s: nothing has to change\n", pod_full_name(pod),
		    pod->node == r->chosen ? "is on, and would go again to," :
					     "goes to",
		    node);
		return;
	}
	screen_print(screen, STYLE_HEAD, "%s goes to %s, and %s on %s\n",
	    pod_full_name(pod),
	    r->chosen != SYM_NONE ? sym_text(r->chosen) : "no node",
	    r->fits ? "fits" : "does not fit", node);
	if (r->error != NULL)
		screen_print(screen, STYLE_BAD, "  %s\n", r->error);
	for (size_t i = 0; i < r->nreasons; i++)
		screen_print(screen, STYLE_BAD, "  %s\n", r->reasons[i]);
	if (r->nchanges > 0)
		screen_print(screen, STYLE_PLAIN, "\nTo fit there it needs:\n");
	for (size_t i = 0; i < r->nchanges; i++)
		screen_print(screen, STYLE_GOOD, "  %s\n", r->changes[i]);
	if (goes || !r->fits_then) {
		screen_print(screen, STYLE_PLAIN, "%s\n",
		    goes ? "Then it goes there." : "No change was found.");
		return;
	}
	screen_print(screen, STYLE_PLAIN, "\nTo be preferred to %s %s\n",
	    r->chosen_then != SYM_NONE ? sym_text(r->chosen_then) : "others",
	    r->nweights > 0 ? "one of:" : "no single weight helps.");
	for (size_t i = 0; i < r->nweights; i++)
		screen_print(screen, STYLE_GOOD,
		    "  weight of %s %" PRId64 " instead of %" PRId64 "\n",
		    r->weights[i].name, r->weights[i].weight,
		    r->weights[i].instead_of);
}

static int
why_not(struct asked *a)
{
	const char *node = a->options->words[0];
	const struct node_info *info;
	const struct pod *pod;
	struct pod *lifted;
	struct why_not r;
	int code;

	if (strncmp(node, "node/", 5) == 0)
		node += 5;
	info = cluster_node(a->load.cluster, sym_intern(node));
	if (info == NULL || info->node == NULL) {
		ctl_say("node \"%s\" is not in the cluster", node);
		return EXIT_INPUT;
	}
	pod = asked_pod(a, a->options->pod);
	if (pod == NULL)
		return EXIT_INPUT;
	lifted = whatif_lift(&a->whatif, pod);
	why_not_find(&r, &a->whatif, lifted, info->node->name);
	if (!r.served)
		ctl_say("no profile serves %s", pod_full_name(pod));
	else if (a->options->json)
		why_not_json(&r, node, pod, a->options);
	else
		why_not_table(&r, node, pod, &a->options->screen);
	code = r.chosen != SYM_NONE && strcmp(sym_text(r.chosen), node) == 0 ?
	    EXIT_DONE :
	    EXIT_NEGATIVE;
	why_not_fini(&r);
	pod_unref(lifted);
	return code;
}

int
why_not_run(const struct options *options)
{
	return asked_run(options, why_not);
}
