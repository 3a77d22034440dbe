check_PROGRAMS += %D%/insecure.t

# The server: over loopback; as a real kube-apiserver decides.
noinst_PROGRAMS += %D%/crowd %D%/server
dist_check_SCRIPTS += %D%/server.t
API_TESTS += %D%/auth.t
EXTRA_DIST += %D%/auth.t t/lib/serve.sh
