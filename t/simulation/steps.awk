# Says which steps of `simulate --steps` are no steps of the model (model.pml), or of
# several of its steps in a row, which the program takes in one turn of its event loop.
#
#	step TIME DAEMON STATE UID [NODE]	a pod in a daemon; "-": it leads, stops, ends
#	step TIME server bound|gone UID [NODE]
#
# A pod that the daemon does not have is "done": it is new to it, on a node or gone.

function wrong(why) {
	if (nwrong++ < 10)
		print "seed " seed ": " $0 ": " why " (it was: " was ", in " was_on ")"
}

# The model's Replica: try, the attempt's end, and what wakes and parks.
function tries(to) { return to ~ /^(tries|parked|waits|assumed|sent)$/ }

function is_known(uid) { return (uid in bound) || (uid in gone) }

function check(who, uid, to, node) {
	# what needs the lease: to take a pod from the queue, and to send
	if (to ~ /^(tries|assumed)$/ && !leads[who])
		return wrong("it does not lead")
	if (to == "sent" && !leads[who])
		return wrong("it sends and does not lead")
	if (to == "done")
		return is_known(uid) ? 0 : wrong("the server has the pod, on no node")
	if (was ~ /^(waits|parked|tries|done)$/)
		return tries(to) ? 0 : wrong("it was not sent")
	# a place that was assumed is kept until the end
	if (to ~ /^(assumed|sent|doubt|checking|accepted)$/ && node != was_on)
		return wrong("another node")
	if (was == "assumed")
		return to ~ /^(sent|waits|parked)$/ ? 0 : wrong("it was not sent")
	if (was == "sent" && to == "accepted" || was ~ /^(doubt|checking)$/ && to == "accepted")
		return is_known(uid) ? 0 : wrong("the server has not bound it")
	if (was == "sent" && to == "doubt")
		return 0
	if (was == "sent" && to ~ /^(waits|parked)$/) {
		# refused for certain, or not sent: it did not land
		if (!(uid in gone) && bound[uid] == node_of[who, uid] &&
		    bound_at[uid] >= sent[who, uid] && !((who, uid) in doubted))
			return wrong("forgotten, and the server has bound it")
		return 0
	}
	if (was ~ /^(doubt|accepted)$/ && to == "checking")
		return 0
	if (was == "checking" && to == "doubt")
		return 0
	if (was ~ /^(doubt|checking)$/ && to ~ /^(waits|parked)$/) {
		if (!(uid in gone) && (uid in bound) && bound_at[uid] < looked[who, uid])
			return wrong("forgotten in doubt, and the server has bound it")
		return was == "checking" ? 0 : wrong("it was not looked up")
	}
	return wrong("no such step")
}

/^seed / {
	seed = $2
	split("", state); split("", node_of); split("", leads); split("", bound)
	split("", bound_at); split("", gone); split("", sent); split("", looked)
	split("", doubted)
}

$1 != "step" { next }

{ nsteps++ }

$3 == "server" && $4 == "bound" { bound[$5] = $6; bound_at[$5] = $2; next }
$3 == "server" && $4 == "gone" { gone[$5] = 1; next }

$4 == "leads" { leads[$3] = 1; next }
$4 == "stops" || $4 == "ends" {
	leads[$3] = 0
	for (key in state) {
		split(key, part, SUBSEP)
		if (part[1] != $3)
			continue
		if ($4 == "ends")
			delete state[key]
	}
	next
}

{
	was = ($3, $5) in state ? state[$3, $5] : "done"
	was_on = node_of[$3, $5]
	check($3, $5, $4, $6)
	if ($4 == "sent")
		sent[$3, $5] = $2
	if ($4 == "checking")
		looked[$3, $5] = $2
	if ($4 == "doubt")
		doubted[$3, $5] = 1
	state[$3, $5] = $4
	node_of[$3, $5] = $6
	if ($4 == "done")
		delete state[$3, $5]
	of[was " > " $4]++
}

END {
	for (step in of)
		print "# " of[step], step
	print nsteps " steps, " nwrong + 0 " are not the model's"
	exit nwrong > 0
}
