#include "config.h"

#include "decide/framework/gates.h"

#include <assert.h>
#include <stdio.h>

#include "objects/device.h"

const struct gates gates_default = {
#define GATE(field, name, default_, ...) .field = default_,
	GATES(GATE)
#undef GATE
};

static const struct {
	const char *name;
	size_t offset;
	int first, on, last; /* releases */
} names[] = {
#define GATE(field, name, default_, first, on, last)                           \
	{ name, offsetof(struct gates, field), first, on, last },
	GATES(GATE)
#undef GATE
};

/* clang-format off */
static const char known[] =
#include "decide/framework/known_gates.h"
    ;
/* clang-format on */

static_assert(LENGTH(names) <= 32, "struct gates.given has 32 bits");

void
gates_of_devices(const struct gates *gates, struct device_features *features,
    bool *extended)
{
	memset(features, 0, sizeof(*features));
	features->admin = gates->dra_admin_access;
	features->prioritized = gates->dra_prioritized_list;
	features->partitionable = gates->dra_partitionable_devices;
	features->taints = gates->dra_device_taints;
	features->taint_rules =
	    gates->dra_device_taints && gates->dra_device_taint_rules;
	features->conditions = gates_bind_by_conditions(gates);
	features->consumable = gates->dra_consumable_capacity;
	*extended = gates->dra_extended_resource;
}

const char *
gates_name(size_t i)
{
	return i < LENGTH(names) ? names[i].name : NULL;
}

/* Its place among the names; their number: there is none of this name. */
static size_t
place_of(const char *name)
{
	size_t i = 0;

	while (i < LENGTH(names) && strcmp(names[i].name, name) != 0)
		i++;
	return i;
}

static bool *
field_of(struct gates *gates, size_t i)
{
	return (bool *)((char *)gates + names[i].offset);
}

void
gates_of_release(struct gates *gates, int release)
{
	for (size_t i = 0; i < LENGTH(names); i++)
		if (release < names[i].on && !(gates->given >> i & 1))
			*field_of(gates, i) = false;
}

bool
gates_is_on(const struct gates *gates, size_t i)
{
	return *field_of((struct gates *)gates, i);
}

bool
gates_has(size_t i, int release)
{
	return release >= names[i].first &&
	    (names[i].last == 0 || release <= names[i].last);
}

bool
gates_agree(const struct gates *gates, const char *setting)
{
	size_t len = strcspn(setting, "=");

	for (size_t i = 0; i < LENGTH(names); i++)
		if (strncmp(names[i].name, setting, len) == 0 &&
		    names[i].name[len] == '\0')
			return gates_is_on(gates, i) ==
			    (strcmp(setting + len, "=true") == 0);
	return false;
}

static int
parse_bool(const char *text, size_t len, bool *out)
{
	/* as Go's strconv.ParseBool */
	static const char *const yes[] = { "1", "t", "T", "true", "TRUE",
		"True" };
	static const char *const no[] = { "0", "f", "F", "false", "FALSE",
		"False" };

	for (size_t i = 0; i < LENGTH(yes); i++) {
		if (strlen(yes[i]) == len && memcmp(yes[i], text, len) == 0) {
			*out = true;
			return 0;
		}
		if (strlen(no[i]) == len && memcmp(no[i], text, len) == 0) {
			*out = false;
			return 0;
		}
	}
	return -1;
}

static bool
is_newest(const char *gate)
{
	return gate[1] == '+' || gate[1] == '-';
}

static bool
is_known(const char *name)
{
	size_t len = strlen(name);

	for (const char *gate = known; *gate != '\0';
	     gate += strcspn(gate, " ") + 1) {
		const char *its = gate + (is_newest(gate) ? 2 : 0);

		if (strncmp(its, name, len) == 0 && its[len] == ' ')
			return true;
	}
	return false;
}

void
gates_each(const struct gates *gates,
    void (*each)(void *arg, const char *name, const char *stage, bool on),
    void *arg)
{
	for (const char *gate = known; *gate != '\0';
	     gate += strcspn(gate, " ") + 1) {
		AUTOFREE char *name = NULL;
		size_t place;

		if (!is_newest(gate))
			continue;
		name = xstrndup(gate + 2, strcspn(gate, " ") - 2);
		place = place_of(name);
		each(arg, name,
		    *gate == 'A'     ? "ALPHA" :
			*gate == 'B' ? "BETA" :
			*gate == 'D' ? "DEPRECATED" :
				       "",
		    place < LENGTH(names) ? gates_is_on(gates, place) :
					    gate[1] == '+');
	}
}

int
gates_parse(const char *text, struct gates *gates, gates_other *other,
    void *arg, struct err *err)
{
	struct gates result = *gates;
	size_t len, name_len, place;

	for (; *text != '\0'; text += len + (text[len] == ',')) {
		AUTOFREE char *name = NULL;
		bool value;

		len = strcspn(text, ",");
		if (len == 0)
			continue;
		name_len = strcspn(text, "=,");
		if (name_len == len)
			return errf(err, "missing bool value for %.*s",
			    (int)len, text);
		if (parse_bool(text + name_len + 1, len - name_len - 1,
			&value) < 0)
			return errf(err,
			    "invalid value of %.*s: must be true or false",
			    (int)len, text);
		/* Later releases may name the component. */
		name = xasprintf("%.*s", (int)name_len, text);
		if (strncmp(name, "kube:", 5) == 0)
			memmove(name, name + 5, name_len - 4);
		place = place_of(name);
		if (place < LENGTH(names)) {
			*field_of(&result, place) = value;
			result.given |= UINT32_C(1) << place;
		} else if (other == NULL || !other(arg, name, is_known(name))) {
			char all[1024] = "";

			for (size_t i = 0; i < LENGTH(names); i++) {
				size_t used = strlen(all);

				snprintf(all + used, sizeof(all) - used, "%s%s",
				    i > 0 ? ", " : "", names[i].name);
			}
			return errf(err,
			    "unrecognized feature gate: %s (there are: %s)",
			    name, all);
		}
	}
	*gates = result;
	return 0;
}
