/* Profiles as JSON, for comparisons. */
#ifndef T_LIB_PROFILES_JSON_H
#define T_LIB_PROFILES_JSON_H

struct json_out;
struct profiles;

/*
 * Profiles of configuration_read() with their effective plugins and final
 * arguments: {"profiles": [{"schedulerName", "plugins": {point: [names]},
 * "pluginConfig": {plugin: args}}]}; score has {"name", "weight"}.
 */
void t_profiles_json(const struct profiles *profiles, struct json_out *json);

#endif
