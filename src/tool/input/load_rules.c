/* Policies and configurations, and which of their profiles decide about a pod. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/doc.h"
#include "base/excerpt.h"
#include "base/file.h"
#include "base/json_out.h"
#include "tool/commands/ctl.h"
#include "tool/input/load.h"
#include "tool/commands/options.h"
#include "policy/configuration/configuration.h"

char *
load_text(const char *path, size_t *len, struct err *err)
{
	const char *name = options_is_stdin(path) ? "stdin" : path;
	size_t max = doc_limits_people.bytes;
	int fd = options_is_stdin(path) ? STDIN_FILENO :
					  open(path, O_RDONLY | O_CLOEXEC);
	char *text = fd < 0 ? NULL : file_read(fd, max, len);

	if (text == NULL && errno == EFBIG)
		errf(err, "%s: larger than %zu MiB", name, max >> 20);
	else if (text == NULL)
		errf(err, "%s: %s", name, strerror(errno));
	if (fd > STDIN_FILENO)
		close(fd);
	return text;
}

int
load_write(const char *path, const char *mode, const char *text, size_t len)
{
	FILE *out = path != NULL ? fopen(path, mode) : stdout;
	bool failed = out == NULL || fwrite(text, 1, len, out) < len;

	if (out != NULL && path != NULL)
		failed |= fclose(out) != 0;
	if (!failed)
		return EXIT_DONE;
	ctl_print("%s: %s", path != NULL ? path : "standard output",
	    strerror(errno));
	if (out != NULL && path != NULL && strchr(mode, 'x') != NULL)
		unlink(path);
	return EXIT_INPUT;
}

void
load_print_excerpt(char *lines)
{
	if (lines != NULL)
		for (char *p = lines, *next; *p != '\0'; p = next) {
			next = p + strcspn(p, "\n");
			*next++ = '\0';
			text_print_line(stderr, p);
		}
	free(lines);
}

static void
print_problems(const struct problems *problems, const char *name,
    const char *text, size_t len)
{
	char line[4096];

	for (size_t i = 0; i < problems->n; i++) {
		const struct problem *problem = &problems->at[i];

		text_print_line(stderr,
		    problem_text(problem, line, sizeof(line)));
		if (problem->severity == SEVERITY_ERROR && name != NULL &&
		    strcmp(problem->file, name) == 0)
			load_print_excerpt(
			    excerpt(text, len, problem->line, problem->column));
	}
}

void
load_print_problems(const struct problems *problems)
{
	print_problems(problems, NULL, NULL, 0);
}

void
load_print_refused(const struct options *options, const char *file,
    const char *kind, const char *sentence)
{
	struct text text = { 0 };

	ctl_print("%s: the %s is refused", file, kind);
	if (!options->json)
		return;
	json_put(&text, "{'error':%s}\n", sentence);
	text_write(&text, stdout);
}

struct profiles *
load_parse(bool is_configuration, const char *name, const char *text,
    size_t len, const struct policy_options *how, struct problems *problems,
    struct err *err)
{
	struct profile *profile;

	if (is_configuration)
		return configuration_read(name, text, len, how, problems, err);
	if (len == 0 && !how->strict) {
		problem_add(problems, SEVERITY_ERROR, name, 0, 0,
		    "it is empty; a policy of the defaults alone is {}");
		errf(err, "%s: it is empty", name);
		return NULL;
	}
	profile = policy_read(name, text, len, how, problems, err);
	return profile != NULL ? profiles_of_one(profile) : NULL;
}

static struct profiles *
read_profiles(const struct options *options, const char *name, const char *text,
    size_t len, struct problems *problems, struct err *err)
{
	struct policy_options how = options->policy_options;

	how.project_node_selectors = true; /* the cluster may have some */
	if (options_follow_cluster(options))
		return profiles_of_one(
		    policy_provider("DefaultProvider", &how));
	return load_parse(options->config != NULL, name, text, len, &how,
	    problems, err);
}

int
load_choose(struct options *options, const char *file)
{
	struct err err;
	size_t len;
	AUTOFREE char *text =
	    options_is_stdin(file) ? NULL : load_text(file, &len, &err);

	options->policy = options->config = NULL;
	if (text == NULL && !options_is_stdin(file))
		return ctl_fail(&err);
	if (text != NULL && configuration_is(text))
		options->config = file;
	else
		options->policy = file;
	return EXIT_DONE;
}

