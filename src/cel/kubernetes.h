/* Quantities, semantic versions, addresses, networks and named formats. */
#ifndef CEL_KUBERNETES_H
#define CEL_KUBERNETES_H

#include "cel/cel_internal.h"

/* Of two values of one of these kinds; of addresses only 0 has a meaning. */
int kubernetes_cmp(const struct cel_value *a, const struct cel_value *b);
/* Of a named format, as costs count it. */
uint64_t format_size(const struct cel_value *value);
#define NAMED_FORMATS(X)                                                       \
	X(dns1123Label)                                                        \
	X(dns1123Subdomain)                                                    \
	X(dns1035Label)                                                        \
	X(dns1123LabelPrefix)                                                  \
	X(dns1123SubdomainPrefix)                                              \
	X(dns1035LabelPrefix)                                                  \
	X(qualifiedName)                                                       \
	X(labelValue)                                                          \
	X(uri) X(uuid) X(byte) X(date) X(datetime)

/* The bytes that cel-go charges for: of a network, of its prefix. */
size_t address_size(const struct cel_value *value);

function_run quantity_of, is_quantity, quantity_sign, quantity_is_integer,
    quantity_as_integer, quantity_as_float, quantity_add, quantity_sub;
function_run semver_of, is_semver, semver_major, semver_minor, semver_patch;
function_run order_compare, order_greater, order_less;
function_run ip_of, is_ip, ip_family, ip_is_canonical, ip_is_unspecified,
    ip_is_loopback, ip_is_multicast, ip_is_unicast, ip_is_global, ip_text;
function_run cidr_of, is_cidr, cidr_ip, cidr_prefix_length, cidr_masked,
    cidr_text, cidr_contains_ip, cidr_contains_cidr;
#define FORMAT(name) format_##name,
function_run NAMED_FORMATS(FORMAT) format_named, format_validate, is_url;
#undef FORMAT

#endif
