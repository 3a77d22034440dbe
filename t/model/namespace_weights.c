/* The shares of namespaces: accepted texts, and the weight of each namespace. */
#include "config.h"

#include "base/err.h"
#include "base/xmalloc.h"
#include "objects/namespace_weights.h"
#include "t/lib/t.h"

static void
weights_are_numbers(void)
{
	static const struct {
		const char *text, *refused;
	} rows[] = {
		{ "", "" },
		{ "a=1", "" },
		{ "*=1000,a=2,b=3", "" },
		{ "a", "a" },
		{ "a=", "a=" },
		{ "=1", "=1" },
		{ "a=0", "a=0" },
		{ "a=-1", "a=-1" },
		{ "a=1001", "a=1001" },
		{ "a=1x", "a=1x" },
		{ "b=1,a=1.5", "a=1.5" },
		{ "a,b=2", "a" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		AUTOFREE char *want = xasprintf(
		    "\"%s\" is not of the form NAMESPACE=N with N from 1 to "
		    "1000",
		    rows[i].refused);
		bool fine = rows[i].refused[0] == '\0';
		struct err err = { "" };

		t_int(rows[i].text, namespace_weights_check(rows[i].text, &err),
		    fine ? 0 : -1);
		t_str(rows[i].text, err.text, fine ? "" : want);
	}
}

static void
a_namespace_has_its_own_or_that_of_others(void)
{
	static const struct {
		const char *text, *namespace;
		unsigned weight;
	} rows[] = {
		{ "", "a", 1 },
		{ "a=4", "a", 4 },
		{ "a=4", "b", 1 },
		{ "a=4", "aa", 1 },
		{ "aa=4", "a", 1 },
		{ "*=3,a=4", "a", 4 },
		{ "a=4,*=3", "b", 3 },
		{ "a=4,a=5", "a", 5 },
	};

	for (size_t i = 0; i < LENGTH(rows); i++)
		t_int(rows[i].text,
		    namespace_weight(rows[i].text, rows[i].namespace),
		    rows[i].weight);
}

T_MAIN(T(weights_are_numbers), T(a_namespace_has_its_own_or_that_of_others))
