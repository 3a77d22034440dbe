/*
 * --config: the fields of a KubeSchedulerConfiguration
 * (doc/semantics/08-kubeschedulerconfiguration.md, Fields) that are options here.
 * policy/configuration/configuration.h decodes and validates it; whatever is wrong is
 * reported there, and passed over here.
 *
 * Go writes all fields of a struct, so "", 0 and null are as if they were not there,
 * except where kube-scheduler has a pointer.
 */
#include "config.h"

#include "base/doc.h"
#include "base/text.h"
#include "policy/configuration/configuration.h"
#include "options/options_internal.h"

/* Fields of all versions from v1alpha1 to v1 that have a meaning here. */
static const struct field {
	const char *path;
	enum {
		OPTION,   /* is the option of this flag */
		SECONDS,  /* is, too; a number without a unit, or a pointer */
		ADDRESS,  /* see options_plain.c */
		GROUP,    /* has fields of its own */
		RULES,    /* not read here */
		PROFILES, /* neither, but for a name */
	} means;
	const char *flag;
} fields[] = {
	{ "algorithmSource", GROUP, NULL },
	{ "algorithmSource.provider", OPTION, "algorithm-provider" },
	{ "algorithmSource.policy", GROUP, NULL },
	{ "algorithmSource.policy.file", GROUP, NULL },
	{ "algorithmSource.policy.file.path", OPTION, "policy-config-file" },
	{ "algorithmSource.policy.configMap", GROUP, NULL },
	{ "algorithmSource.policy.configMap.namespace", OPTION,
	    "policy-configmap-namespace" },
	{ "algorithmSource.policy.configMap.name", OPTION, "policy-configmap" },
	{ "bindTimeoutSeconds", SECONDS, "volume-bind-timeout" },
	{ "clientConnection", GROUP, NULL },
	{ "clientConnection.kubeconfig", OPTION, "kubeconfig" },
	{ "clientConnection.acceptContentTypes", OPTION,
	    "kube-api-accept-content-types" },
	{ "clientConnection.contentType", OPTION, "kube-api-content-type" },
	{ "clientConnection.qps", OPTION, "kube-api-qps" },
	{ "clientConnection.burst", OPTION, "kube-api-burst" },
	{ "disablePreemption", OPTION, "disable-preemption" },
	{ "extenders", RULES, NULL },
	{ "hardPodAffinitySymmetricWeight", OPTION,
	    "hard-pod-affinity-symmetric-weight" },
	{ "healthzBindAddress", ADDRESS, NULL },
	{ "leaderElection", GROUP, NULL },
	{ "leaderElection.leaderElect", OPTION, "leader-elect" },
	{ "leaderElection.leaseDuration", OPTION,
	    "leader-elect-lease-duration" },
	{ "leaderElection.lockObjectName", OPTION,
	    "leader-elect-resource-name" },
	{ "leaderElection.lockObjectNamespace", OPTION,
	    "leader-elect-resource-namespace" },
	{ "leaderElection.renewDeadline", OPTION,
	    "leader-elect-renew-deadline" },
	{ "leaderElection.resourceLock", OPTION, "leader-elect-resource-lock" },
	{ "leaderElection.resourceName", OPTION, "leader-elect-resource-name" },
	{ "leaderElection.resourceNamespace", OPTION,
	    "leader-elect-resource-namespace" },
	{ "leaderElection.retryPeriod", OPTION, "leader-elect-retry-period" },
	{ "metricsBindAddress", ADDRESS, NULL },
	{ "percentageOfNodesToScore", OPTION, "percentage-of-nodes-to-score" },
	{ "pluginConfig", RULES, NULL },
	{ "plugins", RULES, NULL },
	{ "podInitialBackoffSeconds", SECONDS, "pod-initial-backoff" },
	{ "podMaxBackoffSeconds", SECONDS, "pod-max-backoff" },
	{ "profiles", PROFILES, NULL },
	{ "schedulerName", OPTION, "scheduler-name" },
};

static const char *
where_is(struct options_reading *reading, const struct doc_node *node)
{
	return arena_printf(&reading->options->arena, "%s:%u:%u",
	    doc_name(node->doc), node->line, node->column);
}

