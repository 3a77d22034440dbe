/*
 * Every prefilter.  PREFILTER(x) stands for prefilter_x, which the file of its
 * rule in src/predicates defines.
 */
/* clang-format off */
PREFILTER(match_node_selector)
PREFILTER(even_pods_spread)
PREFILTER(match_inter_pod_affinity)
/* clang-format on */
