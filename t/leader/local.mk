check_PROGRAMS += %D%/election.t

# Against a real kube-apiserver.
noinst_PROGRAMS += %D%/leader
API_TESTS += %D%/leader.t
EXTRA_DIST += %D%/leader.t
