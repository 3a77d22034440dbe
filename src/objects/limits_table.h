/*
 * The most that one pod may request.  The limits are far above practical use.
 * A pod beyond one is not scheduled, because each of these costs time in every
 * decision, and the list in question is not read.
 *
 * LIMIT(field, name in options and messages, default, the counted items)
 */
/* clang-format off */
LIMIT(containers, "containers", 1000,
    "containers and init containers")
LIMIT(resources, "resources", 200,
    "amounts of extended and other scalar resources in all containers")
LIMIT(host_ports, "hostPorts", 200,
    "host ports")
LIMIT(volumes, "volumes", 500,
    "volumes, and monitors of rbd volumes")
LIMIT(resource_claims, "resourceClaims", 100,
    "resource claims")
LIMIT(tolerations, "tolerations", 1000,
    "tolerations")
LIMIT(node_requirements, "nodeRequirements", 1000,
    "terms and requirements of node affinity and the node selector")
LIMIT(node_values, "nodeValues", 10000,
    "values in requirements of node affinity")
LIMIT(pod_terms, "podTerms", 50,
    "terms of pod affinity and anti-affinity")
LIMIT(pod_requirements, "podRequirements", 100,
    "requirements in label selectors of terms and spread constraints")
LIMIT(pod_values, "podValues", 5000,
    "values in these requirements, and namespaces of terms")
LIMIT(spread_constraints, "spreadConstraints", 8,
    "topology spread constraints")
/* clang-format on */
