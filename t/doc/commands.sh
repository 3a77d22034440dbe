# shellcheck shell=sh
# Sourced by tests that run what a page tells its readers to run.

# blocks_of PAGE: the indented blocks, without the indentation, each after a line
# "----".
blocks_of() {
	awk '
	/^    / { if (!inside) print "----"; inside = 1
	    while (blanks > 0) { print ""; blanks-- }
	    print substr($0, 5); next }
	/^$/ { if (inside) blanks++; next }
	{ inside = blanks = 0 }' "$1"
}

# commands_in BLOCKS: no comments, continued lines joined, those of blocks without
# output.
commands_in() {
	awk '
	function flush(i) {
		if (!output)
			for (i = 1; i <= n; i++)
				print command[i]
		n = output = 0
	}
	/^----$/ { flush(); next }
	/^\$ / { output = 1 }
	{ sub(/ +# .*/, ""); sub(/^# .*/, "") }
	/\\$/ { held = held substr($0, 1, length($0) - 1); next }
	$0 != "" || held != "" { sub(/^ +/, held == "" ? "" : " ")
	    command[++n] = held $0; held = "" }
	END { flush() }' "$1" | sed 's/  */ /g'
}
