libpredicated_a_SOURCES += \
	%D%/diagnosis.c %D%/diagnosis.h %D%/diagnosis_internal.h \
	%D%/diagnosis_joint.c \
	%D%/diagnosis_new_node.c \
	%D%/diagnosis_nodes.c \
	%D%/diagnosis_pods.c \
	%D%/diagnosis_requests.c \
	%D%/diagnosis_volumes.c \
	%D%/explanation.c %D%/explanation.h \
	%D%/finding.c %D%/finding.h \
	%D%/judge.c %D%/judge.h \
	%D%/miss.c %D%/miss.h \
	%D%/remedy.c %D%/remedy.h
