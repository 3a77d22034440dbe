# Flags that make memory errors harder to exploit.  Each is used if the compiler
# and the linker accept it without a warning; t/lint/hardening.t checks what they
# made of the programs.
#
# _FORTIFY_SOURCE needs optimisation, which make's CFLAGS may turn off later, so
# config.h decides at compile time.  AddressSanitizer's checks of the same
# functions are better, and are lost behind those of _FORTIFY_SOURCE.

# PREDICATED_TRY_FLAGS(VARIABLE, FLAGS): appends them if they work.
AC_DEFUN([PREDICATED_TRY_FLAGS], [
AC_MSG_CHECKING([whether $CC takes $2])
predicated_cflags=$CFLAGS
CFLAGS="$CFLAGS $HARDENING_CFLAGS $HARDENING_LDFLAGS -Werror $2"
AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <stdio.h>]],
    [[char line[64]; return fgets(line, sizeof(line), stdin) == NULL;]])],
    [AC_MSG_RESULT([yes])
    $1="$$1 $2"],
    [AC_MSG_RESULT([no])])
CFLAGS=$predicated_cflags
])

# PREDICATED_TRY_FORTIFY(LEVEL): the C library may know fewer levels.
AC_DEFUN([PREDICATED_TRY_FORTIFY], [
AS_IF([test "$fortify" = 0], [
AC_MSG_CHECKING([whether _FORTIFY_SOURCE=$1 works])
predicated_cflags=$CFLAGS
CFLAGS="$CFLAGS -O2 -Werror -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=$1"
AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[
#include <stdio.h>
#if defined(__USE_FORTIFY_LEVEL) && __USE_FORTIFY_LEVEL < $1
#error the C library knows fewer levels
#endif
]], [[]])],
    [AC_MSG_RESULT([yes])
    fortify=$1],
    [AC_MSG_RESULT([no])])
CFLAGS=$predicated_cflags
])
])

AC_DEFUN([PREDICATED_HARDENING], [
AC_ARG_ENABLE([hardening], [AS_HELP_STRING([--disable-hardening],
    [build without stack protector, _FORTIFY_SOURCE, PIE, RELRO and CET])],
    [], [enable_hardening=yes])
HARDENING_CFLAGS=
HARDENING_LDFLAGS=
fortify=0
AS_IF([test "$enable_hardening" = yes], [
PREDICATED_TRY_FLAGS([HARDENING_CFLAGS], [-fPIE])
PREDICATED_TRY_FLAGS([HARDENING_CFLAGS], [-fstack-protector-strong])
PREDICATED_TRY_FLAGS([HARDENING_CFLAGS], [-fstack-clash-protection])
# Of these two, each processor has one or none.
PREDICATED_TRY_FLAGS([HARDENING_CFLAGS], [-fcf-protection])
PREDICATED_TRY_FLAGS([HARDENING_CFLAGS], [-mbranch-protection=standard])
PREDICATED_TRY_FLAGS([HARDENING_LDFLAGS], [-pie])
PREDICATED_TRY_FLAGS([HARDENING_LDFLAGS], [-Wl,-z,relro,-z,now])
PREDICATED_TRY_FLAGS([HARDENING_LDFLAGS], [-Wl,-z,noexecstack])
AS_IF([test -z "$SANITIZE"], [
PREDICATED_TRY_FORTIFY([3])
PREDICATED_TRY_FORTIFY([2])
])
])
AC_SUBST([HARDENING_CFLAGS])
AC_SUBST([HARDENING_LDFLAGS])
AC_SUBST([HARDENING], [$enable_hardening])
AC_DEFINE_UNQUOTED([FORTIFY_LEVEL], [$fortify],
    [_FORTIFY_SOURCE in optimised builds that do not set it, or 0])
AH_BOTTOM([#if FORTIFY_LEVEL > 0 && defined(__OPTIMIZE__) && \
    !defined(_FORTIFY_SOURCE)
#define _FORTIFY_SOURCE FORTIFY_LEVEL
#endif])
])