struct profiles *
load_profiles_text(const struct options *options, const char *text, size_t len,
    struct err *err)
{
	static const char name[] = "proposal";
	struct options how = *options;
	struct problems problems = { 0 };
	struct profiles *profiles;

	if (how.config == NULL)
		how.policy = name;
	profiles = read_profiles(&how, name, text, len, &problems, err);
	problems_fini(&problems);
	return profiles;
}

int
load_rules(const struct options *options, char **name, char **text, size_t *len,
    struct err *err)
{
	const char *path =
	    options->config != NULL ? options->config : options->policy;

	if (options->rules != NULL) {
		*name = xstrdup(path);
		*text = xstrdup(options->rules);
		*len = strlen(options->rules);
	} else if (options->policy_configmap != NULL) {
		*name = xasprintf("%s/%s", options->policy_namespace,
		    options->policy_configmap);
		*text =
		    live_config_map_policy(options, options->policy_namespace,
			options->policy_configmap, len, err);
	} else if (path != NULL) {
		*name = xstrdup(options_is_stdin(path) ? "stdin" : path);
		*text = load_text(path, len, err);
	} else {
		return 0;
	}
	return *text != NULL ? 0 : -1;
}

int
load_profiles(const struct options *options, struct profiles **profiles)
{
	struct problems problems = { 0 };
	struct err err = { "" };
	AUTOFREE char *text = NULL, *name = NULL;
	size_t len = 0, nextenders;

	if (load_rules(options, &name, &text, &len, &err) != 0)
		return ctl_fail(&err);
	*profiles = read_profiles(options, name, text, len, &problems, &err);
	print_problems(&problems, name, text, len);
	problems_fini(&problems);
	if (*profiles == NULL) {
		load_print_refused(options, name,
		    options->config != NULL ? "configuration" : "policy",
		    err.text);
		return EXIT_NEGATIVE;
	}
	/* A converted policy has them, too. */
	nextenders = (*profiles)->at[0]->nextenders;
	if (options->command != COMMAND_CONVERT && nextenders > 0)
		ctl_print("warning: the policy's extenders (%zu) are not "
			  "called; their answers are not taken into account",
		    nextenders);
	return EXIT_DONE;
}

void
load_follow_release(const struct options *options, int release,
    struct profiles **profiles)
{
	AUTOFREE char *text = NULL, *name = NULL;
	struct options how = *options;
	struct problems problems = { 0 };
	struct profiles *again = NULL;
	struct err err;
	size_t len = 0;

	how.policy_options.kubernetes_minor = release;
	if (*profiles == NULL || options->config == NULL ||
	    options->kubernetes_minor != 0 ||
	    options_is_stdin(options->config) ||
	    !profile_follows((*profiles)->at[0], release))
		return;
	if (load_rules(options, &name, &text, &len, &err) == 0)
		again = read_profiles(&how, name, text, len, &problems, &err);
	problems_fini(&problems);
	if (again == NULL)
		return;
	profiles_free(*profiles);
	*profiles = again;
}

const struct profile *
load_serving(const void *arg, const struct profiles *profiles,
    const struct pod *pod)
{
	const struct options *options = arg;
	const struct profile *profile =
	    profiles_serving(profiles, sym_text(pod->class->scheduler_name));

	if (profile == NULL && options->scheduler_is_given)
		profile = profiles_serving(profiles,
		    sym_text(options->scheduler_name));
	return profile;
}

bool
load_waits(const struct options *options, const struct profiles *profiles,
    const struct pod *pod)
{
	return (options->namespace == SYM_NONE ||
		   pod->object.namespace == options->namespace) &&
	    load_queues(options, profiles, pod);
}

bool
load_queues(const struct options *options, const struct profiles *profiles,
    const struct pod *pod)
{
	if (!pod_is_pending(pod))
		return false;
	if (options->config == NULL)
		return pod->class->scheduler_name == options->scheduler_name;
	return load_serving(options, profiles, pod) != NULL;
}

const struct profile *
load_profile_chosen(const struct options *options,
    const struct profiles *profiles)
{
	const char *name = sym_text(options->scheduler_name);
	const struct profile *profile = profiles_serving(profiles, name);

	if (profiles->n == 1 && !options->scheduler_is_given)
		return profiles->at[0];
	if (profile == NULL)
		ctl_print("there is no profile \"%s\"; choose one with "
			  "--scheduler-name",
		    name);
	return profile;
}
