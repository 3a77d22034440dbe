/*
 * Our configuration file, in libconfig's syntax:
 *
 *	policy: { file = "/etc/kubernetes/policy.cfg"; };
 *	leader_election: { lease_duration = "15s"; };
 *
 * Values have the type that libconfig has for them; durations are strings.
 */
#include "config.h"

#include <errno.h>
#include <libconfig.h>
#include <sys/stat.h>

#include "options/options_internal.h"

#define MAX_SIZE (1024 * 1024)

static const char *
dir_of(struct options_reading *reading, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (slash == NULL)
		return ".";
	return arena_strndup(&reading->options->arena, path,
	    slash == path ? 1 : (size_t)(slash - path));
}

/* file: as libconfig calls it, which is without the folder when included. */
static const char *
place(struct options_reading *reading, const char *path, const char *file,
    unsigned line)
{
	struct arena *arena = &reading->options->arena;
	const char *dir = dir_of(reading, path);

	if (file == NULL || strcmp(file, path) == 0)
		return arena_printf(arena, "%s:%u", path, line);
	if (strcmp(dir, ".") == 0)
		return arena_printf(arena, "%s:%u", file, line);
	return arena_printf(arena, "%s/%s:%u", dir, file, line);
}

static const char *
kind_of(const config_setting_t *setting)
{
	static const char *const kinds[] = {
		[CONFIG_TYPE_NONE] = "nothing",
		[CONFIG_TYPE_GROUP] = "a group",
		[CONFIG_TYPE_INT] = "a whole number",
		[CONFIG_TYPE_INT64] = "a whole number",
		[CONFIG_TYPE_FLOAT] = "a number",
		[CONFIG_TYPE_STRING] = "a string",
		[CONFIG_TYPE_BOOL] = "true or false",
		[CONFIG_TYPE_ARRAY] = "an array",
		[CONFIG_TYPE_LIST] = "a list",
	};

	return kinds[config_setting_type(setting)];
}

#define KIND(name) (1u << CONFIG_TYPE_##name)
#define TEXT_KIND KIND(STRING), "a string in quotes"
#define WHOLE_KIND KIND(INT) | KIND(INT64), "a whole number, without quotes"

/* The kinds of values that an option may have. */
static const struct {
	unsigned kinds;
	const char *name;
} wanted[] = {
	[OPTION_BOOL] = { KIND(BOOL), "true or false, without quotes" },
	[OPTION_STRING] = { TEXT_KIND },
	[OPTION_CHOICE] = { TEXT_KIND },
	[OPTION_LIST] = { KIND(ARRAY) | KIND(LIST),
	    "an array of strings, such as [ \"a\", \"b\" ]" },
	[OPTION_DURATION] = { KIND(STRING),
	    "a duration in quotes, such as \"15s\"" },
	[OPTION_PORT] = { WHOLE_KIND },
	[OPTION_PERCENT] = { WHOLE_KIND },
	[OPTION_COUNT] = { WHOLE_KIND },
	[OPTION_SEED] = { WHOLE_KIND },
	[OPTION_REAL] = { KIND(INT) | KIND(INT64) | KIND(FLOAT),
	    "a number, without quotes" },
};

/* A scalar as a flag would have it. */
static const char *
text_of(struct arena *arena, const config_setting_t *setting)
{
	switch (config_setting_type(setting)) {
	case CONFIG_TYPE_INT:
	case CONFIG_TYPE_INT64:
		return arena_printf(arena, "%lld",
		    config_setting_get_int64(setting));
	case CONFIG_TYPE_FLOAT:
		return arena_printf(arena, "%.17g",
		    config_setting_get_float(setting));
	case CONFIG_TYPE_BOOL:
		return config_setting_get_bool(setting) ? "true" : "false";
	}
	return config_setting_get_string(setting);
}

