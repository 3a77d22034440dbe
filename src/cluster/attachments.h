/* The VolumeAttachments of each node, and of each volume. */
#ifndef CLUSTER_ATTACHMENTS_H
#define CLUSTER_ATTACHMENTS_H

#include <stddef.h>

#include "base/sym.h"

struct cluster;
struct volume_attachment;

struct attachments {
	size_t n, cap;
	const struct volume_attachment **at; /* in no order */
};

/* NULL for none. */
const struct attachments *cluster_attachments(const struct cluster *cluster,
    sym node);
const struct attachments *
cluster_attachments_of_volume(const struct cluster *cluster, sym volume);

/* For cluster.c: one is added, removed (NULL is fine). */
void attachments_add(struct cluster *cluster,
    const struct volume_attachment *attachment);
void attachments_remove(struct cluster *cluster,
    const struct volume_attachment *attachment);
void attachments_fini(struct cluster *cluster);

#endif
