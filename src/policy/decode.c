/*
 * Decodes a document to struct policy as kube-scheduler 1.15 does: unknown
 * fields are ignored (we warn), null counts as absent, a value of the wrong
 * type is an error.  Names are case-sensitive, except within extenders, for
 * which it uses another decoder.
 */
#include "config.h"

#include "policy/schema.h"

/* clang-format off */
static const struct schema labels_schema = { FIELDS(labels_argument,
	FIELD(labels_argument, labels, "labels", "Labels", FIELD_STRINGS),
	FIELD(labels_argument, presence, "presence", "Presence", FIELD_BOOL),
	FIELD(labels_argument, label, "label", NULL, FIELD_STRING)) };
/* The same without presence. */
static const struct schema affinity_schema = { FIELDS(labels_argument,
	FIELD(labels_argument, labels, "labels", "Labels", FIELD_STRINGS),
	FIELD(labels_argument, label, "label", NULL, FIELD_STRING)) };
static const struct schema predicate_argument_schema = {
    FIELDS(rule_argument,
	FIELD(rule_argument, service_affinity, "serviceAffinity",
	    "ServiceAffinity", OBJECT(affinity_schema)),
	FIELD(rule_argument, labels_presence, "labelsPresence",
	    "LabelsPresence", OBJECT(labels_schema)),
	FIELD(rule_argument, label_preference, "labelPreference", NULL,
	    OBJECT(labels_schema))) };
static const struct schema predicate_schema = { FIELDS(rule_entry,
	FIELD(rule_entry, name, "name", "Name", FIELD_STRING),
	FIELD(rule_entry, argument, "argument", "Argument",
	    OBJECT(predicate_argument_schema))) };

static const struct schema anti_affinity_schema = { FIELDS(labels_argument,
	FIELD(labels_argument, label, "label", "Label", FIELD_STRING),
	FIELD(labels_argument, labels, "labels", NULL, FIELD_STRINGS)) };
static const struct schema preference_schema = { FIELDS(labels_argument,
	FIELD(labels_argument, label, "label", "Label", FIELD_STRING),
	FIELD(labels_argument, presence, "presence", "Presence", FIELD_BOOL),
	FIELD(labels_argument, labels, "labels", NULL, FIELD_STRINGS)) };
static const struct schema shape_schema = { FIELDS(shape_entry,
	FIELD(shape_entry, utilization, "utilization", "Utilization",
	    FIELD_INT),
	FIELD(shape_entry, score, "score", "Score", FIELD_INT)) };
static const struct schema ratio_schema = { FIELDS(ratio_argument,
	FIELD(ratio_argument, shape, "shape", "UtilizationShape",
	    OBJECTS(shape_schema))) };
static const struct schema priority_argument_schema = {
    FIELDS(rule_argument,
	FIELD(rule_argument, service_anti_affinity,
	    "serviceAntiAffinity", "ServiceAntiAffinity",
	    OBJECT(anti_affinity_schema)),
	FIELD(rule_argument, label_preference, "labelPreference",
	    "LabelPreference", OBJECT(preference_schema)),
	FIELD(rule_argument, requested_to_capacity_ratio,
	    "requestedToCapacityRatioArguments",
	    "RequestedToCapacityRatioArguments", OBJECT(ratio_schema))) };
static const struct schema priority_schema = { FIELDS(rule_entry,
	FIELD(rule_entry, name, "name", "Name", FIELD_STRING),
	FIELD(rule_entry, weight, "weight", "Weight", FIELD_INT),
	FIELD(rule_entry, argument, "argument", "Argument",
	    OBJECT(priority_argument_schema))) };

static const struct schema tls_schema = { FIELDS(tls_entry,
	FIELD(tls_entry, insecure, "insecure", "Insecure", FIELD_BOOL),
	FIELD(tls_entry, server_name, "serverName", "ServerName", FIELD_STRING),
	FIELD(tls_entry, cert_file, "certFile", "CertFile", FIELD_STRING),
	FIELD(tls_entry, key_file, "keyFile", "KeyFile", FIELD_STRING),
	FIELD(tls_entry, ca_file, "caFile", "CAFile", FIELD_STRING),
	FIELD(tls_entry, cert_data, "certData", "CertData", FIELD_BYTES),
	FIELD(tls_entry, key_data, "keyData", "KeyData", FIELD_BYTES),
	FIELD(tls_entry, ca_data, "caData", "CAData", FIELD_BYTES)) };
static const struct schema managed_schema = { FIELDS(resource_entry,
	FIELD(resource_entry, name, "name", "Name", FIELD_STRING),
	FIELD(resource_entry, ignored_by_scheduler, "ignoredByScheduler",
	    "IgnoredByScheduler", FIELD_BOOL)) };

#define IN_POLICY .versions = VERSION_BIT(POLICY)
#define IN_CONFIGURATION .versions = VERSIONS_FROM(V1ALPHA1)

const struct schema extender_schema = { FIELDS(extender_entry,
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
	    FIELD_BOOL, IN_POLICY),
	STRICT(extender_entry, enable_https, "enableHTTPS", FIELD_BOOL,
	    IN_CONFIGURATION),
	FIELD(extender_entry, tls, "tlsConfig", "TLSConfig",
	    OBJECT(tls_schema)),
	FIELD(extender_entry, http_timeout, "httpTimeout", "HTTPTimeout",
	    FIELD_TIME, IN_POLICY),
	STRICT(extender_entry, http_timeout, "httpTimeout", FIELD_DURATION,
	    IN_CONFIGURATION),
	FIELD(extender_entry, node_cache_capable, "nodeCacheCapable",
	    "NodeCacheCapable", FIELD_BOOL),
	FIELD(extender_entry, managed, "managedResources",
	    "ManagedResources", OBJECTS(managed_schema)),
	FIELD(extender_entry, ignorable, "ignorable", "Ignorable",
	    FIELD_BOOL)),
	.any_case = true };

static const struct schema policy_schema = { FIELDS(policy, TYPE_META,
	FIELD(policy, rules[RULE_FILTERS], "predicates", "Predicates",
	    OBJECTS(predicate_schema)),
	FIELD(policy, rules[RULE_SCORES], "priorities", "Priorities",
	    OBJECTS(priority_schema)),
	FIELD(policy, extenders, "extenders", "ExtenderConfigs",
	    OBJECTS(extender_schema)),
	FIELD(policy, hard_pod_affinity_symmetric_weight,
	    "hardPodAffinitySymmetricWeight", "HardPodAffinitySymmetricWeight",
	    FIELD_INT32),
	FIELD(policy, always_check_all_predicates, "alwaysCheckAllPredicates",
	    "AlwaysCheckAllPredicates", FIELD_BOOL)) };
/* clang-format on */

void
policy_decode(struct reading *reading, const struct doc_node *root,
    struct policy *policy)
{
	*policy = (struct policy){ 0 };
	schema_decode(reading, root, "", &policy_schema, policy);
}
