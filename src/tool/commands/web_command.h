/* Commands as the page asks them: audit, capacity, defrag, drain, tune and why-not. */
#ifndef CTL_WEB_COMMAND_H
#define CTL_WEB_COMMAND_H

struct reply;
struct server_request;

/*
 * Replies with what the command in the path has to say about a struct asked, with
 * -o json, or with the first sentence of its messages.  The query's node, which may be
 * there more than once, and name, of a pod, are its words; others its options.
 *
 * To be called in a process that ends afterwards: the cluster may change.
 * asked->whatif does not count.
 */
void web_command(const void *asked, const struct server_request *request,
    struct reply *reply);

#endif
