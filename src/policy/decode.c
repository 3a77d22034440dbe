/*
 * Decodes a document to struct policy as kube-scheduler 1.15 does: unknown
 * fields are ignored (we warn), null counts as absent, a value of the wrong
 * type is an error.  Names are case-sensitive, except within extenders, for
 * which it uses another decoder.
 */
#include "config.h"

#include "base/xmalloc.h"
#include "policy/schema.h"

static const struct field labels_fields[] = {
	FIELD(labels_argument, labels, "labels", "Labels", FIELD_STRINGS),
	FIELD(labels_argument, presence, "presence", "Presence", FIELD_BOOL),
	FIELD(labels_argument, label, "label", NULL, FIELD_STRING),
};
static const struct schema labels_schema =
    SCHEMA(labels_argument, labels_fields, false);

/* The same without presence. */
static const struct field affinity_fields[] = {
	FIELD(labels_argument, labels, "labels", "Labels", FIELD_STRINGS),
	FIELD(labels_argument, label, "label", NULL, FIELD_STRING),
};
static const struct schema affinity_schema =
    SCHEMA(labels_argument, affinity_fields, false);

static const struct field predicate_argument_fields[] = {
	FIELD_OF(predicate_argument, service_affinity, "serviceAffinity",
	    "ServiceAffinity", FIELD_OBJECT, affinity_schema),
	FIELD_OF(predicate_argument, labels_presence, "labelsPresence",
	    "LabelsPresence", FIELD_OBJECT, labels_schema),
	FIELD_OF(predicate_argument, label_preference, "labelPreference", NULL,
	    FIELD_OBJECT, labels_schema),
};
static const struct schema predicate_argument_schema =
    SCHEMA(predicate_argument, predicate_argument_fields, false);

static const struct field predicate_fields[] = {
	FIELD(predicate_entry, name, "name", "Name", FIELD_STRING),
	FIELD_OF(predicate_entry, argument, "argument", "Argument",
	    FIELD_OBJECT, predicate_argument_schema),
};
static const struct schema predicate_schema =
    SCHEMA(predicate_entry, predicate_fields, false);

static const struct field anti_affinity_fields[] = {
	FIELD(label_argument, label, "label", "Label", FIELD_STRING),
	FIELD(label_argument, labels, "labels", NULL, FIELD_STRINGS),
};
static const struct schema anti_affinity_schema =
    SCHEMA(label_argument, anti_affinity_fields, false);

static const struct field preference_fields[] = {
	FIELD(label_argument, label, "label", "Label", FIELD_STRING),
	FIELD(label_argument, presence, "presence", "Presence", FIELD_BOOL),
	FIELD(label_argument, labels, "labels", NULL, FIELD_STRINGS),
};
static const struct schema preference_schema =
    SCHEMA(label_argument, preference_fields, false);

static const struct field shape_fields[] = {
	FIELD(shape_entry, utilization, "utilization", "Utilization",
	    FIELD_INT),
	FIELD(shape_entry, score, "score", "Score", FIELD_INT),
};
static const struct schema shape_schema =
    SCHEMA(shape_entry, shape_fields, false);

static const struct field ratio_fields[] = {
	FIELD_OF(ratio_argument, shape, "shape", "UtilizationShape",
	    FIELD_OBJECTS, shape_schema),
};
static const struct schema ratio_schema =
    SCHEMA(ratio_argument, ratio_fields, false);

static const struct field priority_argument_fields[] = {
	FIELD_OF(priority_argument, service_anti_affinity,
	    "serviceAntiAffinity", "ServiceAntiAffinity", FIELD_OBJECT,
	    anti_affinity_schema),
	FIELD_OF(priority_argument, label_preference, "labelPreference",
	    "LabelPreference", FIELD_OBJECT, preference_schema),
	FIELD_OF(priority_argument, requested_to_capacity_ratio,
	    "requestedToCapacityRatioArguments",
	    "RequestedToCapacityRatioArguments", FIELD_OBJECT, ratio_schema),
};
static const struct schema priority_argument_schema =
    SCHEMA(priority_argument, priority_argument_fields, false);

