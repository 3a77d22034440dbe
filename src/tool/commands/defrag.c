/* predicatectl defrag: the fewest moves that let a pod in. */
#include "config.h"

#include "explain/whatif/defrag.h"

#include <inttypes.h>

#include "cluster/confines.h"
#include "tool/commands/ctl.h"
#include "tool/commands/progress.h"
#include "tool/commands/whatif.h"

static bool
go_on(void *arg, const struct defrag_progress *p)
{
	char best[32] = "none yet", trying[48] = "a heuristic";

	if (p->best > 0)
		snprintf(best, sizeof(best), "%" PRIu32 " move%s", p->best,
		    plural_of(p->best));
	if (p->trying > 0)
		snprintf(trying, sizeof(trying),
		    "all plans of %" PRIu32 " move%s", p->trying,
		    plural_of(p->trying));
	return long_work_goes_on(arg, "%s: %" PRIu64 " tries; best plan: %s",
	    trying, p->asked, best);
}

/* ---- the result ---- */

/* Why there may be a better plan. */
static void
print_doubt(const struct report *r, const struct defrag *d,
    const struct long_work *work)
{
	const char *what = d->nmoves > 0 ? "A plan with fewer moves" : "A plan";

	if (d->proven)
		return;
	if (long_work_why(work) != NULL)
		report_print(r, STYLE_DIM,
		    "%s was not ruled out: %s; all plans of up to %" PRIu32
		    " move%s were tried.\n",
		    what, long_work_why(work), d->searched,
		    plural_of(d->searched));
	else if (d->other_pods != NULL)
		report_print(r, STYLE_DIM,
		    "%s was not ruled out: %s depends on pods elsewhere.\n",
		    what, d->other_pods);
	else
		report_print(r, STYLE_DIM,
		    "%s was not ruled out: pods might have to go out of each "
		    "other's way.\n",
		    what);
}

static void
print_result(const struct report *r, const struct defrag *d,
    const struct defrag_ask *ask, const struct long_work *work)
{
	const char *pod = pod_full_name(ask->pod);

	if (d->message == NULL) {
		report_print(r, STYLE_HEAD,
		    "%s fits on %s now, nothing has to move\n", pod,
		    sym_text(d->node));
		return;
	}
	if (d->nmoves == 0)
		report_print(r, STYLE_HEAD,
		    d->proven ? "%s cannot be let in with up to %" PRIu32
				" move%s\n" :
				"No plan of up to %2$" PRIu32
				" move%3$s lets %1$s in\n",
		    pod, ask->max_moves, plural_of(ask->max_moves));
	else
		report_print(r, STYLE_HEAD,
		    "%s fits on %s after %zu move%s%s\n", pod,
		    sym_text(d->node), d->nmoves, plural_of(d->nmoves),
		    d->proven ? ", and not after fewer" : "");
	report_print(r, STYLE_DIM, "%zu pod%s may be moved%s\n", d->nmovable,
	    plural_of(d->nmovable),
	    ask->force ?
		"" :
		" (with --force also those without controller, of StatefulSets, and "
		"of higher priority)");
	print_doubt(r, d, work);
	if (d->nmoves == 0)
		report_print(r, STYLE_PLAIN, "\nNow: %s\n", d->message);
}

static void
report(const struct defrag *d, const struct defrag_ask *ask,
    const struct long_work *work, const struct options *options)
{
	struct report r;

	report_begin(&r, options);
	json_members(&r.json,
	    "pod:s fitsNow:b message:s node:s minimal:b searchedMoves:d "
	    "movablePods:d stopped:s ruleAboutOtherPods:s",
	    pod_full_name(ask->pod), d->message == NULL, d->message,
	    cell_node(d->node).text, d->proven, (int64_t)d->searched,
	    (int64_t)d->nmovable, long_work_why(work), d->other_pods);
	print_result(&r, d, ask, work);
	if (d->nmoves > 0) {
		report_print(&r, STYLE_PLAIN, "\n");
		report_print(&r, STYLE_DIM,
		    "Cordon each pod's old node before you evict it:\n");
	}
	report_rows(&r, "moves",
	    "^=>STEP|pod|=MOVE POD|from=FROM|to=+TO|preferred|"
	    "=~THE SCHEDULER'S CHOICE|unmanaged|budget");
	r.limit = SIZE_MAX;
	for (size_t i = 0; i < d->nmoves; i++) {
		const struct defrag_move *m = &d->moves[i];
		bool unmanaged = m->pod->class->controller_uid == SYM_NONE;
		const char *pod = cell_pod(&r, m->pod).text;

		report_row(&r, cell_count((int64_t)i + 1), cell_text(pod),
		    cell_text(unmanaged ?
			    arena_printf(&r.arena, "%s" UNMANAGED, pod) :
			    pod),
		    cell_node(m->from), cell_node(m->to),
		    cell_node(m->preferred),
		    m->preferred == m->to ? cell_text("the same") :
					    cell_node(m->preferred),
		    cell_truth(unmanaged),
		    cell_text(budget_name(&r.arena, m->budget)));
	}
	report_rows_end(&r);
	report_end(&r);
}

/* ---- the command ---- */

/* The pod, on no node and not in the cluster; you own it.  NULL: *code. */
static struct pod *
find_pod(struct asked *a, int *code)
{
	const struct options *o = a->options;
	const struct pod *pod;
	struct pod *own;

	*code = EXIT_INPUT;
	if (o->pod_file != NULL) {
		own = load_pod_alone(&a->load, o->pod_file);
		return own != NULL ? cluster_confined(a->load.cluster, own) :
				     NULL;
	}
	pod = asked_pod(a, o->pod);
	if (pod == NULL)
		return NULL;
	if (pod_is_pending(pod))
		return whatif_lift(&a->whatif, pod);
	ctl_print(pod->node != SYM_EMPTY ? "%s is on node %s already" :
					   "%s has ended",
	    pod_full_name(pod), sym_text(pod->node));
	*code = EXIT_NEGATIVE;
	return NULL;
}

int
defrag_ask(struct asked *a)
{
	const struct options *o = a->options;
	struct long_work work;
	struct defrag_ask ask = {
		.max_moves = o->max_moves,
		.force = o->force,
		.go_on = go_on,
		.arg = &work,
	};
	struct defrag d;
	int code;
	struct pod *pod = find_pod(a, &code);

	if (pod == NULL)
		return code;
	ask.pod = pod;
	long_work_begin(&work, o);
	defrag_find(&d, &a->whatif, &ask);
	long_work_end(&work);
	report(&d, &ask, &work, o);
	code = d.node != SYM_NONE ? EXIT_DONE : EXIT_NEGATIVE;
	defrag_fini(&d);
	pod_unref(pod);
	return code;
}
