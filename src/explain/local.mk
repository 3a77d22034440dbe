libpredicated_a_SOURCES += \
	%D%/cluster_json.c %D%/cluster_json.h \
	%D%/diagnosis.c %D%/diagnosis.h %D%/diagnosis_internal.h \
	%D%/diagnosis_joint.c \
	%D%/diagnosis_new_node.c \
	%D%/diagnosis_nodes.c \
	%D%/diagnosis_pods.c \
	%D%/diagnosis_provide.c \
	%D%/diagnosis_requests.c \
	%D%/diagnosis_volumes.c \
	%D%/explanation.c %D%/explanation.h \
	%D%/judge.c %D%/judge.h \
	%D%/miss.c %D%/miss.h \
	%D%/new_node.c %D%/new_node.h \
	%D%/remedy.c %D%/remedy.h
