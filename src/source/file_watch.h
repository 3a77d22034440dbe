/*
 * Tells when a file may have got another content, within 50 ms.
 *
 * Watched are the folder of its name and the folder of what the name finally
 * leads to.  So the file may be written in place, renamed into place, removed
 * and made again, or be a link somewhere in a path that is turned to another
 * target, as Kubernetes does in the volume of a ConfigMap.  While somebody
 * writes in place nothing is said, until they close it.  What inotify does not
 * see (network file systems, links to links) is seen within 10 s.
 */
#ifndef SOURCE_FILE_WATCH_H
#define SOURCE_FILE_WATCH_H

struct event_base;
struct file_watch;

/* changed is called from the event loop, not for what the file is now; it must
 * not call file_watch_free(). */
struct file_watch *file_watch_new(struct event_base *base, const char *path,
    void (*changed)(void *arg), void *arg);
void file_watch_free(struct file_watch *watch); /* accepts NULL */

#endif
