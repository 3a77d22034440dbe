#include "config.h"

#include "framework/plugin.h"

const struct plugin plugin_other = { .name = "Other", .of_pods = true };

const struct plugin *const all_plugins[PLUGINS] = {
#define PLUGIN(number, x) [PLUGIN_##number] = &plugin_##x,
#include "framework/plugin_table.h"
#undef PLUGIN
};
