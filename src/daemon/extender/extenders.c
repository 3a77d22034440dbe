#include "config.h"

#include "daemon/extender/extenders.h"

#include "base/doc.h"
#include "daemon/extender/documents.h"
#include "daemon/extender/extenders_internal.h"
#include "decide/framework/profile.h"
#include "decide/framework/profiles.h"
#include "objects/pod.h"

struct extenders *
extenders_new(struct event_base *base, struct cluster *cluster,
    struct documents *documents, struct metrics *metrics,
    const struct profile *profile)
{
	struct extenders *extenders = xcalloc(1, sizeof(*extenders));

	extenders->base = base;
	extenders->cluster = cluster;
	extenders->documents = documents;
	extenders->profile = profile;
	extenders->n = profile->nextenders;
	extenders->all = xcalloc(extenders->n + 1, sizeof(*extenders->all));
	for (size_t i = 0; i < extenders->n; i++)
		one_extender_init(&extenders->all[i], base, metrics,
		    &profile->extenders[i]);
	return extenders;
}

void
extenders_keep_documents(struct documents *documents,
    const struct profiles *profiles)
{
	bool nodes = false, pods = false;

	for (size_t i = 0; i < profiles->n; i++) {
		const struct profile *profile = profiles->at[i];

		pods |= profile->nextenders > 0;
		for (size_t j = 0; j < profile->nextenders; j++)
			nodes |= !profile->extenders[j].node_cache_capable;
	}
	documents_keep(documents, nodes, pods);
}

void
extenders_free(struct extenders *extenders)
{
	if (extenders == NULL)
		return;
	for (size_t i = 0; i < extenders->n; i++)
		one_extender_fini(&extenders->all[i]);
	free(extenders->all);
	free(extenders);
}

bool
extenders_busy(const struct extenders *extenders)
{
	return ANY(i, extenders->n, extenders->all[i].nrunning > 0);
}

/* ---- which extenders are asked ---- */

bool
extender_handles(const struct one_extender *extender, const char *verb,
    const struct pod_class *class)
{
	const struct extender *config = extender->config;

	if (*verb == '\0')
		return false;
	for (size_t i = 0; i < config->nmanaged; i++) {
		sym name = config->managed[i].name;

		if (resources_scalar(&class->requested, name) != NULL ||
		    resources_scalar(&class->limits, name) != NULL)
			return true;
	}
	return config->nmanaged == 0;
}

bool
extenders_decide(const struct extenders *extenders,
    const struct pod_class *class)
{
	for (size_t i = 0; i < extenders->n; i++) {
		const struct one_extender *e = &extenders->all[i];

		if (extender_handles(e, e->config->filter_verb, class) ||
		    extender_handles(e, e->config->prioritize_verb, class))
			return true;
	}
	return false;
}

bool
extenders_preempt(const struct extenders *extenders,
    const struct pod_class *class)
{
	return ANY(i, extenders->n,
	    extender_handles(&extenders->all[i],
		extenders->all[i].config->preempt_verb, class));
}

static struct one_extender *
binder_of(const struct extenders *extenders, const struct pod_class *class)
{
	for (size_t i = 0; i < extenders->n; i++)
		if (extender_handles(&extenders->all[i],
			extenders->all[i].config->bind_verb, class))
			return &extenders->all[i];
	return NULL;
}

bool
extenders_bind(const struct extenders *extenders, const struct pod_class *class)
{
	return binder_of(extenders, class) != NULL;
}

/* ---- binding ---- */

struct extender_binding {
	struct extender_call *call;
	void (*done)(void *arg, const char *error);
	void *arg;
};

static void
on_bound(void *arg, const struct doc_node *answer, const char *error)
{
	struct extender_binding binding = *(struct extender_binding *)arg;

	free(arg);
	if (answer != NULL)
		error = answer->kind == DOC_OBJECT ? extender_error(answer) :
						     "the response is not an "
						     "object";
	binding.done(binding.arg, error);
}

struct extender_binding *
extender_binding_new(struct extenders *extenders, const struct pod *pod,
    sym node, void (*done)(void *arg, const char *error), void *arg)
{
	struct one_extender *e = binder_of(extenders, pod->class);
	struct extender_binding *binding = xcalloc(1, sizeof(*binding));
	struct text body = { 0 };

	json_put(&body,
	    "{'PodName':%s,'PodNamespace':%s,'PodUID':%s,"
	    "'Node':%s}",
	    pod->object.name, sym_text(pod->object.namespace), pod->object.uid,
	    sym_text(node));
	binding->done = done;
	binding->arg = arg;
	binding->call = extender_post(e, e->config->bind_verb, body.bytes,
	    on_bound, binding);
	text_fini(&body);
	return binding;
}

void
extender_binding_cancel(struct extender_binding *binding)
{
	if (binding == NULL)
		return;
	extender_cancel(binding->call);
	free(binding);
}
