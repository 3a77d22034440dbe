/* predicatectl defrag: the fewest moves that let a pod in. */
#include "config.h"

#include "whatif/defrag.h"

#include <inttypes.h>
#include <string.h>

#include "base/json_out.h"
#include "cluster/confines.h"
#include "ctl/ctl.h"
#include "ctl/long_work.h"
#include "ctl/whatif.h"
#include "model/workload.h"

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

/* ---- for programs ---- */

static void
json_moves(struct json_out *json, const struct defrag *d)
{
	json_begin(json, "moves");
	for (size_t i = 0; i < d->nmoves; i++) {
		const struct defrag_move *m = &d->moves[i];

		json_begin_item(json);
		json_key(json, "pod");
		json_string(json, pod_full_name(m->pod));
		json_node_name(json, "from", m->from);
		json_node_name(json, "to", m->to);
		json_node_name(json, "preferred", m->preferred);
		json_key(json, "unmanaged");
		json_bool(json, m->pod->class->controller_uid == SYM_NONE);
		json_budget(json, "budget", m->budget);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void
defrag_json(const struct defrag *d, const struct defrag_ask *ask,
    const struct long_work *work, const struct options *options)
{
	struct text text = { 0 };
	struct json_out json = JSON_OUT_INIT(&text);

	json_open(&json, '{');
	json_key(&json, "pod");
	json_string(&json, pod_full_name(ask->pod));
	json_key(&json, "fitsNow");
	json_bool(&json, d->message == NULL);
	json_key(&json, "message");
	json_string(&json, d->message);
	json_node_name(&json, "node", d->node);
	json_key(&json, "minimal");
	json_bool(&json, d->proven);
	json_key(&json, "searchedMoves");
	json_int(&json, d->searched);
	json_key(&json, "movablePods");
	json_int(&json, (int64_t)d->nmovable);
	json_key(&json, "stopped");
	json_string(&json, long_work_why(work));
	json_key(&json, "ruleAboutOtherPods");
	json_string(&json, d->other_pods);
	json_moves(&json, d);
	json_close(&json, '}');
	asked_write(options, &text);
}

/* ---- for people ---- */

static void
print_moves(const struct defrag *d, const struct options *options)
{
	struct table table;

	screen_print(&options->screen, STYLE_PLAIN, "\n");
	screen_print(&options->screen, STYLE_DIM,
	    "Cordon each pod's old node before you evict it:\n");
	table_begin(&table, ">STEP|MOVE POD|FROM|TO|THE SCHEDULER'S CHOICE");
	for (size_t i = 0; i < d->nmoves; i++) {
		const struct defrag_move *m = &d->moves[i];

		table_add(&table, STYLE_PLAIN, "%zu", i + 1);
		table_add(&table, STYLE_PLAIN, "%s%s", pod_full_name(m->pod),
		    m->pod->class->controller_uid == SYM_NONE ?
			" (no controller creates it again)" :
			"");
		table_add(&table, STYLE_PLAIN, "%s", sym_text(m->from));
		table_add(&table, STYLE_GOOD, "%s", sym_text(m->to));
		table_add(&table, STYLE_DIM, "%s",
		    m->preferred == m->to        ? "the same" :
			m->preferred == SYM_NONE ? "-" :
						   sym_text(m->preferred));
	}
	table_end(&table, &options->screen, 2);
}

/* Why there may be a better plan. */
static void
print_doubt(const struct defrag *d, const struct long_work *work,
    const struct screen *screen)
{
	const char *what = d->nmoves > 0 ? "A plan with fewer moves" : "A plan";

	if (d->proven)
		return;
	if (long_work_why(work) != NULL)
		screen_print(screen, STYLE_DIM,
		    "%s was not ruled out: %s; all plans of up to %" PRIu32
		    " move%s were tried.\n",
		    what, long_work_why(work), d->searched,
		    plural_of(d->searched));
	else if (d->other_pods != NULL)
		screen_print(screen, STYLE_DIM,
		    "%s was not ruled out: %s depends on pods elsewhere.\n",
		    what, d->other_pods);
	else
		screen_print(screen, STYLE_DIM,
		    "%s was not ruled out: pods might have to go out of each "
		    "other's way.\n",
		    what);
}

static void
defrag_table(const struct defrag *d, const struct defrag_ask *ask,
    const struct long_work *work, const struct options *options)
{
	const struct screen *screen = &options->screen;
	const char *pod = pod_full_name(ask->pod);

	if (d->message == NULL) {
		screen_print(screen, STYLE_HEAD,
		    "%s fits on %s now, nothing has to move\n", pod,
		    sym_text(d->node));
		return;
	}
	if (d->nmoves == 0) {
		screen_print(screen, STYLE_HEAD,
		    d->proven ? "%s cannot be let in with up to %" PRIu32
				" move%s\n" :
				"No plan of up to %2$" PRIu32
				" move%3$s lets %1$s in\n",
		    pod, ask->max_moves, plural_of(ask->max_moves));
	} else {
		screen_print(screen, STYLE_HEAD,
		    "%s fits on %s after %zu move%s%s\n", pod,
		    sym_text(d->node), d->nmoves, plural_of(d->nmoves),
		    d->proven ? ", and not after fewer" : "");
	}
	screen_print(screen, STYLE_DIM, "%zu pod%s may be moved%s\n",
	    d->nmovable, plural_of(d->nmovable),
	    ask->unmanaged ? "" :
			     " (with --force also those without controller)");
	print_doubt(d, work, screen);
	if (d->nmoves > 0)
		print_moves(d, options);
	else
		screen_print(screen, STYLE_PLAIN, "\nNow: %s\n", d->message);
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
	ctl_say(pod->node != SYM_EMPTY ? "%s is on node %s already" :
					 "%s has ended",
	    pod_full_name(pod), sym_text(pod->node));
	*code = EXIT_NEGATIVE;
	return NULL;
}

static int
defrag_for(struct asked *a)
{
	const struct options *o = a->options;
	struct long_work work;
	struct defrag_ask ask = {
		.max_moves = o->max_moves,
		.unmanaged = o->force,
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
	if (o->json)
		defrag_json(&d, &ask, &work, o);
	else
		defrag_table(&d, &ask, &work, o);
	code = d.node != SYM_NONE ? EXIT_DONE : EXIT_NEGATIVE;
	defrag_fini(&d);
	pod_unref(pod);
	return code;
}

int
defrag_run(const struct options *options)
{
	return asked_run(options, defrag_for);
}
