check_PROGRAMS += \
	%D%/base64.t \
	%D%/basics.t \
	%D%/doc.t \
	%D%/duration.t \
	%D%/hash.t \
	%D%/heap.t \
	%D%/json_out.t \
	%D%/log.t \
	%D%/sha1.t \
	%D%/sym.t \
	%D%/text.t
