/*
 * Reports when a file may have new content, within 50 ms.
 *
 * It watches the folder of the name and the folder of the final target of the
 * name.  So the file may be written in place, renamed into place, removed and
 * created again, or be a link in a path that is switched to another target, as
 * Kubernetes does in the volume of a ConfigMap.  A write in place is reported
 * when the writer closes the file.  Changes that inotify does not see (network
 * file systems, links to links) are seen within 10 s.
 */
#ifndef POLICY_SOURCE_FILE_WATCH_H
#define POLICY_SOURCE_FILE_WATCH_H

struct event_base;
struct file_watch;

/* changed is called from the event loop, and not for the present state of the
 * file; it must not call file_watch_free(). */
struct file_watch *file_watch_new(struct event_base *base, const char *path,
    void (*changed)(void *arg), void *arg);
void file_watch_free(struct file_watch *watch); /* accepts NULL */

#endif
