/* Final arguments as kube-scheduler logs them: under the names of their Go
 * fields. */
#include "config.h"

#include "base/duration.h"
#include "base/json_out.h"
#include "policy/configuration_args.h"

static void
put_int(struct json_out *json, const char *key, int64_t value)
{
	json_pair_int(json, key, value);
}

static void
put_strings(struct json_out *json, const char *key, const struct list *list)
{
	const struct string_value *at = list->items;

	json_key(json, key);
	if (!list->given) {
		json_string(json, NULL);
		return;
	}
	json_open(json, '[');
	for (size_t i = 0; i < list->n; i++)
		json_string(json, at[i].text);
	json_close(json, ']');
}

static void
put_resources(struct json_out *json, const struct list *resources)
{
	const struct resource_written *at = resources->items;

	json_key(json, "Resources");
	json_open(json, '[');
	for (size_t i = 0; i < resources->n; i++) {
		json_open(json, '{');
		json_pair(json, "Name", text_or_empty(at[i].name));
		put_int(json, "Weight", at[i].weight);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void
put_shape(struct json_out *json, const struct list *shape)
{
	const struct shape_entry *at = shape->items;

	json_key(json, "Shape");
	if (!shape->given) {
		json_string(json, NULL);
		return;
	}
	json_open(json, '[');
	for (size_t i = 0; i < shape->n; i++) {
		json_open(json, '{');
		put_int(json, "Utilization", at[i].utilization);
		put_int(json, "Score", at[i].score);
		json_close(json, '}');
	}
	json_close(json, ']');
}

void
args_json_default_preemption(struct json_out *json, int release,
    const void *args)
{
	const struct default_preemption_written *a = args;

	put_int(json, "MinCandidateNodesPercentage", a->percentage);
	put_int(json, "MinCandidateNodesAbsolute", a->absolute);
}

void
args_json_inter_pod_affinity(struct json_out *json, int release,
    const void *args)
{
	const struct inter_pod_affinity_written *a = args;

	put_int(json, "HardPodAffinityWeight", a->hard_pod_affinity_weight);
	if (release < 36)
		return;
	json_pair_bool(json, "IgnorePreferredTermsOfExistingPods",
	    a->ignore_preferred_terms);
}

static void
put_requirements(struct json_out *json, const char *key,
    const struct list *list)
{
	const struct requirement_written *r = list->items;

	if (list->n == 0)
		return;
	json_key(json, key);
	json_open(json, '[');
	for (size_t i = 0; i < list->n; i++) {
		json_open(json, '{');
		json_pair(json, "key", text_or_empty(r[i].key));
		json_pair(json, "operator", text_or_empty(r[i].op));
		if (r[i].values.n > 0)
			put_strings(json, "values", &r[i].values);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void
put_term(struct json_out *json, const struct node_term_written *term)
{
	json_open(json, '{');
	if (term != NULL) {
		put_requirements(json, "matchExpressions", &term->expressions);
		put_requirements(json, "matchFields", &term->fields);
	}
	json_close(json, '}');
}

static void
put_required(struct json_out *json, const struct node_selector_written *s)
{
	const struct node_term_written *terms = s->terms.items;

	json_key(json, "requiredDuringSchedulingIgnoredDuringExecution");
	json_open(json, '{');
	json_key(json, "nodeSelectorTerms");
	if (!s->terms.given) {
		json_string(json, NULL);
	} else {
		json_open(json, '[');
		for (size_t i = 0; i < s->terms.n; i++)
			put_term(json, &terms[i]);
		json_close(json, ']');
	}
	json_close(json, '}');
}

void
args_json_node_affinity(struct json_out *json, int release, const void *args)
{
	const struct node_affinity_written *a = args;
	const struct preferred_written *p;

	json_key(json, "AddedAffinity");
	if (a->added == NULL) {
		json_string(json, NULL);
		return;
	}
	json_open(json, '{');
	if (a->added->required != NULL)
		put_required(json, a->added->required);
	p = a->added->preferred.items;
	if (a->added->preferred.n > 0) {
		json_key(json,
		    "preferredDuringSchedulingIgnoredDuringExecution");
		json_open(json, '[');
		for (size_t i = 0; i < a->added->preferred.n; i++) {
			json_open(json, '{');
			put_int(json, "weight", p[i].weight);
			json_key(json, "preference");
			put_term(json, p[i].preference);
			json_close(json, '}');
		}
		json_close(json, ']');
	}
	json_close(json, '}');
}

static void
put_strategy(struct json_out *json, const struct strategy_written *strategy)
{
	json_key(json, "ScoringStrategy");
	json_open(json, '{');
	json_pair(json, "Type", text_or_empty(strategy->type));
	put_resources(json, &strategy->resources);
	json_key(json, "RequestedToCapacityRatio");
	if (strategy->ratio == NULL) {
		json_string(json, NULL);
	} else {
		json_open(json, '{');
		put_shape(json, &strategy->ratio->shape);
		json_close(json, '}');
	}
	json_close(json, '}');
}

void
args_json_fit(struct json_out *json, int release, const void *args)
{
	const struct fit_written *a = args;

	put_strings(json, "IgnoredResources", &a->ignored);
	put_strings(json, "IgnoredResourceGroups", &a->ignored_groups);
	if (a->strategy != NULL)
		put_strategy(json, a->strategy);
}

void
args_json_allocation(struct json_out *json, int release, const void *args)
{
	const struct allocation_written *a = args;

	put_resources(json, &a->resources);
}

void
args_json_ratio(struct json_out *json, int release, const void *args)
{
	const struct allocation_written *a = args;

	put_shape(json, &a->shape);
	put_resources(json, &a->resources);
}

/* A string that is left out when it is not there. */
static void
put_text(struct json_out *json, const char *key, const char *text)
{
	if (text == NULL)
		return;
	json_pair(json, key, text);
}

void
args_json_spread(struct json_out *json, int release, const void *args)
{
	const struct spread_written *a = args;
	const struct constraint_written *c = a->constraints.items;

	json_key(json, "DefaultConstraints");
	if (!a->constraints.given) {
		json_string(json, NULL);
	} else {
		json_open(json, '[');
		for (size_t i = 0; i < a->constraints.n; i++, c++) {
			json_open(json, '{');
			put_int(json, "maxSkew", c->max_skew);
			put_text(json, "topologyKey",
			    text_or_empty(c->topology_key));
			put_text(json, "whenUnsatisfiable",
			    text_or_empty(c->when_unsatisfiable));
			if (is_given(&c->item, "minDomains"))
				put_int(json, "minDomains", c->min_domains);
			put_text(json, "nodeAffinityPolicy",
			    c->node_affinity_policy);
			put_text(json, "nodeTaintsPolicy",
			    c->node_taints_policy);
			if (c->match_label_keys.n > 0)
				put_strings(json, "matchLabelKeys",
				    &c->match_label_keys);
			json_close(json, '}');
		}
		json_close(json, ']');
	}
	put_text(json, "DefaultingType", a->defaulting_type);
}

void
args_json_volume_binding(struct json_out *json, int release, const void *args)
{
	const struct volume_binding_written *a = args;

	put_int(json, "BindTimeoutSeconds", a->bind_timeout);
	if (release >= 36)
		put_shape(json, &a->shape);
}

void
args_json_dynamic_resources(struct json_out *json, int release,
    const void *args)
{
	const struct dynamic_resources_written *a = args;
	char text[DURATION_TEXT];

	json_pair(json, "FilterTimeout",
	    duration_text(a->filter_timeout, text));
	json_pair(json, "BindingTimeout",
	    duration_text(a->binding_timeout, text));
}

void
args_json_node_label(struct json_out *json, int release, const void *args)
{
	const struct node_label_written *a = args;

	put_strings(json, "PresentLabels", &a->present);
	put_strings(json, "AbsentLabels", &a->absent);
	put_strings(json, "PresentLabelsPreference", &a->preferred_present);
	put_strings(json, "AbsentLabelsPreference", &a->preferred_absent);
}

void
args_json_service_affinity(struct json_out *json, int release, const void *args)
{
	const struct service_affinity_written *a = args;

	put_strings(json, "AffinityLabels", &a->labels);
	put_strings(json, "AntiAffinityLabelsPreference",
	    &a->anti_affinity_labels);
}
