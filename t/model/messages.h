/* Texts of the API that more than one test expects. */
#ifndef T_MODEL_MESSAGES_H
#define T_MODEL_MESSAGES_H

/* A label's value is invalid. */
#define LABEL                                                                  \
	"a valid label must be an empty string or consist of alphanumeric "    \
	"characters, '-', '_' or '.', and must start and end with an "         \
	"alphanumeric character (e.g. 'MyValue',  or 'my_value',  or "         \
	"'12345', regex used for validation is "                               \
	"'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"

#endif