/* The name of the only profile is that of the scheduler. */
static void
take_profiles(struct options_reading *reading, const struct doc_node *list)
{
	const struct doc_node *profile = list->first;
	const struct doc_node *name = doc_get(profile, "schedulerName");

	for (; profile != NULL; profile = profile->next)
		reading->options->config_has_rules |= list->count > 1 ||
		    doc_get(profile, "plugins") != NULL ||
		    doc_get(profile, "pluginConfig") != NULL;
	if (list->count == 1 && name != NULL && name->kind == DOC_STRING)
		options_set(reading, option_of(scheduler_name), LAYER_CONFIG,
		    where_is(reading, name), name->text);
}

/* As a flag has it; NULL: it is nothing, or not of the option's type. */
static const char *
text_of(struct options_reading *reading, const struct doc_node *node,
    const struct option_row *row, bool seconds)
{
	bool is_text = !seconds &&
	    (row->type == OPTION_STRING || row->type == OPTION_CHOICE ||
		row->type == OPTION_LIST || row->type == OPTION_DURATION);
	int64_t ms;

	if (row->type == OPTION_BOOL)
		return node->kind != DOC_BOOL ? NULL :
		    node->boolean             ? "true" :
						"false";
	if (node->kind != (is_text ? DOC_STRING : DOC_NUMBER) || node->len == 0)
		return NULL;
	if (seconds)
		return arena_printf(&reading->options->arena, "%ss",
		    node->text);
	if (row->type == OPTION_DURATION ?
		option_duration_parse(node->text, &ms, NULL) == 0 && ms == 0 :
		!is_text && strtod(node->text, NULL) == 0)
		return NULL;
	return node->text;
}

static void take_field(struct options_reading *reading,
    const struct field *field, const struct doc_node *node);

static void
walk(struct options_reading *reading, const struct doc_node *object,
    const char *prefix)
{
	EACH_CHILD (node, object) {
		const char *path = arena_printf(&reading->options->arena,
		    "%s%s", prefix, node->key);
		const struct field *field =
		    FIND_ROW(fields, LENGTH(fields), path, path);

		if (field != NULL && node->kind != DOC_NULL)
			take_field(reading, field, node);
	}
}

static void
take_field(struct options_reading *reading, const struct field *field,
    const struct doc_node *node)
{
	const struct option_row *row;
	struct daemon_options *o = reading->options;
	const char *text;

	switch (field->means) {
	case OPTION:
	case SECONDS:
		row = option_find(&daemon_table, OPTION_ANY, field->flag);
		text = text_of(reading, node, row, field->means == SECONDS);
		if (text != NULL)
			options_set(reading, row, LAYER_CONFIG,
			    where_is(reading, node), text);
		break;
	case ADDRESS:
		if (node->kind == DOC_STRING)
			*(field->path[0] == 'h' ? &o->healthz_bind_address :
						  &o->metrics_bind_address) =
			    arena_strndup(&o->arena, node->text, node->len);
		break;
	case GROUP:
		if (node->kind == DOC_OBJECT)
			walk(reading, node,
			    arena_printf(&o->arena, "%s.", field->path));
		break;
	case RULES:
		o->config_has_rules |= node->count > 0;
		break;
	case PROFILES:
		take_profiles(reading, node);
		break;
	}
}

/* What depends on the version when the file does not say it. */
static void
take_version(struct options_reading *reading, const struct doc_node *root)
{
	static const struct {
		const char *version, *lock;
	} old[] = { { "v1alpha1", "endpoints" },
		{ "v1alpha2", "endpointsleases" }, { "v1beta1", "leases" } };
	const char *version = doc_string(doc_get(root, "apiVersion"));

	version += strcspn(version, "/");
	for (size_t i = 0; *version != '\0' && i < LENGTH(old); i++) {
		if (strcmp(old[i].version, version + 1) != 0)
			continue;
		reading->options->config_is_old = true;
		options_set(reading, option_of(lock), LAYER_CONFIG, "--config",
		    old[i].lock);
	}
}

void
options_kube_config(struct options_reading *reading, const char *path)
{
	const struct doc_node *root;
	struct doc_reader *reader;
	struct err err;

	reader = doc_open_file(path, &doc_limits_people, false, &err);
	if (reader == NULL) {
		options_refuse(reading, "--config", "%s", err.text);
		return;
	}
	if (doc_next(reader, &root, &err) == 1 && root->kind == DOC_OBJECT) {
		reading->is_lenient = true;
		take_version(reading, root);
		walk(reading, root, "");
		reading->is_lenient = false;
	}
	doc_close(reader);
}
