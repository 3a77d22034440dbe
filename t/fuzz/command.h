#ifndef T_FUZZ_COMMAND_H
#define T_FUZZ_COMMAND_H

/* Runs predicatectl; its exit code must be one that its manual page has. */
void fuzz_predicatectl(int argc, char **argv);

#endif
