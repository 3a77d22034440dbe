/* --pod-file: a pod, or an object that makes pods. */
#ifndef CTL_POD_FILE_H
#define CTL_POD_FILE_H

struct err;
struct pod;

/*
 * The Pod in a file ("-" is standard input), or a pod as the Deployment,
 * ReplicaSet, ReplicationController, StatefulSet, DaemonSet, Job, CronJob or
 * DeploymentConfig in it makes them: its template with its namespace, and it as
 * the owner, and matchLabelKeys of its affinity merged as the API server does
 * it.  Unknown fields are warned of on standard error.  You own the pod;
 * NULL: err has the position of the error.
 */
struct pod *pod_file_read(const char *path, struct err *err);

#endif
