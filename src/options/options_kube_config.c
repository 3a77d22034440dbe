/*
 * --config: the fields of a KubeSchedulerConfiguration
 * (doc/semantics/08-kubeschedulerconfiguration.md, Fields) that are options
 * here.  configuration/configuration.h reads its profiles, and reports their errors.
 */
#include "config.h"

#include "base/doc.h"
#include "base/text.h"
#include "options/options_internal.h"

/* Fields of all versions from v1alpha1 to v1. */
static const struct field {
	const char *path;
	enum {
		OPTION,       /* is the option of this flag */
		UNLESS_EMPTY, /* is, too; "" is as if it were not there */
		SECONDS,      /* is, too; a number without a unit */
		ADDRESS,      /* see options_plain.c */
		NOTHING,  /* means nothing here, as the flag of the same name */
		GROUP,    /* has fields of its own */
		RULES,    /* not read here */
		PROFILES, /* neither, but for a name */
	} means;
	const char *flag;
} fields[] = {
	{ "apiVersion", NOTHING, NULL },
	{ "kind", NOTHING, NULL },
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
	{ "clientConnection.acceptContentTypes", UNLESS_EMPTY,
	    "kube-api-accept-content-types" },
	{ "clientConnection.contentType", UNLESS_EMPTY,
	    "kube-api-content-type" },
	{ "clientConnection.qps", OPTION, "kube-api-qps" },
	{ "clientConnection.burst", OPTION, "kube-api-burst" },
	{ "delayCacheUntilActive", NOTHING, NULL },
	{ "disablePreemption", OPTION, "disable-preemption" },
	{ "enableContentionProfiling", NOTHING, NULL },
	{ "enableProfiling", NOTHING, NULL },
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
	{ "parallelism", NOTHING, NULL },
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

static void
unknown(struct options_reading *reading, const struct doc_node *node,
    const char *path)
{
	const char *names[LENGTH(fields)];

	for (size_t i = 0; i < LENGTH(fields); i++)
		names[i] = fields[i].path;
	options_refuse(reading, where_is(reading, node),
	    "unknown field \"%s\"%s", path,
	    options_hint(reading, "\"",
		closest_name(path, names, LENGTH(fields))));
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

/* Whether the node is of this kind; refuses another. */
static bool
is_kind(struct options_reading *reading, const struct doc_node *node,
    const char *path, enum doc_kind wanted)
{
	if (node->kind == wanted)
		return true;
	options_refuse(reading, where_is(reading, node),
	    "%s must be %s, not %s", path, doc_kind_name(wanted),
	    doc_kind_name(node->kind));
	return false;
}

static void
take_option(struct options_reading *reading, const struct doc_node *node,
    const struct field *field)
{
	const struct option_row *row = option_by_flag(field->flag);
	bool seconds = field->means == SECONDS;
	enum doc_kind wanted = DOC_NUMBER;
	const char *text = node->text;

	if (row->type == OPTION_BOOL)
		wanted = DOC_BOOL;
	else if (!seconds &&
	    (row->type == OPTION_STRING || row->type == OPTION_CHOICE ||
		row->type == OPTION_LIST || row->type == OPTION_DURATION))
		wanted = DOC_STRING;
	if (!is_kind(reading, node, field->path, wanted))
		return;
	if (wanted == DOC_BOOL)
		text = node->boolean ? "true" : "false";
	else if (seconds)
		text = arena_printf(&reading->options->arena, "%ss", text);
	options_set(reading, row, LAYER_CONFIG, where_is(reading, node), text);
}

static void
take_address(struct options_reading *reading, const struct doc_node *node,
    const char *path)
{
	struct daemon_options *o = reading->options;
	const char **address = strcmp(path, "healthzBindAddress") == 0 ?
	    &o->healthz_bind_address :
	    &o->metrics_bind_address;

	if (is_kind(reading, node, path, DOC_STRING))
		*address =
		    arena_strndup(&o->arena, node->text, strlen(node->text));
}

/* Those that serve without TLS when they do not say where. */
static bool
is_old(const struct doc_node *root)
{
	const char *version = "", *slash;

	doc_get_string(root, "apiVersion", "apiVersion", &version, NULL);
	slash = strchr(version, '/');
	return slash != NULL &&
	    text_is_choice("v1alpha1|v1alpha2|v1beta1", slash + 1);
}

static void walk(struct options_reading *reading, const struct doc_node *object,
    const char *prefix);

static void
take_field(struct options_reading *reading, const struct field *field,
    const struct doc_node *node)
{
	const char *path = field->path;

	switch (field->means) {
	case UNLESS_EMPTY:
		if (node->kind == DOC_STRING && node->len == 0)
			break;
		__attribute__((fallthrough));
	case OPTION:
	case SECONDS:
		take_option(reading, node, field);
		break;
	case ADDRESS:
		take_address(reading, node, path);
		break;
	case NOTHING:
		break;
	case GROUP:
		if (is_kind(reading, node, path, DOC_OBJECT))
			walk(reading, node,
			    arena_printf(&reading->options->arena, "%s.",
				path));
		break;
	case RULES:
		reading->options->config_has_rules |= node->count > 0;
		break;
	case PROFILES:
		take_profiles(reading, node);
		break;
	}
}

static void
walk(struct options_reading *reading, const struct doc_node *object,
    const char *prefix)
{
	EACH_CHILD (node, object) {
		const char *path = arena_printf(&reading->options->arena,
		    "%s%s", prefix, node->key);
		const struct field *field =
		    FIND_ROW(fields, LENGTH(fields), path, path);

		if (field == NULL)
			unknown(reading, node, path);
		else if (node->kind != DOC_NULL)
			take_field(reading, field, node);
	}
}

/* Whether it is a KubeSchedulerConfiguration that --config accepts. */
static bool
is_configuration(const struct doc_node *root, struct err *err)
{
	const char *kind = "", *version = "";

	if (root->kind != DOC_OBJECT) {
		doc_errf(err, root, "this must be an object, not %s",
		    doc_kind_name(root->kind));
		return false;
	}
	if (doc_get_string(root, "kind", "kind", &kind, err) != 0 ||
	    doc_get_string(root, "apiVersion", "apiVersion", &version, err) !=
		0)
		return false;
	if (strcmp(kind, "Policy") == 0) {
		doc_errf(err, root,
		    "this is a policy; give it with "
		    "--policy-config-file");
		return false;
	}
	if (strcmp(kind, "KubeSchedulerConfiguration") != 0 ||
	    strncmp(version, "kubescheduler.config.k8s.io/", 28) != 0) {
		doc_errf(err, root,
		    "this must be a KubeSchedulerConfiguration "
		    "of kubescheduler.config.k8s.io, not '%s' of '%s'",
		    kind, version);
		return false;
	}
	return true;
}

void
options_kube_config(struct options_reading *reading, const char *path)
{
	const struct doc_node *root;
	struct doc_reader *reader;
	struct err err;
	int got;

	reader = doc_open_file(path, &doc_limits_people, false, &err);
	if (reader == NULL) {
		options_refuse(reading, "--config", "%s", err.text);
		return;
	}
	got = doc_next(reader, &root, &err);
	if (got == 0) {
		options_refuse(reading, "--config", "%s is empty", path);
	} else if (got < 0 || !is_configuration(root, &err)) {
		options_refuse(reading, "--config", "%s", err.text);
	} else {
		reading->options->config_is_old = is_old(root);
		walk(reading, root, "");
	}
	doc_close(reader);
}
