#include "config.h"

#include "daemon/policy_source/policy_source.h"

#include <event2/event.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/log.h"
#include "base/xmalloc.h"
#include "decide/framework/profiles.h"
#include "t/lib/t.h"

#define PATIENCE_MS 20000
#define QUIET_MS 250 /* nothing is to happen for so long */
#define SOON_MS 1000 /* 50 ms, on a machine that has other things to do */

#define GOOD                                                                   \
	"{\"kind\":\"Policy\",\"apiVersion\":\"v1\",\"predicates\":"           \
	"[{\"name\":\"HostName\"}]}\n"
#define OTHER                                                                  \
	"{\"kind\":\"Policy\",\"apiVersion\":\"v1\",\"predicates\":"           \
	"[{\"name\":\"NoDiskConflict\"}]}\n"
#define UNKNOWN                                                                \
	"{\"kind\":\"Policy\",\"apiVersion\":\"v1\",\"predicates\":\n"         \
	"[{\"name\":\"Nonsense\"}]}\n"
#define CUT "{\"kind\":\"Policy\",\"apiVersion\":\"v1\",\"predicates\":"
#define CONFIGURATION(version)                                                 \
	"apiVersion: kubescheduler.config.k8s.io/" version "\n"                \
	"kind: KubeSchedulerConfiguration\n"
static char folder[] = "/tmp/policy_source.XXXXXX";
static char path[200], other_path[200];
static struct event_base *base;
static struct policy_source *source;

/* Calls of the callbacks. */
static struct {
	size_t policies, refusals, failures, log_lines;
	char first[64]; /* predicate of the last policy */
	char origin[200], hash[41], why[400], problem[400], log[400];
	uint64_t generation;
	enum policy_from refused; /* where the last refused one was */
} heard;

static bool
has(const struct profile *profile, const char *predicate)
{
	for (size_t i = 0; i < profile->npredicates; i++)
		if (strcmp(profile->predicates[i].name, predicate) == 0)
			return true;
	return false;
}

static void
on_policy(void *arg, struct profiles *profiles,
    const struct policy_version *version)
{
	const struct profile *profile = profiles->at[0];
	bool defaults = has(profile, "GeneralPredicates");

	heard.policies++;
	/* The mandatory ones come first. */
	snprintf(heard.first, sizeof(heard.first), "%s",
	    defaults                           ? "defaults" :
		has(profile, "HostName")       ? "HostName" :
		has(profile, "NoDiskConflict") ? "NoDiskConflict" :
		has(profile, "NodeName")       ? "plugins" :
						 "none");
	snprintf(heard.origin, sizeof(heard.origin), "%s", version->origin);
	snprintf(heard.hash, sizeof(heard.hash), "%s", version->hash);
	heard.generation = version->generation;
	profiles_free(profiles);
}

static void
on_refused(void *arg, enum policy_from from, const char *why,
    const struct problems *problems)
{
	heard.refusals++;
	heard.refused = from;
	snprintf(heard.why, sizeof(heard.why), "%s", why);
	heard.problem[0] = '\0';
	if (problems->n > 0)
		problem_text(&problems->at[0], heard.problem,
		    sizeof(heard.problem));
}

static void
on_failed(void *arg, const char *why)
{
	heard.failures++;
	snprintf(heard.why, sizeof(heard.why), "%s", why);
}

static void
on_log(enum log_level level, const char *text)
{
	heard.log_lines++;
	if (level == LOG_LEVEL_ERROR && strstr(text, ": error: ") != NULL)
		snprintf(heard.log, sizeof(heard.log), "%s", text);
}

static const struct policy_source_ops ops = { on_policy, on_refused, on_failed,
	NULL, NULL };

/*
 * Files
 */

static const char *
in_folder(const char *name)
{
	static char buf[4][300];
	static unsigned next;
	char *out = buf[next++ % 4];

	snprintf(out, sizeof(buf[0]), "%s/%s", folder, name);
	return out;
}

static int
open_to_write(const char *file)
{
	return open(file, O_WRONLY | O_CREAT | O_TRUNC, 0600);
}

