#include "config.h"

#include "ctl/lint_internal.h"
#include "model/steering.h"

#define PODS_SHOWN 3

/* "3 pods (default/a, default/b, ...) use", of the field; NULL: none does. */
static const char *
pods_with(struct lint *lint, enum unsupported field)
{
	const char *names = "", *separator = "";
	size_t n = 0;

	for (size_t i = 0; i < lint->load->npods; i++) {
		const struct pod *pod = lint->load->pods[i];

		if (pod->phase == POD_SUCCEEDED || pod->phase == POD_FAILED ||
		    !(pod->class->unsupported & UNSUPPORTED_BIT(field)))
			continue;
		if (n++ >= PODS_SHOWN)
			continue;
		names = arena_printf(&lint->arena, "%s%s%s", names, separator,
		    pod_full_name(pod));
		separator = ", ";
	}
	if (n == 0)
		return NULL;
	return arena_printf(&lint->arena, "%zu pod%s (%s%s) %s", n,
	    lint_plural(n), names, n > PODS_SHOWN ? ", ..." : "",
	    n == 1 ? "uses" : "use");
}

static void
warn_of_pods(struct lint *lint, enum unsupported field)
{
	const struct unsupported_field *f = &unsupported_fields[field];
	const char *pods = pods_with(lint, field);

	if (pods == NULL)
		return;
	if (lint->profile->ignored_fields & UNSUPPORTED_BIT(field))
		lint_warn(lint, 0, 0, "%s %s, which is ignored", pods, f->path);
	else
		lint_warn(lint, 0, 0,
		    "%s %s, which is not supported: %s; pending pods with it "
		    "are not scheduled unless --ignore-unsupported=%s is set",
		    pods, f->path, f->why, f->name);
}

static void
warn_of_objects(struct lint *lint, enum unsupported field)
{
	const struct unsupported_field *f = &unsupported_fields[field];
	size_t n = lint->load->nunsupported[field];

	if (n > 0)
		lint_warn(lint, 0, 0, "%zu object%s of kind %s%s%s %s: %s", n,
		    lint_plural(n), f->kind, f->path[0] != '\0' ? " with " : "",
		    f->path, n == 1 ? "is not supported" : "are not supported",
		    f->why);
}

/* With --strict-policy the fields do not exist. */
void
lint_unsupported(struct lint *lint)
{
	if (lint->profile->strict)
		return;
	for (enum unsupported i = 0; i < UNSUPPORTED_FIELDS; i++) {
		if (unsupported_holds(i))
			warn_of_pods(lint, i);
		else
			warn_of_objects(lint, i);
	}
}
