#include "config.h"

#include "t/lib/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "policy/policy.h"
#include "framework/gates.h"

struct profile *
t_profile(const char *policy, const struct policy_options *options)
{
	const struct policy_options usual = { .gates = gates_default };
	struct problems problems = { 0 };
	struct err err = { "" };
	struct profile *profile = policy_read("policy", policy, strlen(policy),
	    options != NULL ? options : &usual, &problems, &err);

	if (profile == NULL) {
		printf("Bail out! %s\n", err.text);
		exit(99);
	}
	problems_fini(&problems);
	return profile;
}