static void
put(int fd, const char *text)
{
	if (write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		t_true("write", false);
}

static void
write_in_place(const char *file, const char *text)
{
	int fd = open_to_write(file);

	put(fd, text);
	close(fd);
}

static void
rename_into_place(const char *file, const char *text)
{
	write_in_place(in_folder("temporary"), text);
	t_int("rename", rename(in_folder("temporary"), file), 0);
}

static void
link_to(const char *target, const char *file)
{
	t_int("symlink", symlink(target, in_folder("temporary")), 0);
	t_int("rename", rename(in_folder("temporary"), file), 0);
}

/*
 * The loop
 */

static void
tick(evutil_socket_t fd, short what, void *arg)
{
}

/* How long it took until *count was want; -1: too long. */
static int64_t
run_until(const size_t *count, size_t want, int64_t patience_ms)
{
	int64_t begin = clock_ms();
	struct event *often = event_new(base, -1, EV_PERSIST, tick, NULL);
	struct timeval wait = clock_timeval(10);

	event_add(often, &wait);
	while (*count < want && clock_ms() - begin < patience_ms)
		event_base_loop(base, EVLOOP_ONCE);
	event_free(often);
	return *count == want ? clock_ms() - begin : -1;
}

static void
nothing_happens(const char *when)
{
	size_t before = heard.policies + heard.refusals + heard.failures;

	run_until(&(size_t){ 0 }, 1, QUIET_MS);
	t_int(when, heard.policies + heard.refusals + heard.failures, before);
}

static void
policies_come_to(const char *when, size_t want, const char *first)
{
	int64_t took = run_until(&heard.policies, want, PATIENCE_MS);

	t_true(when, took >= 0);
	t_true("soon", took < SOON_MS);
	t_str(when, heard.first, first);
}

static void
refusals_come_to(const char *when, size_t want, const char *why)
{
	t_true(when, run_until(&heard.refusals, want, PATIENCE_MS) >= 0);
	t_str(when, heard.why, why);
}

static struct policy_source_options
options_for(const char *file)
{
	return (struct policy_source_options){
		.file = file,
		.policy = { .gates = gates_default },
	};
}

static void
open_source(const struct policy_source_options *options)
{
	memset(&heard, 0, sizeof(heard));
	base = event_base_new();
	source = policy_source_new(base, NULL, options, &ops, NULL);
	t_int("nothing comes before the loop", heard.policies + heard.failures,
	    0);
}

static void
open_file(const char *text)
{
	struct policy_source_options options = options_for(path);

	unlink(path);
	if (text != NULL)
		write_in_place(path, text);
	open_source(&options);
	run_until(&heard.policies, 1, text != NULL ? PATIENCE_MS : QUIET_MS);
}

static void
close_source(void)
{
	policy_source_free(source);
	event_base_free(base);
	source = NULL;
	base = NULL;
}

/*
 * Tests
 */

static void
a_file_gives_the_first_policy(void)
{
	open_file(GOOD);
	t_int("one", heard.policies, 1);
	t_str("policy", heard.first, "HostName");
	t_str("origin", heard.origin, path);
	t_int("generation", heard.generation, 1);
	t_int("hash", strlen(heard.hash), 40);
	close_source();
}

static void
a_bad_start_fails(void)
{
	AUTOFREE char *missing =
	    xasprintf("missing policy config file %s", path);
	AUTOFREE char *cut = xasprintf("invalid policy: %s:1:", path);
	AUTOFREE char *at = xasprintf("%s:2:10: error: unknown predicate "
				      "\"Nonsense\"",
	    path);
	AUTOFREE char *refusal = xasprintf("invalid policy: %s", at);
	struct policy_source_options options = options_for(path);
	struct problems problems = { 0 };
	struct err err;

	open_file(NULL);
	t_int("missing", heard.failures, 1);
	t_str("missing", heard.why, missing);
	t_true("checked alike",
	    policy_source_check(&options, &problems, &err) == NULL);
	t_str("checked alike", err.text, missing);
	close_source();

	write_in_place(path, CUT);
	open_source(&options);
	run_until(&heard.failures, 1, PATIENCE_MS);
	t_has("undecodable", heard.why, cut);
	close_source();

	write_in_place(path, UNKNOWN);
	open_source(&options);
	run_until(&heard.failures, 1, PATIENCE_MS);
	t_str("unknown", heard.why, refusal);
	t_has("the problem is in the log", heard.log, at);
	t_true("checked alike",
	    policy_source_check(&options, &problems, &err) == NULL);
	t_str("checked alike", err.text, refusal);
	t_int("never both", heard.policies, 0);
	problems_fini(&problems);
	close_source();
}

static void
without_a_file_a_provider_decides(void)
{
	struct policy_source_options options = options_for(NULL);
	struct profiles *profiles;
	struct err err;

	open_source(&options);
	run_until(&heard.policies, 1, PATIENCE_MS);
	t_str("origin", heard.origin, "DefaultProvider");
	t_str("no text", heard.hash, "");
	policy_source_reload(source, &options);
	nothing_happens("the same again is no reload");
	close_source();

	options.provider = "Nobody";
	open_source(&options);
	run_until(&heard.failures, 1, PATIENCE_MS);
	t_str("unknown", heard.why,
	    "couldn't create scheduler using provider \"Nobody\": plugin "
	    "\"Nobody\" has not been registered");
	close_source();

	options.provider = "ClusterAutoscalerProvider";
	profiles = policy_source_check(&options, NULL, &err);
	t_true("checked", profiles != NULL);
	profiles_free(profiles);
	options.config_map = "policy";
	t_true("what is in a ConfigMap cannot be checked",
	    policy_source_check(&options, NULL, &err) == NULL);
	t_str("and that is no error", err.text, "");
}

static void
a_configuration_is_followed_as_a_policy_is(void)
{
	AUTOFREE char *missing =
	    xasprintf("open %s: no such file or directory", other_path);
	struct policy_source_options options = options_for(NULL);
	struct problems problems = { 0 };
	struct profiles *profiles;
	struct err err;

	options.config = other_path;
	unlink(other_path);
	open_source(&options);
	run_until(&heard.failures, 1, PATIENCE_MS);
	t_str("missing", heard.why, missing);
	close_source();

	write_in_place(other_path, CONFIGURATION("v1"));
	open_source(&options);
	run_until(&heard.policies, 1, PATIENCE_MS);
	t_str("its plugins", heard.first, "plugins");
	t_str("origin", heard.origin, other_path);
	t_int("hash", strlen(heard.hash), 40);
	write_in_place(other_path, CONFIGURATION("v1beta1"));
	policies_come_to("changed", 2, "plugins");
	write_in_place(other_path, "{");
	t_true("refused", run_until(&heard.refusals, 1, PATIENCE_MS) >= 0);
	t_int("the configuration", heard.refused, POLICY_FROM_CONFIG);
	unlink(other_path);
	refusals_come_to("removed", 2, missing);
	write_in_place(other_path, CONFIGURATION("v1"));
	policies_come_to("back", 3, "plugins");
	close_source();

	profiles = policy_source_check(&options, &problems, &err);
	t_true("checked", profiles != NULL);
	profiles_free(profiles);
	options.file = path;
	write_in_place(path, GOOD);
	open_source(&options);
	run_until(&heard.policies, 1, PATIENCE_MS);
	t_str("a policy comes first", heard.first, "HostName");
	close_source();
	problems_fini(&problems);
}

static void
a_change_is_seen_however_it_is_made(void)
{
	open_file(GOOD);
	write_in_place(path, OTHER);
	policies_come_to("written in place", 2, "NoDiskConflict");
	rename_into_place(path, GOOD);
	policies_come_to("renamed into place", 3, "HostName");
	t_int("generation", heard.generation, 3);
	unlink(path);
	write_in_place(path, OTHER);
	run_until(&heard.policies, 4, PATIENCE_MS);
	t_str("removed and made again", heard.first, "NoDiskConflict");

	mkdir(in_folder("elsewhere"), 0700);
	write_in_place(in_folder("elsewhere/file"), GOOD);
	link_to("elsewhere/file", path);
	policies_come_to("linked to another folder", 5, "HostName");
	write_in_place(in_folder("elsewhere/file"), OTHER);
	policies_come_to("the link's target written", 6, "NoDiskConflict");
	close_source();
}

/* policy.cfg -> ..data/policy.cfg, ..data -> ..1; then ..data -> ..2. */
static void
a_volume_that_is_swapped_is_seen(void)
{
	AUTOFREE char *file = xstrdup(in_folder("policy.cfg"));
	struct policy_source_options options = options_for(file);

	mkdir(in_folder("..1"), 0700);
	mkdir(in_folder("..2"), 0700);
	mkdir(in_folder("..3"), 0700);
	write_in_place(in_folder("..1/policy.cfg"), GOOD);
	write_in_place(in_folder("..2/policy.cfg"), OTHER);
	write_in_place(in_folder("..3/policy.cfg"), GOOD);
	link_to("..1", in_folder("..data"));
	link_to("..data/policy.cfg", file);
	open_source(&options);
	run_until(&heard.policies, 1, PATIENCE_MS);
	link_to("..2", in_folder("..data"));
	unlink(in_folder("..1/policy.cfg"));
	rmdir(in_folder("..1"));
	policies_come_to("swapped", 2, "NoDiskConflict");
	link_to("..3", in_folder("..data"));
	unlink(in_folder("..2/policy.cfg"));
	rmdir(in_folder("..2"));
	policies_come_to("again", 3, "HostName");
	t_int("without a refusal", heard.refusals, 0);
	close_source();
}

static void
the_same_text_is_no_reload(void)
{
	open_file(GOOD);
	write_in_place(path, GOOD);
	nothing_happens("written again");
	rename_into_place(path, GOOD);
	nothing_happens("renamed again");
	chmod(path, 0644);
	nothing_happens("another mode");
	policy_source_reload(source, NULL);
	nothing_happens("asked for");
	close_source();
}

static void
what_is_being_written_is_not_read(void)
{
	int fd;

	open_file(GOOD);
	fd = open_to_write(path);
	nothing_happens("emptied");
	/* Which would be a good policy, in YAML. */
	put(fd, "kind: Policy\napiVersion: v1\n");
	nothing_happens("half of it");
	write_in_place(in_folder("neighbour"), "something else");
	nothing_happens("others come and go");
	put(fd, "predicates:\n- name: NoDiskConflict\n");
	nothing_happens("all of it, but still open");
	close(fd);
	policies_come_to("closed", 2, "NoDiskConflict");
	t_int("nothing was refused", heard.refusals, 0);
	close_source();
}

static void
a_bad_text_is_refused_and_the_last_policy_stays(void)
{
	AUTOFREE char *at = xasprintf("%s:2:10: error: unknown predicate "
				      "\"Nonsense\"",
	    path);
	AUTOFREE char *missing =
	    xasprintf("missing policy config file %s", path);
	AUTOFREE char *refusal = xasprintf("invalid policy: %s", at);

	open_file(GOOD);
	write_in_place(path, UNKNOWN);
	refusals_come_to("refused", 1, refusal);
	t_int("the file", heard.refused, POLICY_FROM_FILE);
	t_has("with its problem", heard.problem, at);
	t_has("which is in the log", heard.log, at);
	write_in_place(path, UNKNOWN);
	nothing_happens("the same again is not refused again");
	policy_source_reload(source, NULL);
	refusals_come_to("unless asked for", 2, refusal);
	write_in_place(path, GOOD);
	policies_come_to("what applied before applies anew", 2, "HostName");
	unlink(path);
	refusals_come_to("removed", 3, missing);
	nothing_happens("said once");
	write_in_place(path, GOOD);
	policies_come_to("back", 3, "HostName");
	t_int("no failure", heard.failures, 0);
	close_source();
}

static void
an_empty_text_means_the_defaults_only_at_start(void)
{
	AUTOFREE char *why = xasprintf("invalid policy: %s: it is empty", path);

	open_file("");
	t_str("at start", heard.first, "defaults");
	write_in_place(path, GOOD);
	policies_come_to("then a policy", 2, "HostName");
	write_in_place(path, " \n");
	refusals_come_to("later", 1, why);
	close_source();
}

static void
a_reload_can_bring_other_options(void)
{
	struct policy_source_options options = options_for(other_path);
	AUTOFREE char *nothing = xstrdup(in_folder("nothing"));

	open_file(GOOD);
	write_in_place(other_path, OTHER);
	policy_source_reload(source, &options);
	policies_come_to("another file", 2, "NoDiskConflict");
	write_in_place(path, OTHER);
	nothing_happens("the first is no longer watched");
	policy_source_reload(source, &options);
	nothing_happens("the same options");
	options.policy.always_check_all_predicates = true;
	policy_source_reload(source, &options);
	policies_come_to("other rules for reading", 3, "NoDiskConflict");
	options.file = nothing;
	policy_source_reload(source, &options);
	t_true("a file that is not there",
	    run_until(&heard.refusals, 1, PATIENCE_MS) >= 0);
	write_in_place(options.file, GOOD);
	policies_come_to("until it comes", 4, "HostName");
	options.file = NULL;
	policy_source_reload(source, &options);
	policies_come_to("none", 5, "defaults");
	close_source();
}

static void
setup(void)
{
	static bool done;

	if (done)
		return;
	done = true;
	if (mkdtemp(folder) == NULL)
		exit(99);
	snprintf(path, sizeof(path), "%s", in_folder("policy"));
	snprintf(other_path, sizeof(other_path), "%s", in_folder("other"));
	log_listen(on_log);
}

static void
clean_up(void)
{
	AUTOFREE char *command = xasprintf("rm -rf %s", folder);

	if (system(command) != 0)
		fprintf(stderr, "%s stays\n", folder);
}

int
main(void)
{
	static const struct t_test tests[] = {
		T(a_file_gives_the_first_policy),
		T(a_bad_start_fails),
		T(without_a_file_a_provider_decides),
		T(a_configuration_is_followed_as_a_policy_is),
		T(a_change_is_seen_however_it_is_made),
		T(a_volume_that_is_swapped_is_seen),
		T(the_same_text_is_no_reload),
		T(what_is_being_written_is_not_read),
		T(a_bad_text_is_refused_and_the_last_policy_stays),
		T(an_empty_text_means_the_defaults_only_at_start),
		T(a_reload_can_bring_other_options),
	};
	int result;

	setup();
	result = t_run(tests, LENGTH(tests));
	clean_up();
	return result;
}
