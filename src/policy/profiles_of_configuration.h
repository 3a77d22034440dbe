/* The profiles of a configuration without the rest of it. */
#ifndef POLICY_PROFILES_OF_CONFIGURATION_H
#define POLICY_PROFILES_OF_CONFIGURATION_H

struct configuration;
struct profiles;

/* Takes the configuration, NULL included; you own the profiles. */
struct profiles *profiles_of_configuration(struct configuration *configuration);

#endif
