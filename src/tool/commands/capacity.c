/* predicatectl capacity: how many more pods fit, and why no more. */
#include "config.h"

#include "explain/whatif/capacity.h"

#include <ctype.h>

#include "cluster/confines.h"
#include "tool/commands/ctl.h"
#include "tool/commands/whatif.h"

/* Copies in one round of a mix. */
#define MOST_TIMES 10000

struct models {
	size_t n, cap;
	struct capacity_model *at; /* with a reference to the pod */
};

/* Takes pod, which may be on a node: its copies are not. */
static void
add_model(struct asked *a, struct models *models, struct pod *pod,
    uint32_t times)
{
	struct pod *waiting = pod_on_node(pod, SYM_EMPTY);

	pod_unref(pod);
	vec_room(models->at, models->n, &models->cap);
	models->at[models->n++] =
	    (struct capacity_model){ cluster_confined(a->load.cluster, waiting),
		    times };
}

/* A line of a mix, "3 shop/web"; blank ones and comments say nothing. */
static int
add_line(struct asked *a, struct models *models, char *line, unsigned number)
{
	const char *file = a->options->mix;
	const struct pod *pod;
	char *end, *name;
	unsigned long times;

	line[strcspn(line, "#")] = '\0';
	line += strspn(line, " \t\r");
	if (*line == '\0')
		return EXIT_DONE;
	times = isdigit((unsigned char)*line) ? strtoul(line, &end, 10) : 0;
	if (times < 1 || times > MOST_TIMES || !isblank((unsigned char)*end)) {
		ctl_print("%s:%u: this must be a number from 1 to %d and "
			  "NS/POD",
		    file, number, MOST_TIMES);
		return EXIT_INPUT;
	}
	name = end + strspn(end, " \t");
	name[strcspn(name, " \t\r")] = '\0';
	pod = asked_pod(a, name);
	if (pod == NULL)
		return EXIT_INPUT;
	add_model(a, models, pod_ref(pod), (uint32_t)times);
	return EXIT_DONE;
}

static int
read_mix(struct asked *a, struct models *models)
{
	struct err err;
	size_t len;
	AUTOFREE char *text = load_text(a->options->mix, &len, &err);
	int code = EXIT_DONE;
	unsigned number = 1;
	char *rest = text;

	if (text == NULL)
		return ctl_fail(&err);
	while (code == EXIT_DONE && rest != NULL)
		code = add_line(a, models, strsep(&rest, "\n"), number++);
	if (code == EXIT_DONE && models->n == 0) {
		ctl_print("%s: contains no pod", a->options->mix);
		return EXIT_INPUT;
	}
	return code;
}

static int
find_models(struct asked *a, struct models *models)
{
	const struct options *o = a->options;
	struct pod *pod;

	if (o->mix != NULL)
		return read_mix(a, models);
	if (o->pod_file != NULL) {
		pod = load_pod(o->pod_file, &a->load);
	} else {
		const struct pod *like = asked_pod(a, o->like);

		pod = like != NULL ? pod_ref(like) : NULL;
	}
	if (pod == NULL)
		return EXIT_INPUT;
	add_model(a, models, pod, 1);
	return EXIT_DONE;
}

/* ---- the result ---- */

static void
report(const struct capacity *c, const struct models *models,
    const struct options *options)
{
	const char *stopped;
	struct report r;

	report_begin(&r, options);
	stopped = cell_pod(&r, models->at[c->stopped_by].pod).text;
	json_members(&r.json,
	    "copies:d rounds:d limited:b stoppedBy:s message:s",
	    (int64_t)c->copies, (int64_t)c->rounds, c->limited,
	    c->limited ? NULL : stopped, c->message);
	report_print(&r, STYLE_HEAD, "%s%llu more cop%s fit%s",
	    c->limited ? "At least " : "", (unsigned long long)c->copies,
	    c->copies == 1 ? "y" : "ies", c->copies == 1 ? "s" : "");
	if (options->mix != NULL)
		report_print(&r, STYLE_HEAD, ", %llu round%s of the mix",
		    (unsigned long long)c->rounds, plural_of(c->rounds));
	report_print(&r, STYLE_PLAIN, "\n");
	if (c->message != NULL)
		report_print(&r, STYLE_PLAIN, "Then %s: %s\n", stopped,
		    c->message);
	report_rows(&r, "runsOut",
	    "=>FILLED|=>NODES|reason=!TAKE NO MORE BECAUSE|nodes|filledNodes");
	r.limit = SIZE_MAX;
	for (size_t i = 0; i < c->nreasons; i++)
		report_row(&r, cell_count(c->reasons[i].filled),
		    cell_count(c->reasons[i].nodes),
		    cell_text(c->reasons[i].text),
		    cell_count(c->reasons[i].nodes),
		    cell_count(c->reasons[i].filled));
	report_rows_end(&r);
	report_rows(&r, "nodes",
	    "node=NODE|copies=>COPIES|reasons=~TAKES NO MORE BECAUSE");
	for (size_t i = 0; i < c->nnodes; i++)
		report_row(&r, cell_node(c->nodes[i].node->name),
		    cell_count((int64_t)c->nodes[i].copies),
		    cell_list(c->nodes[i].nreasons, c->nodes[i].reasons));
	report_rows_end(&r);
	report_end(&r);
}

int
capacity_ask(struct asked *a)
{
	struct models models = { 0 };
	struct capacity c;
	int code = find_models(a, &models);

	if (code == EXIT_DONE) {
		capacity_find(&c, &a->whatif, models.n, models.at);
		report(&c, &models, a->options);
		code = c.copies > 0 ? EXIT_DONE : EXIT_NEGATIVE;
		capacity_fini(&c);
	}
	for (size_t i = 0; i < models.n; i++)
		pod_unref((struct pod *)models.at[i].pod);
	free(models.at);
	return code;
}
