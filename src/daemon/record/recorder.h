/*
 * Records decisions and everything that they depend on (record.h), as it happens.
 *
 * It keeps each object as the line that a new file begins with, about a kilobyte
 * each.  Calls are in the order of the changes of the cluster:
 * recorder_object() comes before the cluster is changed, which calls
 * recorder_changed(), as its listener.
 */
#ifndef RECORD_RECORDER_H
#define RECORD_RECORDER_H

#include "cluster/cluster.h"
#include "daemon/record/record.h"

struct recorder;

struct recorder_options {
	const char *folder; /* writer_check_folder() */
	uint64_t size;      /* bytes of all files */
	const struct cluster *cluster;
	const char *pod_limits; /* of --max-per-pod */
	struct gates gates;     /* of how pods are decoded */
};

/* NULL: err. */
struct recorder *recorder_new(const struct recorder_options *options,
    struct err *err);
void recorder_free(struct recorder *recorder); /* accepts NULL */

/* An object has been decoded, from a document of this root. */
void recorder_decoded(struct recorder *recorder, const struct object *object,
    const struct doc_node *root);
/* It is the present version of its object: the one that was decoded last, else the
 * call changes nothing. */
void recorder_object(struct recorder *recorder, const struct object *object);
/* It was deleted, and the cluster knows. */
void recorder_gone(struct recorder *recorder, const struct object *object);
/* For cluster->changed; arg is the recorder. */
void recorder_changed(void *arg, enum cluster_change change,
    const struct object *object, sym node);

void recorder_policy(struct recorder *recorder,
    const struct record_policy *policy);
/* NULL: none. */
void recorder_node_selector(struct recorder *recorder,
    const struct labels *labels);
/* The cluster's scheduler names have changed. */
void recorder_schedulers(struct recorder *recorder);
/* Decisions follow: begins a file if there is none. */
void recorder_begin(struct recorder *recorder);
void recorder_decision(struct recorder *recorder,
    const struct record_decision *decision);

/* About once a second: begins a new file when it is time, and logs errors. */
void recorder_tick(struct recorder *recorder);

struct recorder_counts {
	uint64_t written, lost; /* decisions */
	uint64_t bytes, errors;
};

void recorder_count(const struct recorder *recorder,
    struct recorder_counts *counts);

#endif
