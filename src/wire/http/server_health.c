/*
 * /healthz, /livez and /readyz, in the words of k8s.io/apiserver's
 * pkg/server/healthz (1.20): a search for "[-]leaderElection failed" works in
 * the logs of both schedulers.
 */
#include "config.h"

#include "base/log.h"
#include "wire/http/server_internal.h"

struct check {
	const char *name;
	unsigned endpoints;
	int (*check)(void *arg, struct err *err);
	void *arg;
};

struct health {
	struct check *checks;
	size_t n, cap;
};

static const struct {
	const char *name;
	enum server_endpoints bit;
} endpoints[] = {
	{ "healthz", SERVER_HEALTHZ },
	{ "livez", SERVER_LIVEZ },
	{ "readyz", SERVER_READYZ },
};

static int
ping(void *arg, struct err *err)
{
	return 0;
}

struct health *
health_new(void)
{
	struct health *health = xcalloc(1, sizeof(*health));

	health_add(health, "ping", SERVER_EVERYWHERE, ping, NULL);
	return health;
}

void
health_free(struct health *health)
{
	if (health == NULL)
		return;
	free(health->checks);
	free(health);
}

void
health_add(struct health *health, const char *name, unsigned where,
    int (*check)(void *arg, struct err *err), void *arg)
{
	vec_room(health->checks, health->n, &health->cap);
	health->checks[health->n++] = (struct check){ name, where, check, arg };
}

static const struct check *
find_check(const struct health *health, unsigned bit, const char *name)
{
	return FIND(i, health->checks, health->n,
	    (health->checks[i].endpoints & bit) != 0 &&
		strcmp(health->checks[i].name, name) == 0);
}

static void
put_unknown_exclusions(struct text *out, const struct health *health,
    unsigned bit, const struct query *query)
{
	const char *separator = "warn: some health checks cannot be excluded: "
				"no matches for ";

	for (size_t i = 0; i < query->n; i++) {
		const struct query_pair *pair = &query->pairs[i];

		if (strcmp(pair->name, "exclude") != 0 ||
		    find_check(health, bit, pair->value) != NULL)
			continue;
		text_put(out, separator);
		json_put_string(out, pair->value);
		separator = ", ";
	}
	if (separator[0] == ',')
		text_put(out, "\n");
}

/* One line for each check; returns whether all are well. */
static bool
run_all(struct text *out, const struct health *health, unsigned bit,
    const char *endpoint, const struct query *query)
{
	bool well = true;

	for (size_t i = 0; i < health->n; i++) {
		const struct check *check = &health->checks[i];
		struct err err = { "" };

		if ((check->endpoints & bit) == 0)
			continue;
		if (ANY(k, query->n,
			strcmp(query->pairs[k].name, "exclude") == 0 &&
			    strcmp(query->pairs[k].value, check->name) == 0)) {
			text_printf(out, "[+]%s excluded: ok\n", check->name);
		} else if (check->check(check->arg, &err) == 0) {
			text_printf(out, "[+]%s ok\n", check->name);
		} else {
			log_v(2, "%s check failed: %s: %s", check->name,
			    endpoint, err.text);
			text_printf(out, "[-]%s failed: reason withheld\n",
			    check->name);
			well = false;
		}
	}
	put_unknown_exclusions(out, health, bit, query);
	return well;
}

static void
answer_all(const struct health *health, unsigned bit, const char *endpoint,
    const struct query *query, struct reply *reply)
{
	struct text lines = { 0 };
	bool well = run_all(&lines, health, bit, endpoint, query);

	if (!well)
		reply->status = 500;
	if (well && query_get(query, "verbose") == NULL) {
		text_put(&reply->body, "ok");
	} else {
		text_append(&reply->body, lines.bytes, lines.len);
		text_printf(&reply->body, "%s check %s\n", endpoint,
		    well ? "passed" : "failed");
	}
	text_fini(&lines);
}

bool
health_answer(const struct health *health, const char *path,
    const struct query *query, struct reply *reply)
{
	for (size_t i = 0; health != NULL && i < LENGTH(endpoints); i++) {
		const char *name = endpoints[i].name;
		size_t len = strlen(name);
		const struct check *check;
		struct err err = { "" };

		if (path[0] != '/' || strncmp(path + 1, name, len) != 0)
			continue;
		if (path[1 + len] == '\0') {
			if (reply != NULL)
				answer_all(health, endpoints[i].bit, name,
				    query, reply);
			return true;
		}
		check = path[1 + len] != '/' ?
		    NULL :
		    find_check(health, endpoints[i].bit, path + 2 + len);
		if (check == NULL)
			continue;
		if (reply != NULL && check->check(check->arg, &err) == 0)
			text_put(&reply->body, "ok");
		else if (reply != NULL)
			reply_error(reply, 500, "internal server error: %s",
			    err.text);
		return true;
	}
	return false;
}
