# The warnings that the code is held to, beside -Wall -Wextra.  Each is used if
# the compiler knows it; .ci/run builds with gcc and with clang so that none is left.

# PREDICATED_TRY_WARNING(FLAG)
AC_DEFUN([PREDICATED_TRY_WARNING], [
AC_MSG_CHECKING([whether $CC knows $1])
predicated_cflags=$CFLAGS
CFLAGS="$CFLAGS -Werror $1"
AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[]], [[]])],
    [AC_MSG_RESULT([yes])
    WARNING_CFLAGS="$WARNING_CFLAGS $1"],
    [AC_MSG_RESULT([no])])
CFLAGS=$predicated_cflags
])

AC_DEFUN([PREDICATED_WARNINGS], [
AC_ARG_ENABLE([werror], [AS_HELP_STRING([--enable-werror],
    [make every warning of the compiler an error])],
    [], [enable_werror=no])
WARNING_CFLAGS="-Wall -Wextra -Wno-unused-parameter -Wformat -Wformat-security"
m4_foreach_w([flag], [-Wshadow -Wstrict-prototypes -Wmissing-prototypes
    -Wold-style-definition -Wredundant-decls -Wnested-externs -Wpointer-arith
    -Wundef -Wvla -Wimplicit-fallthrough -Wduplicated-cond
    -Wduplicated-branches -Wlogical-op -Wmissing-variable-declarations],
    [PREDICATED_TRY_WARNING(flag)])
AS_IF([test "$enable_werror" = yes],
    [WARNING_CFLAGS="$WARNING_CFLAGS -Werror"])
AC_SUBST([WARNING_CFLAGS])
])