static void
take_list(struct options_reading *reading, const struct option_row *row,
    const config_setting_t *setting, const char *where)
{
	size_t n = (size_t)config_setting_length(setting);
	const char **elements =
	    arena_array(&reading->options->arena, const char *, n + 1);

	for (size_t i = 0; i < n; i++) {
		elements[i] = config_setting_get_string_elem(setting, (int)i);
		if (elements[i] == NULL) {
			options_refuse(reading, where, "%s must be %s",
			    row->key, wanted[OPTION_LIST].name);
			return;
		}
	}
	options_set_list(reading, row, LAYER_FILE, where, elements, n);
}

/* Whether there are keys in a group of this name. */
static bool
is_group(const char *name)
{
	size_t len = strlen(name);

	return ANY(i, noption_rows,
	    option_rows[i].key != NULL &&
		strncmp(option_rows[i].key, name, len) == 0 &&
		option_rows[i].key[len] == '.');
}

/* The key or group that was meant: the closest, or the one that ends so. */
static const char *
meant(struct options_reading *reading, const char *key)
{
	struct arena *arena = &reading->options->arena;
	const char **keys = arena_array(arena, const char *, noption_rows);
	const char *name = strrchr(key, '.'), *flag = NULL, *best;
	size_t n = 0;

	name = name != NULL ? name + 1 : key;
	EACH_OPTION (row) {
		const char *last;

		if (row->key == NULL)
			continue;
		keys[n++] = row->key;
		last = strrchr(row->key, '.');
		if (last != NULL && strcmp(last + 1, name) == 0)
			flag = row->key;
	}
	best = closest_name(key, keys, n);
	return best != NULL ? best : flag;
}

static void
walk(struct options_reading *reading, const char *path,
    const config_setting_t *group, const char *prefix)
{
	for (int i = 0; i < config_setting_length(group); i++) {
		const config_setting_t *setting =
		    config_setting_get_elem(group, (unsigned)i);
		const char *where =
		    place(reading, path, config_setting_source_file(setting),
			config_setting_source_line(setting));
		struct arena *arena = &reading->options->arena;
		const char *key = arena_printf(arena, "%s%s", prefix,
		    config_setting_name(setting));
		const struct option_row *row = option_by_key(key);

		if (row == NULL && !is_group(key))
			options_refuse(reading, where, "unknown option '%s'%s",
			    key, option_hint(arena, "", meant(reading, key)));
		else if (row == NULL && config_setting_is_group(setting))
			walk(reading, path, setting,
			    arena_printf(arena, "%s.", key));
		else if (row == NULL)
			options_refuse(reading, where,
			    "%s must be a group, such as %s: { … }, not %s",
			    key, key, kind_of(setting));
		else if (!(wanted[row->type].kinds &
			     1u << config_setting_type(setting)))
			options_refuse(reading, where, "%s must be %s, not %s",
			    key, wanted[row->type].name, kind_of(setting));
		else if (row->type == OPTION_LIST)
			take_list(reading, row, setting, where);
		else
			options_set(reading, row, LAYER_FILE, where,
			    text_of(arena, setting));
	}
}

void
options_file(struct options_reading *reading, const char *path)
{
	config_t config;
	struct stat st;
	const char *why = NULL;

	/* libconfig would wait for a pipe, and read a folder or a big file */
	if (stat(path, &st) != 0)
		why = strerror(errno);
	else if (!S_ISREG(st.st_mode))
		why = "is not a regular file";
	else if (st.st_size > MAX_SIZE)
		why = "is larger than 1 MiB";
	if (why != NULL) {
		options_refuse(reading, path, "cannot be read: %s", why);
		return;
	}
	config_init(&config);
	/* "@include" is about files beside this one, always */
	config_set_include_dir(&config, dir_of(reading, path));
	errno = 0;
	if (config_read_file(&config, path)) {
		walk(reading, path, config_root_setting(&config), "");
	} else if (config_error_type(&config) == CONFIG_ERR_FILE_IO) {
		options_refuse(reading, path, "cannot be read: %s",
		    errno != 0 ? strerror(errno) : "input/output error");
	} else {
		options_refuse(reading,
		    place(reading, path, config_error_file(&config),
			(unsigned)config_error_line(&config)),
		    "%s", config_error_text(&config));
	}
	config_destroy(&config);
}
