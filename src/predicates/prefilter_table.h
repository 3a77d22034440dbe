/*
 * Every prefilter.  PREFILTER(x) stands for prefilter_x, which the file of its
 * rule in src/predicates defines.
 */
/* clang-format off */
PREFILTER(match_node_selector)
PREFILTER(even_pods_spread)
PREFILTER(match_inter_pod_affinity)
PREFILTER(check_volume_binding)
PREFILTER(no_volume_zone_conflict)
PREFILTER(read_write_once_pod)
PREFILTER(dynamic_resources)
PREFILTER(scheduling_gates)
/* clang-format on */
