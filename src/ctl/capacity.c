/* predicatectl capacity: how many more pods fit, and why no more. */
#include "config.h"

#include "whatif/capacity.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/json_out.h"
#include "base/xmalloc.h"
#include "cluster/confines.h"
#include "ctl/ctl.h"
#include "ctl/whatif.h"

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
		ctl_say("%s:%u: this must be a number from 1 to %d and "
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
	char *line = text;

	if (text == NULL) {
		ctl_say("%s", err.text);
		return EXIT_INPUT;
	}
	while (code == EXIT_DONE && line != NULL) {
		char *next = strchr(line, '\n');

		if (next != NULL)
			*next++ = '\0';
		code = add_line(a, models, line, number++);
		line = next;
	}
	if (code == EXIT_DONE && models->n == 0) {
		ctl_say("%s: contains no pod", a->options->mix);
		return EXIT_INPUT;
	}
	return code;
}

static int
find_models(struct asked *a, struct models *models)
{
	const struct options *o = a->options;
	struct pod *pod;
	struct err err;

	if (o->mix != NULL)
		return read_mix(a, models);
	if (o->pod_file != NULL) {
		pod = load_pod(o->pod_file, &a->load, &err);
		if (pod == NULL)
			ctl_say("%s", err.text);
	} else {
		const struct pod *like = asked_pod(a, o->like);

		pod = like != NULL ? pod_ref(like) : NULL;
	}
	if (pod == NULL)
		return EXIT_INPUT;
	add_model(a, models, pod, 1);
	return EXIT_DONE;
}

/* ---- for programs ---- */

static void
json_nodes(struct json_out *json, const struct capacity *c)
{
	json_begin(json, "nodes");
	for (size_t i = 0; i < c->nnodes; i++) {
		const struct capacity_node *node = &c->nodes[i];

		json_begin_item(json);
		json_pair(json, "node", sym_text(node->node->name));
		json_pair_int(json, "copies", (int64_t)node->copies);
		json_strings(json, "reasons", node->nreasons, node->reasons);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void
capacity_json(const struct capacity *c, const struct models *models,
    const struct options *options)
{
	struct text text = { 0 };
	struct json_out json = JSON_OUT_INIT(&text);

	json_open(&json, '{');
	json_pair_int(&json, "copies", (int64_t)c->copies);
	json_pair_int(&json, "rounds", (int64_t)c->rounds);
	json_pair_bool(&json, "limited", c->limited);
	json_pair(&json, "stoppedBy",
	    c->limited ? NULL : pod_full_name(models->at[c->stopped_by].pod));
	json_pair(&json, "message", c->message);
	json_begin(&json, "runsOut");
	for (size_t i = 0; i < c->nreasons; i++) {
		json_begin_item(&json);
		json_pair(&json, "reason", c->reasons[i].text);
		json_pair_int(&json, "nodes", c->reasons[i].nodes);
		json_pair_int(&json, "filledNodes", c->reasons[i].filled);
		json_close(&json, '}');
	}
	json_close(&json, ']');
	json_nodes(&json, c);
	json_close(&json, '}');
	asked_write(options, &text);
}

/* ---- for people ---- */

static void
print_reasons(const struct capacity *c, const struct options *options)
{
	struct table table;

	table_begin(&table, ">FILLED|>NODES|TAKE NO MORE BECAUSE");
	for (size_t i = 0; i < c->nreasons; i++) {
		table_add(&table, STYLE_PLAIN, "%u", c->reasons[i].filled);
		table_add(&table, STYLE_PLAIN, "%u", c->reasons[i].nodes);
		table_add(&table, STYLE_BAD, "%s", c->reasons[i].text);
	}
	table_end(&table, &options->screen, 2);
}

static void
print_nodes(const struct capacity *c, const struct options *options)
{
	struct arena arena = ARENA_INIT;
	size_t n = asked_rows(options, c->nnodes);
	struct table table;

	table_begin(&table, "NODE|>COPIES|TAKES NO MORE BECAUSE");
	for (size_t i = 0; i < n; i++) {
		const struct capacity_node *node = &c->nodes[i];

		table_add(&table, STYLE_PLAIN, "%s",
		    sym_text(node->node->name));
		table_add(&table, STYLE_PLAIN, "%llu",
		    (unsigned long long)node->copies);
		table_add(&table, STYLE_DIM, "%s",
		    arena_join(&arena, node->nreasons, node->reasons, "; "));
	}
	table_end(&table, &options->screen, 2);
	arena_fini(&arena);
	asked_more(options, c->nnodes - n);
}

static void
capacity_table(const struct capacity *c, const struct models *models,
    const struct options *options)
{
	const struct screen *screen = &options->screen;

	screen_print(screen, STYLE_HEAD, "%s%llu more cop%s fit%s",
	    c->limited ? "At least " : "", (unsigned long long)c->copies,
	    c->copies == 1 ? "y" : "ies", c->copies == 1 ? "s" : "");
	if (options->mix != NULL)
		screen_print(screen, STYLE_HEAD, ", %llu round%s of the mix",
		    (unsigned long long)c->rounds, plural_of(c->rounds));
	screen_print(screen, STYLE_PLAIN, "\n");
	if (c->message != NULL)
		screen_print(screen, STYLE_PLAIN, "Then %s: %s\n",
		    pod_full_name(models->at[c->stopped_by].pod), c->message);
	if (c->nreasons > 0) {
		screen_print(screen, STYLE_PLAIN, "\n");
		print_reasons(c, options);
	}
	screen_print(screen, STYLE_PLAIN, "\n");
	print_nodes(c, options);
}

static int
capacity_of(struct asked *a)
{
	struct models models = { 0 };
	struct capacity c;
	int code = find_models(a, &models);

	if (code == EXIT_DONE) {
		capacity_find(&c, &a->whatif, models.n, models.at);
		if (a->options->json)
			capacity_json(&c, &models, a->options);
		else
			capacity_table(&c, &models, a->options);
		code = c.copies > 0 ? EXIT_DONE : EXIT_NEGATIVE;
		capacity_fini(&c);
	}
	for (size_t i = 0; i < models.n; i++)
		pod_unref((struct pod *)models.at[i].pod);
	free(models.at);
	return code;
}

int
capacity_run(const struct options *options)
{
	return asked_run(options, capacity_of);
}
