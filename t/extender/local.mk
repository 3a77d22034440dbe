check_PROGRAMS += %D%/extenders_json.t

# Against a real kube-apiserver, with extenders of our own.
noinst_PROGRAMS += %D%/extender
%C%_extender_LDADD = libpredicated.a
API_TESTS += %D%/extenders.t
EXTRA_DIST += %D%/extenders.t
