/*
 * Requests to the API server, many at once, from one thread: libcurl on a
 * libevent base.
 *
 * Three lanes, each with a connection of its own (one HTTP/2 connection where
 * the server speaks it), so that a binding never waits behind a list, a status
 * or an event:
 *
 *	API_WATCHES   lists and watches
 *	API_BINDS     bindings (and the leader's lock)
 *	API_REST      everything else
 *
 * A lane has more than one only with HTTP/1.1 (eight, and one for each stream),
 * and when its connection takes no more streams: a second one for requests that
 * end, as many as needed for watches.  Other calls wait in the lane's queue.
 *
 * The states of a call:
 *
 *	queued ──▶ running ──▶ done                on_done, then it is gone
 *	   ▲          │
 *	   └─ waiting ◀┘ failed, may be repeated   (backoff, Retry-After)
 *
 * An attempt is repeated, within retry_ms, if the server certainly did not act
 * on it (429; no connection was established), and with GET also after 5xx and
 * any network error.  A 401 is repeated once if the credentials could be
 * renewed, a 406 to a request for protobuf is repeated once for JSON alone.
 *
 * A lane's connection is replaced when credentials change, and when a request
 * timed out on it and no data arrived at all.  If the watches' connection is
 * silent for a while, a small request tests it; without an answer the watches on it
 * fail at once.  That does not detect every failure: with HTTP/1.1 each request may
 * have a connection of its own, and a proxy can answer instead of an unreachable
 * server.  So a stream also ends if it alone is silent for longer than the interval of
 * the server's bookmarks.
 *
 * Callbacks come from the event loop, never from within the functions here.
 * Callbacks may call any function here except api_client_free().
 */
#ifndef API_CLIENT_H
#define API_CLIENT_H

struct api_config;
struct event_base;

enum api_lane {
	API_WATCHES,
	API_BINDS,
	API_REST,
	API_LANES,
};

struct api_response {
	int status; /* of HTTP; 0: no complete response, error has the reason */
	const char *body; /* NUL-terminated; "" after a stream */
	size_t len;
	bool protobuf;     /* of body, or the stream; otherwise JSON or text */
	const char *error; /* NULL unless status is 0 */
	bool unsent;       /* the server certainly did not see the request */
	bool silent;       /* a stream that was ended only for its silence */
	bool timed_out;    /* the request's own time was over */
	bool too_long;     /* more bytes than max_answer */
	int os_error;      /* errno of a connection that failed; 0: none */
	int64_t retry_after_ms; /* requested by the server, at most 30 s; 0:
				 * not set */
};

struct api_request {
	enum api_lane lane;
	const char *method;       /* NULL: GET */
	const char *path;         /* escaped, with its query */
	const char *body;         /* NULL: none */
	size_t body_len;          /* 0: strlen(body) */
	const char *content_type; /* NULL: application/json */
	/* The response may be protobuf, which costs the server less; a server
	 * without it sends JSON.  For kinds in protobuf_tree.h; errors in
	 * protobuf are decoded here. */
	bool protobuf;
	bool any_type;      /* the response may be text, for people */
	size_t max_answer;  /* bytes; a longer one is an error.  0:
			     * api_options' */
	int64_t timeout_ms; /* of each try; 0: api_options' */
	int64_t retry_ms;   /* when tries must have ended; 0: one try */
	bool urgent; /* sent before all other calls of its lane, and at once */
	bool
	    low_priority; /* sent after all other calls of its lane, and only a few
		       * at a time */
	bool of_leader; /* not sent while api_options.may_write() says no */
	/* Asked before each try; no: the call ends, unsent.  NULL: yes. */
	bool (*wanted)(void *arg);
	/*
	 * A stream: called with each piece of the body of a 2xx answer, as it
	 * comes.  NULL: the body is collected for on_done.
	 */
	void (*on_data)(void *arg, const char *bytes, size_t len);
	/* Exactly once, unless the call is cancelled.  The response is valid
	 * during the call. */
	void (*on_done)(void *arg, const struct api_response *response);
	void *arg;
};

struct api_options {
	const char *user_agent; /* NULL: "predicated" */
	double qps; /* of all lanes together; 0: no limit of our own */
	unsigned burst;
	bool http1; /* never HTTP/2 */
	/* Never protobuf, even if requests ask for it. */
	bool json_answers, json_bodies;
	/* 0 in each: the default given here. */
	size_t max_answer;         /* 256 MiB */
	int64_t timeout_ms;        /* 30 s */
	int64_t connect_ms;        /* 10 s */
	int64_t silence_ms;        /* 20 s, then the watches are tested */
	int64_t probe_timeout_ms;  /* 10 s */
	int64_t stream_silence_ms; /* 90 s, then a stream is ended */
	/* Called after each finished attempt, for metrics; status as above. */
	void (
	    *on_try)(void *arg, const char *method, int status, double seconds);
	/* Asked before each try of a leader's calls, as the process may have been
	 * stopped for a while, with its lease.  NULL: yes. */
	bool (*may_write)(void *arg);
	void *arg;
};

struct api_client;
struct api_call;

/*
 * Takes config, also on failure.  Nothing is sent yet.  Makes the process
 * ignore SIGPIPE, which connections that break would raise.
 */
struct api_client *api_client_new(struct event_base *base,
    struct api_config *config, const struct api_options *options);
/* Cancels all calls; accepts NULL. */
void api_client_free(struct api_client *client);

const struct api_config *api_client_config(const struct api_client *client);
struct event_base *api_client_base(const struct api_client *client);
/* Whether bodies are protobuf if possible. */
bool api_writes_protobuf(const struct api_client *client);

/* Everything in request is copied.  The call is valid until on_done begins. */
struct api_call *api_send(struct api_client *client,
    const struct api_request *request);
/* Within on_data: whether the stream is protobuf. */
bool api_is_protobuf(const struct api_call *call);
/* Whether the status line of a 2xx answer has arrived, and it has not ended.  NULL:
 * no. */
bool api_is_answered(const struct api_call *call);
/* Whether the server may have seen it. */
bool api_is_sent(const struct api_call *call);
/* Neither callback comes any more; the server may have acted on it.  Accepts
 * NULL. */
void api_cancel(struct api_call *call);

/* How many calls of a lane wait for their turn, and how many are under way. */
size_t api_queued(const struct api_client *client, enum api_lane lane);
size_t api_running(const struct api_client *client, enum api_lane lane);
/* How long nothing has arrived since something was asked; 0: nothing was. */
int64_t api_silent_ms(const struct api_client *client);

/* Its body, NULL if that is no object; you own it. */
struct doc *api_response_doc(const struct api_response *response);
/*
 * The reason for an unsuccessful response, with the HTTP status: the sentence
 * in a Status object, or the beginning of the body, or error.
 */
void api_explain(const struct api_response *response, struct err *err);
/* The server's own sentence, without the number that api_explain() adds. */
const char *api_sentence(const struct err *explained);

#endif
