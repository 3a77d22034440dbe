check_PROGRAMS += %D%/extender_http.t %D%/extenders_json.t
%C%_extender_http_t_LDADD = $(LDADD) $(EVENT_EXTRA_LIBS)

# Against a real kube-apiserver, with extenders of our own.
noinst_PROGRAMS += %D%/extender
%C%_extender_LDADD = libpredicated.a
API_TESTS += %D%/extenders.t
EXTRA_DIST += %D%/extenders.t
