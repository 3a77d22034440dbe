#include "config.h"

#include <event2/event.h>

#include "base/doc.h"
#include "base/log.h"
#include "cluster/cluster.h"
#include "daemon/extender/documents.h"
#include "daemon/extender/extenders_internal.h"
#include "decide/framework/extension.h"
#include "objects/pod.h"

/* A question to one extender. */
struct question {
	struct extender_round *round;
	struct one_extender *extender;
	struct extender_call *call; /* NULL: not asked, or answered */
};

struct extender_round {
	struct extenders *extenders;
	struct pod *pod;
	struct extender_round_ops ops;
	void *arg;
	struct extension said;
	size_t next; /* extender to filter */
	sym *nodes;  /* asked about */
	size_t nnodes;
	struct documents_fetch *fetch;
	struct question *questions; /* by extender */
	size_t nasked;              /* without an answer */
	char *error;
	struct event *end;
};

static void
finish(struct extender_round *round, const char *error)
{
	if (error != NULL)
		round->error = xstrdup(error);
	event_active(round->end, EV_TIMEOUT, 0);
}

static void
update_fitting_nodes(struct extender_round *round)
{
	free(round->nodes);
	round->nodes = NULL;
	round->nnodes =
	    round->ops.fitting(round->arg, &round->said, &round->nodes);
}

/* Fetches the objects that the extender needs, and then calls then(). */
static void
with_documents(struct extender_round *round, bool nodes,
    void (*then)(void *round))
{
	struct extenders *extenders = round->extenders;
	AUTOFREE const struct object **wanted =
	    xcalloc(round->nnodes + 1, sizeof(*wanted));
	size_t n = 0;

	wanted[n++] = &round->pod->object;
	for (size_t i = 0; nodes && i < round->nnodes; i++) {
		const struct node_info *node =
		    cluster_node(extenders->cluster, round->nodes[i]);

		if (node != NULL && node->node != NULL)
			wanted[n++] = &node->node->object;
	}
	round->fetch =
	    documents_fetch(extenders->documents, wanted, n, then, round);
	if (round->fetch == NULL)
		then(round);
}

/* false: the pod is gone. */
static bool
post_question(struct extender_round *round, struct question *question,
    const char *verb, extender_done *on_answer)
{
	struct one_extender *e = question->extender;
	AUTOFREE char *body = extender_args(round->extenders, round->pod,
	    round->nodes, round->nnodes, e->config->node_cache_capable);

	if (body == NULL)
		return false;
	question->call = extender_post(e, verb, body, on_answer, question);
	round->nasked++;
	return true;
}

/* ---- scoring ---- */

/* An extender that fails to score is not asked again: others may score. */
static void
on_scored(void *arg, const struct doc_node *answer, const char *error)
{
	struct question *question = arg;
	struct extender_round *round = question->round;
	const struct extender *config = question->extender->config;
	/* extenders' scores go up to 10 */
	int64_t scale = round->extenders->profile->score_max / 10;
	struct node_score *scores = NULL;
	size_t n = 0;
	struct err err;

	question->call = NULL;
	if (answer != NULL && node_scores_read(answer, &scores, &n, &err) != 0)
		error = err.text;
	if (error != NULL)
		log_v(2, "extender %s does not prioritize: %s",
		    config->url_prefix, error);
	for (size_t i = 0; i < n; i++)
		extension_score(&round->said, scores[i].node,
		    wrap_mul(wrap_mul(scores[i].score, config->weight), scale));
	free(scores);
	if (--round->nasked == 0)
		finish(round, NULL);
}

static bool
scores_pod(const struct extender_round *round, const struct one_extender *e)
{
	return extender_handles(e, e->config->prioritize_verb,
	    round->pod->class);
}

static void
ask_for_scores(void *arg)
{
	struct extender_round *round = arg;

	round->fetch = NULL;
	for (size_t i = 0; i < round->extenders->n; i++) {
		struct question *q = &round->questions[i];

		if (scores_pod(round, q->extender))
			post_question(round, q,
			    q->extender->config->prioritize_verb, on_scored);
	}
	if (round->nasked == 0)
		finish(round, NULL);
}

