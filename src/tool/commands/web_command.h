/* Commands as the page asks them: audit, capacity, defrag, drain, tune and why-not. */
#ifndef CTL_WEB_COMMAND_H
#define CTL_WEB_COMMAND_H

struct asked;
struct web_reply;
struct web_request;

/*
 * Replies with what the command in the path prints with -o json about the loaded cluster,
 * or with the first sentence of its error message.  The query's node, which may be there
 * more than once, and name, of a pod, are its words; others its options.
 *
 * To be called in a process that ends afterwards: standard output and error are taken
 * over.  about->whatif does not count.
 */
void web_command(const struct asked *about, const struct web_request *request,
    struct web_reply *reply);

#endif
