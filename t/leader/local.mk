check_PROGRAMS += %D%/candidacy.t %D%/election.t

# Against a real kube-apiserver.
noinst_PROGRAMS += %D%/leader
API_TESTS += %D%/leader.t %D%/coordinated.t
EXTRA_DIST += %D%/leader.t %D%/coordinated.t
