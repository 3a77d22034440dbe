#include "config.h"

#include "objects/namespace_weights.h"

int
namespace_weights_check(const char *text, struct err *err)
{
	for (size_t len; *text != '\0'; text += len + (text[len] == ',')) {
		size_t name = strcspn(text, "=,");
		char *end = NULL;
		long n =
		    text[name] == '=' ? strtol(text + name + 1, &end, 10) : 0;

		len = strcspn(text, ",");
		if (name == 0 || end != text + len || n < 1 ||
		    n > NAMESPACE_WEIGHT_MAX)
			return errf(err,
			    "\"%.*s\" is not of the form NAMESPACE=N with N "
			    "from 1 to %d",
			    (int)len, text, NAMESPACE_WEIGHT_MAX);
	}
	return 0;
}

uint32_t
namespace_weight(const char *text, const char *namespace)
{
	unsigned long named = 0, others = 1;

	for (size_t len; *text != '\0'; text += len + (text[len] == ',')) {
		size_t name = strcspn(text, "=");
		unsigned long n = strtoul(text + name + 1, NULL, 10);

		len = strcspn(text, ",");
		if (name == strlen(namespace) &&
		    strncmp(text, namespace, name) == 0)
			named = n;
		else if (name == 1 && *text == '*')
			others = n;
	}
	return (uint32_t)(named > 0 ? named : others);
}