static void
score(struct extender_round *round)
{
	bool anybody = false, objects = false;

	for (size_t i = 0; i < round->extenders->n; i++) {
		const struct one_extender *e = &round->extenders->all[i];

		if (!scores_pod(round, e))
			continue;
		anybody = true;
		objects |= !e->config->node_cache_capable;
	}
	if (anybody)
		update_fitting_nodes(round);
	/* a node without a rival is not scored */
	if (anybody && round->nnodes > 1)
		with_documents(round, objects, ask_for_scores);
	else
		finish(round, NULL);
}

/* ---- filtering ---- */

static void filter_next(struct extender_round *round);

static void
on_filtered(void *arg, const struct doc_node *answer, const char *error)
{
	struct question *question = arg;
	struct extender_round *round = question->round;
	const struct extender *config = question->extender->config;
	struct filter_result result = { 0 };
	struct err err;

	question->call = NULL;
	round->nasked--;
	if (answer != NULL &&
	    filter_result_read(question->extender, answer, round->nodes,
		round->nnodes, &result, &err) != 0)
		error = err.text;
	if (error != NULL && config->ignorable) {
		log_warning("Skipping extender %s as it returned error %s and "
			    "has ignorable flag set",
		    config->url_prefix, error);
	} else if (error == NULL) {
		extension_restrict(&round->said, result.left, result.nleft);
		for (size_t i = 0; i < result.nrefusals; i++)
			extension_refuse(&round->said, result.refusals[i].node,
			    result.refusals[i].reason,
			    result.refusals[i].forever);
	}
	if (error != NULL && !config->ignorable)
		finish(round, error);
	else
		filter_next(round);
	filter_result_fini(&result);
}

static void
ask_to_filter(void *arg)
{
	struct extender_round *round = arg;
	struct question *q = &round->questions[round->next++];

	round->fetch = NULL;
	if (!post_question(round, q, q->extender->config->filter_verb,
		on_filtered))
		finish(round, "cannot decode the pod");
}

static void
filter_next(struct extender_round *round)
{
	const struct one_extender *all = round->extenders->all;

	while (round->next < round->extenders->n &&
	    !extender_handles(&all[round->next],
		all[round->next].config->filter_verb, round->pod->class))
		round->next++;
	if (round->next == round->extenders->n) {
		score(round);
		return;
	}
	update_fitting_nodes(round);
	if (round->nnodes > 0)
		with_documents(round,
		    !all[round->next].config->node_cache_capable,
		    ask_to_filter);
	else
		finish(round, NULL);
}

/* ---- the round ---- */

static void
on_end(evutil_socket_t fd, short what, void *arg)
{
	struct extender_round *round = arg;

	round->ops.decided(round->arg, &round->said, round->error);
}

struct extender_round *
extender_round_new(struct extenders *extenders, const struct pod *pod,
    const struct extender_round_ops *ops, void *arg)
{
	struct extender_round *round = xcalloc(1, sizeof(*round));

	round->extenders = extenders;
	round->pod = pod_ref(pod);
	round->ops = *ops;
	round->arg = arg;
	round->questions = xcalloc(extenders->n, sizeof(*round->questions));
	for (size_t i = 0; i < extenders->n; i++) {
		round->questions[i].round = round;
		round->questions[i].extender = &extenders->all[i];
	}
	round->end = evtimer_new(extenders->base, on_end, round);
	filter_next(round);
	return round;
}

void
extender_round_free(struct extender_round *round)
{
	if (round == NULL)
		return;
	for (size_t i = 0; i < round->extenders->n; i++)
		extender_cancel(round->questions[i].call);
	documents_cancel(round->fetch);
	event_free(round->end);
	extension_fini(&round->said);
	pod_unref(round->pod);
	free(round->questions);
	free(round->nodes);
	free(round->error);
	free(round);
}