static const struct field priority_fields[] = {
	FIELD(priority_entry, name, "name", "Name", FIELD_STRING),
	FIELD(priority_entry, weight, "weight", "Weight", FIELD_INT),
	FIELD_OF(priority_entry, argument, "argument", "Argument", FIELD_OBJECT,
	    priority_argument_schema),
};
static const struct schema priority_schema =
    SCHEMA(priority_entry, priority_fields, false);

static const struct field tls_fields[] = {
	FIELD(tls_entry, insecure, "insecure", "Insecure", FIELD_BOOL),
	FIELD(tls_entry, server_name, "serverName", "ServerName", FIELD_STRING),
	FIELD(tls_entry, cert_file, "certFile", "CertFile", FIELD_STRING),
	FIELD(tls_entry, key_file, "keyFile", "KeyFile", FIELD_STRING),
	FIELD(tls_entry, ca_file, "caFile", "CAFile", FIELD_STRING),
	FIELD(tls_entry, cert_data, "certData", "CertData", FIELD_BYTES),
	FIELD(tls_entry, key_data, "keyData", "KeyData", FIELD_BYTES),
	FIELD(tls_entry, ca_data, "caData", "CAData", FIELD_BYTES),
};
static const struct schema tls_schema = SCHEMA(tls_entry, tls_fields, false);

static const struct field resource_fields[] = {
	FIELD(resource_entry, name, "name", "Name", FIELD_STRING),
	FIELD(resource_entry, ignored_by_scheduler, "ignoredByScheduler",
	    "IgnoredByScheduler", FIELD_BOOL),
};
static const struct schema resource_schema =
    SCHEMA(resource_entry, resource_fields, false);

static const struct field extender_fields[] = {
	FIELD(extender_entry, url_prefix, "urlPrefix", "URLPrefix",
	    FIELD_STRING),
	FIELD(extender_entry, filter_verb, "filterVerb", "FilterVerb",
	    FIELD_STRING),
	FIELD(extender_entry, preempt_verb, "preemptVerb", "PreemptVerb",
	    FIELD_STRING),
	FIELD(extender_entry, prioritize_verb, "prioritizeVerb",
	    "PrioritizeVerb", FIELD_STRING),
	FIELD(extender_entry, weight, "weight", "Weight", FIELD_INT),
	FIELD(extender_entry, bind_verb, "bindVerb", "BindVerb", FIELD_STRING),
	FIELD(extender_entry, enable_https, "enableHttps", "EnableHTTPS",
	    FIELD_BOOL),
	FIELD_OF(extender_entry, tls, "tlsConfig", "TLSConfig", FIELD_OBJECT,
	    tls_schema),
	FIELD(extender_entry, http_timeout, "httpTimeout", "HTTPTimeout",
	    FIELD_TIME),
	FIELD(extender_entry, node_cache_capable, "nodeCacheCapable",
	    "NodeCacheCapable", FIELD_BOOL),
	FIELD_OF(extender_entry, managed, "managedResources",
	    "ManagedResources", FIELD_OBJECTS, resource_schema),
	FIELD(extender_entry, ignorable, "ignorable", "Ignorable", FIELD_BOOL),
};
static const struct schema extender_schema =
    SCHEMA(extender_entry, extender_fields, true);

static const struct field policy_fields[] = {
	{ "kind", "kind", FIELD_IGNORED, 0, NULL },
	{ "apiVersion", "apiVersion", FIELD_IGNORED, 0, NULL },
	FIELD_OF(policy, predicates, "predicates", "Predicates", FIELD_OBJECTS,
	    predicate_schema),
	FIELD_OF(policy, priorities, "priorities", "Priorities", FIELD_OBJECTS,
	    priority_schema),
	FIELD_OF(policy, extenders, "extenders", "ExtenderConfigs",
	    FIELD_OBJECTS, extender_schema),
	FIELD(policy, hard_pod_affinity_symmetric_weight,
	    "hardPodAffinitySymmetricWeight", "HardPodAffinitySymmetricWeight",
	    FIELD_INT32),
	FIELD(policy, always_check_all_predicates, "alwaysCheckAllPredicates",
	    "AlwaysCheckAllPredicates", FIELD_BOOL),
};
static const struct schema policy_schema = SCHEMA(policy, policy_fields, false);

void
policy_decode(struct reading *reading, const struct doc_node *root,
    struct policy *policy)
{
	*policy = (struct policy){ 0 };
	schema_decode(reading, root, "", &policy_schema, policy);
}
