EXTRA_DIST += \
	%D%/changelog \
	%D%/control \
	%D%/copyright \
	%D%/libpredicated-dev.install \
	%D%/not-installed \
	%D%/predicatectl.install \
	%D%/predicated.install \
	%D%/predicated.postrm \
	%D%/predicated.prerm \
	%D%/rules \
	%D%/source/format \
	%D%/tests/control \
	%D%/tests/libpredicated-dev \
	%D%/tests/predicatectl \
	%D%/tests/predicated \
	%D%/tests/service
