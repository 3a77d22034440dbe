#ifndef BASE_UUID_H
#define BASE_UUID_H

#define UUID_SIZE 37

/* A random one (RFC 4122, version 4) into UUID_SIZE bytes; returns out. */
char *uuid_make(char *out);

#endif
