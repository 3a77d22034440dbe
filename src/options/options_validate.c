/*
 * Invalid values and combinations; and the options that are derived from others.
 */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wire/api/protobuf.h"
#include "base/log.h"
#include "base/text.h"
#include "policy/configuration/configuration.h"
#include "objects/limits.h"
#include "objects/namespace_weights.h"
#include "objects/release.h"
#include "objects/steering.h"
#include "options/options_internal.h"

/* MiB; a file has half of that at most, and predicatectl replay reads 2 GiB. */
#define RECORD_SIZE_MAX 4096

#define WHERE(field) options_where(reading, option_of(field))

static void
validate_times(struct options_reading *reading)
{
	const struct daemon_options *o = reading->options;
	const struct {
		int64_t ms;
		const struct option_row *row;
		const char *name;
	} times[] = {
		{ o->lease_duration_ms, option_of(lease_duration_ms),
		    "leaseDuration" },
		{ o->renew_deadline_ms, option_of(renew_deadline_ms),
		    "renewDeadline" },
		{ o->retry_period_ms, option_of(retry_period_ms),
		    "retryPeriod" },
	};
	bool positive = true;

	for (size_t i = 0; i < LENGTH(times); i++) {
		if (times[i].ms > 0)
			continue;
		positive = false;
		options_refuse(reading, options_where(reading, times[i].row),
		    "%s must be greater than zero", times[i].name);
	}
	if (!positive)
		return;
	if (o->lease_duration_ms <= o->renew_deadline_ms)
		options_refuse(reading, WHERE(lease_duration_ms),
		    "leaseDuration must be greater than renewDeadline");
	/* client-go's JitterFactor is 1.2 */
	if (o->renew_deadline_ms * 10 <= o->retry_period_ms * 12)
		options_refuse(reading, WHERE(renew_deadline_ms),
		    "renewDeadline must be greater than "
		    "retryPeriod*JitterFactor (1.2)");
}

static void
validate_election(struct options_reading *reading)
{
	const struct daemon_options *o = reading->options;

	if (!o->leader_elect)
		return;
	validate_times(reading);
	if (*o->lock_namespace == '\0')
		options_refuse(reading, WHERE(lock_namespace),
		    "resourceNamespace is required");
	if (*o->lock_name == '\0')
		options_refuse(reading, WHERE(lock_name),
		    "resourceName is required");
}

/* Files that were named must be there to be read. */
static void
validate_files(struct options_reading *reading)
{
	EACH_OPTION (row) {
		const char *path;
		struct stat st;

		if (row->arg == NULL || strcmp(row->arg, "FILE") != 0 ||
		    row == option_of(write_config_to) ||
		    row == option_of(config_file) || row == option_of(config))
			continue;
		path = *(const char **)((char *)reading->options + row->offset);
		if (*path == '\0')
			continue;
		errno = 0;
		if (access(path, R_OK) != 0 || stat(path, &st) != 0)
			options_refuse(reading, options_where(reading, row),
			    "%s cannot be read: %s", path, strerror(errno));
		else if (S_ISDIR(st.st_mode))
			options_refuse(reading, options_where(reading, row),
			    "%s is a directory", path);
		else if (!S_ISREG(st.st_mode))
			options_refuse(reading, options_where(reading, row),
			    "%s is not a regular file", path);
	}
}

/* The suites of Go 1.15, as RFCs call them but for the two without _SHA256. */
static bool
is_cipher_suite(const char *name)
{
	return text_is_choice(
	    "TLS_AES_128_GCM_SHA256|TLS_AES_256_GCM_SHA384|"
	    "TLS_CHACHA20_POLY1305_SHA256|"
	    "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA|"
	    "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256|"
	    "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256|"
	    "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA|"
	    "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384|"
	    "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305|"
	    "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256|"
	    "TLS_ECDHE_ECDSA_WITH_RC4_128_SHA|"
	    "TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA|"
	    "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA|"
	    "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256|"
	    "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256|"
	    "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA|"
	    "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384|"
	    "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305|"
	    "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256|"
	    "TLS_ECDHE_RSA_WITH_RC4_128_SHA|"
	    "TLS_RSA_WITH_3DES_EDE_CBC_SHA|"
	    "TLS_RSA_WITH_AES_128_CBC_SHA|TLS_RSA_WITH_AES_128_CBC_SHA256|"
	    "TLS_RSA_WITH_AES_128_GCM_SHA256|TLS_RSA_WITH_AES_256_CBC_SHA|"
	    "TLS_RSA_WITH_AES_256_GCM_SHA384|TLS_RSA_WITH_RC4_128_SHA",
	    name);
}

