#!/bin/sh
# Every page of doc/ that a comment, a test, a script or another page names is in
# the repository, and so is the target of every link; no page outside is cited.
. "$SRCDIR/t/lib/tap.sh"
cd "$SRCDIR" || exit 99

# search GREP_ARGUMENTS…: in all texts but this one, which names what it forbids.
search() {
	find README.md SECURITY.md doc src t script etc -type f \
	    ! -name '*.gz' ! -name '*.o' ! -path 't/fuzz/corpus/*' \
	    ! -path t/lint/citations.t -exec grep -IHE "$@" {} +
}

# "FILE:doc/PAGE"; not paths that only contain doc/, as /usr/share/doc/….
cited=$(search -o '(^|[^[:alnum:]/._-])doc/[[:alnum:]_./-]+\.(md|[158])' |
    sed 's/:[^:]*\(doc\/\)/:\1/' | sort -u)
missing=
for citation in $cited; do
	[ -f "${citation#*:}" ] || missing="$missing $citation"
done
has "pages are cited" "$cited" "doc/semantics/"
is "every page that is cited exists" "$missing" ""

# Each "doc/semantics/PAGE, SECTION", which may go over two lines of a comment.
for file in $(search -l 'doc/semantics/[^ ]*\.md,'); do
	tr -s '\n\t *' ' ' <"$file" |
	    grep -oE 'doc/semantics/[[:alnum:]._-]+\.md, [[:alpha:]][^).:;`]*'
done | sort -u >"$tmp/sections"
missing=$(while IFS= read -r citation; do
	sed -n 's/^## //p' "${citation%%,*}" |
	    awk -v section="${citation#*, }" '
	    index(section, $0) == 1 { found = 1 } END { exit !found }' ||
		echo "$citation"
done <"$tmp/sections")
is "every section that is cited exists" "$missing" ""

missing=
pages=$(find README.md SECURITY.md doc -name '*.md')
for page in $pages; do
	links=$(grep -oE '\]\([[:alnum:]._/-]+[)#]' "$page" |
	    sed 's/^..//; s/.$//')
	for link in $links; do
		[ -e "$(dirname "$page")/$link" ] ||
			missing="$missing $page:$link"
	done
done
is "every link to a file leads somewhere" "$missing" ""

missing=
for page in doc/semantics/[0-9]*.md; do
	grep -qF "($(basename "$page"))" doc/semantics/README.md ||
		missing="$missing $page"
done
is "doc/semantics/README.md lists each page" "$missing" ""

missing=
for page in doc/*.md doc/semantics/*.md; do
	grep -qwF "${page#doc/}" doc/local.mk || missing="$missing $page"
done
is "doc/local.mk lists each page" "$missing" ""

is "no page outside the repository is cited" "$(search -n \
    '\b(DESIGN|STYLE)\b|\.\./shared/(semantics|documents)')" ""
is "no page is cited by its number alone" \
    "$(search -n '[Ss]emantics,? [0-9]|§')" ""

finish
