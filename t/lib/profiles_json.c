#include "config.h"

#include "t/lib/profiles_json.h"

#include "base/json_out.h"
#include "decide/framework/profile.h"
#include "decide/framework/profiles.h"

static void
put_point(struct json_out *json, const struct profile *profile,
    enum extension_point point)
{
	const struct profile_point *list = &profile->points[point];

	if (list->n == 0)
		return;
	json_key(json, extension_point_names[point]);
	json_open(json, '[');
	for (size_t i = 0; i < list->n; i++) {
		if (point != POINT_SCORE && point != POINT_PLACEMENT_SCORE) {
			json_string(json, list->plugins[i].name);
			continue;
		}
		json_open(json, '{');
		json_pair(json, "name", list->plugins[i].name);
		json_pair_int(json, "weight", list->plugins[i].weight);
		json_close(json, '}');
	}
	json_close(json, ']');
}

void
t_profiles_json(const struct profiles *profiles, struct json_out *json)
{
	json_open(json, '{');
	json_key(json, "profiles");
	json_open(json, '[');
	for (size_t i = 0; i < profiles->n; i++) {
		const struct profile *profile = profiles->at[i];

		json_open(json, '{');
		json_pair(json, "schedulerName", profile->scheduler_name);
		json_key(json, "plugins");
		json_open(json, '{');
		for (int point = 0; point < NPOINTS; point++)
			put_point(json, profile, point);
		json_close(json, '}');
		json_key(json, "pluginConfig");
		json_raw(json, profile->plugin_config);
		json_close(json, '}');
	}
	json_close(json, ']');
	json_close(json, '}');
}