static void
validate_server(struct options_reading *reading)
{
	const struct daemon_options *o = reading->options;

	if (*o->bind_address != '\0' && !options_is_ip(o->bind_address))
		options_refuse(reading, WHERE(bind_address),
		    "must be an IP address, not '%s'", o->bind_address);
	if (*o->tls_cert_file != '\0' && *o->tls_private_key_file == '\0')
		options_refuse(reading, WHERE(tls_cert_file),
		    "requires --tls-private-key-file");
	if (*o->tls_cert_file == '\0' && *o->tls_private_key_file != '\0')
		options_refuse(reading, WHERE(tls_private_key_file),
		    "requires --tls-cert-file");
	for (const char *const *suite = o->tls_cipher_suites;
	     suite != NULL && *suite != NULL; suite++)
		if (!is_cipher_suite(*suite))
			options_refuse(reading, WHERE(tls_cipher_suites),
			    "there is no cipher suite %s", *suite);
	if (o->max_connections == 0)
		options_refuse(reading, WHERE(max_connections),
		    "must be 1 or more");
	if (o->tls_handshake_timeout_ms == 0)
		options_refuse(reading, WHERE(tls_handshake_timeout_ms),
		    "must be greater than zero");
	if (o->request_header_timeout_ms == 0)
		options_refuse(reading, WHERE(request_header_timeout_ms),
		    "must be greater than zero");
	if (strcmp(o->tls_min_version, "VersionTLS10") == 0 ||
	    strcmp(o->tls_min_version, "VersionTLS11") == 0)
		options_warn(reading, WHERE(tls_min_version),
		    "%s is treated as VersionTLS12", o->tls_min_version);
}

static void
validate_backoff(struct options_reading *reading)
{
	const struct daemon_options *o = reading->options;

	if (o->pod_initial_backoff_ms <= 0)
		options_refuse(reading, WHERE(pod_initial_backoff_ms),
		    "must be greater than 0");
	if (o->pod_max_backoff_ms < o->pod_initial_backoff_ms)
		options_refuse(reading, WHERE(pod_max_backoff_ms),
		    "must be greater than or equal to --pod-initial-backoff");
}

static void
validate_policy(struct options_reading *reading)
{
	struct daemon_options *o = reading->options;

	if (o->use_legacy_policy_config && *o->policy_config_file == '\0')
		options_refuse(reading, WHERE(use_legacy_policy_config),
		    "needs --policy-config-file");
	if (*o->policy_configmap != '\0' &&
	    *o->policy_configmap_namespace == '\0')
		o->policy_configmap_namespace = "kube-system";
	if (*o->policy_config_file != '\0' &&
	    (o->use_legacy_policy_config || *o->policy_configmap == '\0'))
		o->policy_from = DAEMON_POLICY_FILE;
	else if (*o->policy_configmap != '\0')
		o->policy_from = DAEMON_POLICY_CONFIG_MAP;
	else if (*o->config != '\0' && *o->algorithm_provider == '\0')
		o->policy_from = DAEMON_POLICY_CONFIG;
	else
		o->policy_from = DAEMON_POLICY_PROVIDER;
	if (o->config_has_rules &&
	    (o->policy_from == DAEMON_POLICY_FILE ||
		o->policy_from == DAEMON_POLICY_CONFIG_MAP))
		options_refuse(reading, WHERE(config),
		    "its profiles and a policy cannot both be given");
	if (o->config_has_rules && *o->algorithm_provider != '\0')
		options_refuse(reading, WHERE(algorithm_provider),
		    "the profiles of --config say which rules decide; it "
		    "cannot be given with them");
	if (o->policy_from == DAEMON_POLICY_CONFIG_MAP &&
	    *o->policy_config_file != '\0')
		options_warn(reading, WHERE(policy_config_file),
		    "is ignored: the ConfigMap takes precedence without "
		    "--use-legacy-policy-config");
	if (o->hard_pod_affinity_symmetric_weight == 0)
		options_warn(reading, WHERE(hard_pod_affinity_symmetric_weight),
		    "0 is treated as 1");
	if (*o->algorithm_provider != '\0' &&
	    !text_is_choice("DefaultProvider|ClusterAutoscalerProvider",
		o->algorithm_provider))
		options_refuse(reading, WHERE(algorithm_provider),
		    "there is no algorithm provider \"%s\"",
		    o->algorithm_provider);
}

/* Of the many gates that a cluster's components share, few are about us. */
static bool
warn_of_gate(void *arg, const char *name, bool known)
{
	struct options_reading *reading = arg;
	static const char *const names[] = {
#define GATE(field, name, ...) name,
		GATES(GATE)
#undef GATE
	};
	const char *meant =
	    known ? NULL : closest_name(name, names, LENGTH(names));

	options_warn(reading, WHERE(feature_gates), "%s has no effect%s", name,
	    option_hint(&reading->options->arena, "", meant));
	return true;
}

