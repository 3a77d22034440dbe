/* predicatectl why-not: the changes that bring a pod to a node. */
#include "config.h"

#include "explain/whatif/why_not.h"

#include <inttypes.h>

#include "tool/commands/ctl.h"
#include "tool/commands/whatif.h"

static void
print_result(const struct report *out, const struct why_not *r,
    const char *node, const struct pod *pod)
{
	bool goes = r->chosen_then != SYM_NONE &&
	    strcmp(sym_text(r->chosen_then), node) == 0;

	if (goes && r->chosen == r->chosen_then && r->fits) {
		report_print(out, STYLE_HEAD,
		    "%s %s %s: nothing has to change\n", pod_full_name(pod),
		    pod->node == r->chosen ? "is on, and would go again to," :
					     "goes to",
		    node);
		return;
	}
	report_print(out, STYLE_HEAD, "%s goes to %s, and %s on %s\n",
	    pod_full_name(pod),
	    r->chosen != SYM_NONE ? sym_text(r->chosen) : "no node",
	    r->fits ? "fits" : "does not fit", node);
	if (r->error != NULL)
		report_print(out, STYLE_BAD, "  %s\n", r->error);
	for (size_t i = 0; i < r->nreasons; i++)
		report_print(out, STYLE_BAD, "  %s\n", r->reasons[i]);
	if (r->nchanges > 0)
		report_print(out, STYLE_PLAIN, "\nTo fit there it needs:\n");
	for (size_t i = 0; i < r->nchanges; i++)
		report_print(out, STYLE_GOOD, "  %s\n", r->changes[i]);
	if (goes || !r->fits_then) {
		report_print(out, STYLE_PLAIN, "%s\n",
		    goes ? "Then it goes there." : "No change was found.");
		return;
	}
	report_print(out, STYLE_PLAIN, "\n%s would make it win over %s%s\n",
	    r->nweights > 0 ? "One of these" : "No single weight",
	    r->chosen_then != SYM_NONE ? sym_text(r->chosen_then) : "others",
	    r->nweights > 0 ? ":" : ".");
	for (size_t i = 0; i < r->nweights; i++)
		report_print(out, STYLE_GOOD,
		    "  weight of %s %" PRId64 " instead of %" PRId64 "\n",
		    r->weights[i].name, r->weights[i].weight,
		    r->weights[i].instead_of);
}

static void
report(const struct why_not *r, const char *node, const struct pod *pod,
    const struct options *options)
{
	struct report out;

	report_begin(&out, options);
	json_members(&out.json, "pod:s node:s", pod_full_name(pod), node);
	why_not_json(&out.json, r);
	print_result(&out, r, node, pod);
	report_end(&out);
}

int
why_not_ask(struct asked *a)
{
	const struct node_info *info = asked_node(a, a->options->words[0]);
	const char *node;
	const struct pod *pod;
	struct pod *lifted;
	struct why_not r;
	int code;

	pod = info != NULL ? asked_pod(a, a->options->pod) : NULL;
	if (pod == NULL)
		return EXIT_INPUT;
	node = sym_text(info->name);
	lifted = whatif_lift(&a->whatif, pod);
	why_not_find(&r, &a->whatif, lifted, info->node->name);
	if (!r.served)
		ctl_print("no profile serves %s", pod_full_name(pod));
	else
		report(&r, node, pod, a->options);
	code = r.chosen != SYM_NONE && strcmp(sym_text(r.chosen), node) == 0 ?
	    EXIT_DONE :
	    EXIT_NEGATIVE;
	why_not_fini(&r);
	pod_unref(lifted);
	return code;
}
