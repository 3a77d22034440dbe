/* The server's response to GET /version. */
#ifndef API_VERSION_H
#define API_VERSION_H

struct api_response;

/* The minor of {"major":"1","minor":"20+"}, if need be of its gitVersion; -1: it
 * has none. */
int version_minor(const struct api_response *response);

#endif