/* Texts that another room reads. */
static void
validate_texts(struct options_reading *reading)
{
	struct daemon_options *o = reading->options;
	struct pod_limits limits;
	struct err err;

	if (pod_limits_parse(o->pod_limits, &limits, &err) != 0)
		options_refuse(reading, WHERE(pod_limits), "%s", err.text);
	if (namespace_weights_check(o->namespace_weights, &err) != 0)
		options_refuse(reading, WHERE(namespace_weights), "%s",
		    err.text);
	if (o->record_size < 1 || o->record_size > RECORD_SIZE_MAX)
		options_refuse(reading, WHERE(record_size),
		    "must be from 1 to %d MiB", RECORD_SIZE_MAX);
	if (unsupported_parse(o->ignore_unsupported,
		&o->policy_options.ignored_fields, &err) != 0)
		options_refuse(reading, WHERE(ignore_unsupported), "%s",
		    err.text);
}

static void
validate_gates(struct options_reading *reading)
{
	const struct daemon_options *o = reading->options;
	struct gates *gates = &reading->options->policy_options.gates;
	struct err err;

	*gates = gates_default;
	for (const char *const *gate = o->feature_gates;
	     gate != NULL && *gate != NULL; gate++)
		if (gates_parse(*gate, gates, warn_of_gate, reading, &err) != 0)
			options_refuse(reading, WHERE(feature_gates), "%s",
			    err.text);
}

static void
validate_scheduling(struct options_reading *reading)
{
	struct daemon_options *o = reading->options;

	if (*o->scheduler_name == '\0')
		options_refuse(reading, WHERE(scheduler_name),
		    "must not be empty");
	if (o->max_binds_in_flight == 0)
		options_refuse(reading, WHERE(max_binds_in_flight),
		    "must be 1 or more");
	o->kubernetes_minor = 0;
	if (strcmp(o->kubernetes_version, "auto") != 0) {
		o->kubernetes_minor = release_parse(o->kubernetes_version);
		if (o->kubernetes_minor < 0)
			options_refuse(reading, WHERE(kubernetes_version),
			    "must be auto or such as 1.21 or v1.21.3, not '%s'",
			    o->kubernetes_version);
		else
			o->kubernetes_minor =
			    release_of_rules(o->kubernetes_minor);
	}
}

/* As client-go has it, less than 0 is no limit, too. */
static void
validate_rate(struct options_reading *reading)
{
	struct daemon_options *o = reading->options;

	if (o->kube_api_qps < 0)
		o->kube_api_qps = 0;
	if (o->kube_api_qps > 0 && o->kube_api_burst == 0)
		o->kube_api_burst = o->kube_api_qps < INT32_MAX / 2 ?
		    (int64_t)ceil(2 * o->kube_api_qps) :
		    INT32_MAX;
}

/* The part of HTTP's Accept that the API server implements; any type is JSON to
 * it. */
static void
validate_content_types(struct options_reading *reading)
{
	struct daemon_options *o = reading->options;
	const char *const *accept = o->kube_api_accept_content_types;
	const char *type;

	o->json_bodies = strcmp(o->kube_api_content_type, JSON_TYPE) == 0;
	o->json_answers = o->json_bodies;
	for (size_t i = 0; accept != NULL && accept[i] != NULL; i++) {
		type = accept[i] + strspn(accept[i], " ");
		if (i == 0)
			o->json_answers = strcmp(type, PROTOBUF_TYPE) != 0;
		if (strcmp(type, PROTOBUF_TYPE) != 0 &&
		    strcmp(type, JSON_TYPE) != 0 && strcmp(type, "*/*") != 0)
			options_warn(reading,
			    WHERE(kube_api_accept_content_types),
			    "must be " PROTOBUF_TYPE " or " JSON_TYPE
			    ", not '%s'; it is ignored",
			    type);
	}
}

void
options_validate(struct options_reading *reading)
{
	struct daemon_options *o = reading->options;
	size_t len;
	AUTOFREE char *config =
	    *o->config != '\0' ? policy_file_text(o->config, &len, NULL) : NULL;

	o->policy_options.strict = o->strict_policy;
	o->policy_options.kosmos = o->kosmos;
	o->policy_options.hard_pod_affinity_symmetric_weight =
	    o->hard_pod_affinity_symmetric_weight;
	validate_policy(reading);
	validate_gates(reading);
	validate_texts(reading);
	validate_scheduling(reading);
	o->policy_options.kubernetes_minor =
	    o->kubernetes_minor > 0 ? o->kubernetes_minor : 0;
	/* After the gates; these options are in it. */
	if (config == NULL ||
	    configuration_check(o->config, config, len, &o->policy_options,
		reading->problems) == 0) {
		validate_backoff(reading);
		validate_election(reading);
	}
	validate_rate(reading);
	validate_content_types(reading);
	validate_server(reading);
	validate_files(reading);
	if (strcmp(o->log_format, "json") == 0)
		o->log_as = LOG_FORMAT_JSON;
	else if (strcmp(o->log_format, "journal") == 0 ||
	    (strcmp(o->log_format, "auto") == 0 && log_to_journal()))
		o->log_as = LOG_FORMAT_JOURNAL;
	else
		o->log_as = LOG_FORMAT_TEXT;
}
