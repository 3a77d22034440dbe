/* Reads the input of commands: policies, and clusters, as kubectl dumps or from
 * their API server (live.h). */
#ifndef CTL_LOAD_H
#define CTL_LOAD_H

#include "base/sym.h"
#include "cluster/cluster.h"
#include "tool/input/live.h"
#include "tool/input/openshift.h"
#include "decide/framework/profile.h"
#include "decide/framework/profiles.h"
#include "objects/pod.h"
#include "objects/steering.h"

struct doc_node;
struct options;
struct policy_options;
struct problems;

/*
 * The whole file ("-": standard input), NUL-terminated; you own it.  NULL when
 * it cannot be read or is longer than people write policies.
 */
char *load_text(const char *path, size_t *len, struct err *err);

/* Writes the text, to standard output if path is NULL, else with this mode of fopen(); a
 * new file that cannot be written whole is removed.  Returns an exit code. */
int load_write(const char *path, const char *mode, const char *text,
    size_t len);

/* Sets options->policy or ->config: a file with the kind of the latter is a
 * KubeSchedulerConfiguration; standard input is a policy.  Returns an exit code. */
int load_choose(struct options *options, const char *file);

/* The text of the policy or configuration, and its name; NULL: none is given.  You
 * own both. */
int load_rules(const struct options *options, char **name, char **text,
    size_t *len, struct err *err);

/* The profiles of a configuration, or of a policy; but a policy of no bytes is an
 * error: the command that wrote it failed.  Kubernetes 1.15 reads it as {}, and so
 * does --strict-policy.  You own them, NULL: err. */
struct profiles *load_parse(bool is_configuration, const char *name,
    const char *text, size_t len, const struct policy_options *how,
    struct problems *problems, struct err *err);

/*
 * The profiles of options->config, or the one that options->policy describes, or
 * the default provider's.  Problems go to standard error, with -o json the refusal
 * also to standard output.  Returns an exit code; when it is EXIT_DONE you own
 * *profiles.
 */
int load_profiles(const struct options *options, struct profiles **profiles);

/* Reads the configuration of *profiles, which you own, again as kube-scheduler of this
 * release does, unless the options say which release it is. */
void load_follow_release(const struct options *options, int release,
    struct profiles **profiles);

/* The profiles of a text of our own making, a configuration's if options->config is
 * given, else a policy's; you own them, NULL: err. */
struct profiles *load_profiles_text(const struct options *options,
    const char *text, size_t len, struct err *err);

/* Prints on standard error that the "policy" or "configuration" of this file is
 * refused, and with -o json the reason on standard output. */
void load_print_refused(const struct options *options, const char *file,
    const char *kind, const char *sentence);
void load_print_problems(const struct problems *problems);
/* On standard error, and frees it; NULL: nothing. */
void load_print_excerpt(char *lines);

/*
 * A cluster and its pods as they stood in the input, all of them, bound or not,
 * each with its priority resolved: a pod without spec.priority gets that of its
 * PriorityClass (or of the global default) if the input has it, as the API
 * server would have done.
 *
 * An object that cannot be decoded is left out with a warning; a pod on a node
 * still counts there, for as much as can be read of it (objects/object.h).
 */
struct load {
	const struct decode_settings *settings; /* the options' */
	struct cluster *cluster;
	size_t npods, pods_cap;
	struct pod **pods;
	/* All objects that are kept, as they were read. */
	size_t nobjects, objects_cap;
	struct object **objects;
	int release;      /* the cluster's, without that of profiles */
	struct live live; /* live.server NULL: it is a dump */
	/* The decoded parts of pods without a node that cannot be decoded. */
	size_t nleft_out, left_out_cap;
	struct pod **left_out;
	struct openshift openshift;
	/* Objects that have it, but for pods. */
	size_t nunsupported[UNSUPPORTED_FIELDS];
};

/* Sees the objects that are kept, and those of OpenShift, whose object is NULL; all is
 * valid during the call. */
struct load_witness {
	void (*each)(void *arg, const struct object *object,
	    const struct doc_node *root, const char *kind,
	    const char *api_version);
	void *arg;
};
/*
 * Reads the files of options->clusters; without any, the live cluster of
 * options->kubeconfig and context.
 *
 * The rules are those of the profiles' release (decide/framework/profile.h), if that is
 * later than the cluster's; profiles and witness may be NULL.  *profiles are replaced by
 * those of the cluster's release (load_follow_release()).  -1: err has the position of
 * the error; there is nothing to free.
 */
int load_cluster(const struct options *options, struct profiles **profiles,
    const struct load_witness *witness, struct load *load, struct err *err);

/* The release whose rules count: that of the options, else the API server's, which may
 * be newer than any kubelet, but never older, else the oldest kubelet's that may run
 * beside the newest.  Says so where it is a guess: kubelets differ. */
int load_release(const struct load *load, const struct options *options);

/* The same objects as a cluster of its own for other profiles and of this release
 * (0: the same); without those that are left out, live, and openshift.  Of nparts parts
 * this one: its nodes, the pods on them, its share of pods without a node, and all
 * objects of other kinds. */
void load_again(const struct load *from, const struct profiles *profiles,
    int release, unsigned part, unsigned nparts, struct load *load);
void load_fini(struct load *load);

/*
 * The only object in a file ("-" is standard input), a Node or a Pod; or a pod as the
 * Deployment, ReplicaSet, ReplicationController, StatefulSet, DaemonSet, Job, CronJob or
 * DeploymentConfig in it makes them: its template with its namespace, and it as the
 * owner.  A pod has what the API server adds (tool/input/pod_defaults.h), matchLabelKeys
 * of its affinity merged likewise.  Its unknown fields are warned of on standard error.
 * You own the object; NULL: err has the position of the error.
 */
struct object *object_file_read(const char *path, enum object_kind kind,
    const struct load *load, struct err *err);
/* The same of a pod, with its priority resolved; NULL: standard error has the reason. */
struct pod *load_pod(const char *path, const struct load *load);

/* The same from --pod-file, used unchanged.  A pod of the cluster with its identity is
 * removed there, because it would conflict with itself.  NULL: standard error has the
 * reason. */
struct pod *load_pod_alone(const struct load *load, const char *path);

/* Whether a pod waits for a scheduler. */
bool pod_is_pending(const struct pod *pod);

/*
 * With --config the profile that the pod's schedulerName names; for a pod that
 * names none of them that of --scheduler-name, if it is given.  NULL: none serves
 * the pod.  Without --config there is one profile, which decides about any pod.
 * The options are a const void * as a whatif has them.
 */
const struct profile *load_serving(const void *options,
    const struct profiles *profiles, const struct pod *pod);

/* Whether the pod waits for one of them; without --config for the scheduler of
 * --scheduler-name. */
bool load_waits(const struct options *options, const struct profiles *profiles,
    const struct pod *pod);
/* The same whatever -n says: the queue has the pods of all namespaces. */
bool load_queues(const struct options *options, const struct profiles *profiles,
    const struct pod *pod);

/* The only profile, or the one of --scheduler-name; NULL: standard error has the
 * reason. */
const struct profile *load_profile_chosen(const struct options *options,
    const struct profiles *profiles);

#endif
