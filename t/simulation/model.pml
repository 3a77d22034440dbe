/*
 * How a pod is assumed, bound, given up and tried again, and how the leader changes:
 * two replicas, three pods, two nodes with room for one pod each.
 *
 *	t/simulation/model.t		a part, `make check`
 *	t/simulation/model.t whole	`make model`
 *
 * What it leaves out is time: a lease can be taken over as soon as its holder knows
 * that he has lost it, since renew deadlines are shorter than leases; and he who knows
 * sends nothing.  FAULTS is how many faults there are in all.
 *
 *	server            bound, gone, holder
 *	replica s         view (what its watch has told), state and place of each pod
 *	between the two   msg[s][p], a binding that the server has not seen yet;
 *	                  late[p], those that nobody waits for any more, by node
 *
 *	WAITS ──try──▶ TRIES ──none fits──▶ PARKED ──room, news──▶ WAITS
 *	                 └──assume, send──▶ SENT ──answer──▶ ACCEPTED ──watch──▶ DONE
 *	                                     ├──it is gone, not sent──▶ WAITS
 *	                                     └──no answer, refused──▶ DOUBT ──look up──▶ ACCEPTED, WAITS
 *
 * With a BUG of these, a property breaks (model.t):
 *	1 binds without looking at the lease	2 forgets while in doubt
 *	3 an event during an attempt is lost	4 room that comes wakes nobody
 *	5 does not assume			6 doubt is never looked into
 */
#ifndef FAULTS
#define FAULTS 1
#endif
#ifndef BUG
#define BUG 0
#endif
#ifndef NODES
#define NODES 2
#endif
#define S 2
#define P 3
#define N 2
#define NOBODY 2 /* holder */
#define NOWHERE 2 /* a node */
#define GONE 3   /* in a view */

#define WAITS 0
#define TRIES 1
#define PARKED 2
#define SENT 3
#define DOUBT 4
#define ACCEPTED 5
#define DONE 6

#define AT(s, p) (s * P + p)

/* the server */
byte bound[P], by[P];
bool gone[P];
byte holder = NOBODY;
byte faults = FAULTS;
bool deleted; /* a pod on a node was, which makes room */

/* on the way */
byte msg[S * P];
byte late[P]; /* bits */
bool raced[N]; /* a late binding, or one of who did not know of another's */

/* replicas */
bool alive[S], leads[S], news[S]; /* news: since the attempt began */
byte view[S * P], state[S * P], place[S * P];

byte ghost; /* of loops; always 0 between steps */

#define counts(s, p, n)                                                        \
	(view[AT(s, p)] == n ||                                                \
	    (view[AT(s, p)] == NOWHERE && place[AT(s, p)] == n))
#define used(s, n) (counts(s, 0, n) + counts(s, 1, n) + counts(s, 2, n))
#define on(p, n) (bound[p] == n && !gone[p])
#define really(n) (on(0, n) + on(1, n) + on(2, n))
/* That the server has a pod on the node that another bound there, and s knows nothing
 * of it yet. */
#define foreign(s, p, n) (on(p, n) && by[p] != s && !counts(s, p, n))
#define hidden(s, n) (foreign(s, 0, n) || foreign(s, 1, n) || foreign(s, 2, n))
#define settled(p) (gone[p] || bound[p] != NOWHERE || (really(0) > 0 && (NODES == 1 || really(1) > 0)))

/* That the server knows more of the pod than s. */
#define news_of(s, p)                                                          \
	(view[AT(s, p)] != GONE && (gone[p] || view[AT(s, p)] != bound[p]))

/* The server takes a binding up; ok is whether it accepts it. */
inline serve(who, p, n, ok)
{
	if
	:: bound[p] == NOWHERE && !gone[p] ->
		bound[p] = n;
		by[p] = who;
		ok = true
	:: else -> ok = false
	fi
}

inline forget(s, p)
{
	place[AT(s, p)] = NOWHERE;
	state[AT(s, p)] = WAITS
}

/* What s hears of wakes the pods that it has parked. */
inline wake(s)
{
	ghost = 0;
	do
	:: ghost < P && state[AT(s, ghost)] == PARKED ->
		state[AT(s, ghost)] = WAITS;
		ghost++
	:: ghost < P && state[AT(s, ghost)] != PARKED -> ghost++
	:: ghost == P -> break
	od;
	ghost = 0;
	if
	:: BUG != 3 -> news[s] = true
	:: else
	fi
}

/* A binding under way that nobody waits for any more. */
inline let_go(s, p)
{
	if
	:: msg[AT(s, p)] != NOWHERE ->
		late[p] = late[p] | (1 << msg[AT(s, p)]);
		msg[AT(s, p)] = NOWHERE
	:: else
	fi
}

/* s stops leading: what is under way is in doubt; has crashed: it is forgotten. */
inline stop(s, crashed)
{
	leads[s] = false;
	ghost = 0;
	do
	:: ghost < P ->
		let_go(s, ghost);
		if
		:: crashed || state[AT(s, ghost)] == TRIES -> forget(s, ghost)
		:: !crashed && state[AT(s, ghost)] == SENT ->
			state[AT(s, ghost)] = DOUBT
		:: else
		fi;
		ghost++
	:: ghost == P -> break
	od;
	ghost = 0
}

proctype Replica(byte s)
{
	byte p, n;

end:
	do
	/* lead */
	:: atomic {
		alive[s] && !leads[s] &&
		    (holder == NOBODY || holder == s || !leads[holder]) ->
			holder = s;
			leads[s] = true
	   }
	/* try: one pod at a time */
	:: atomic {
		alive[s] && leads[s] && state[AT(s, 0)] != TRIES &&
		    state[AT(s, 1)] != TRIES && state[AT(s, 2)] != TRIES &&
		    (state[AT(s, 0)] == WAITS || state[AT(s, 1)] == WAITS ||
			state[AT(s, 2)] == WAITS) ->
		if
		:: state[AT(s, 0)] == WAITS -> p = 0
		:: state[AT(s, 1)] == WAITS -> p = 1
		:: state[AT(s, 2)] == WAITS -> p = 2
		fi;
		news[s] = false;
		state[AT(s, p)] = TRIES;
		if
		:: used(s, 0) == 0 -> place[AT(s, p)] = 0
		:: NODES == 2 && used(s, 1) == 0 -> place[AT(s, p)] = 1
		:: used(s, 0) > 0 && (NODES == 1 || used(s, 1) > 0) -> place[AT(s, p)] = NOWHERE
		fi;
		n = place[AT(s, p)];
		if
		:: n != NOWHERE && hidden(s, n) -> raced[n] = true
		:: else
		fi;
		p = 0;
		n = 0
	   }
	/* the attempt's end */
	:: atomic {
		alive[s] && (leads[s] || BUG == 1) &&
		    (state[AT(s, 0)] == TRIES || state[AT(s, 1)] == TRIES ||
			state[AT(s, 2)] == TRIES) ->
		if
		:: state[AT(s, 0)] == TRIES -> p = 0
		:: state[AT(s, 1)] == TRIES -> p = 1
		:: state[AT(s, 2)] == TRIES -> p = 2
		fi;
		n = place[AT(s, p)];
		if
		:: n == NOWHERE && news[s] -> state[AT(s, p)] = WAITS
		:: n == NOWHERE && !news[s] -> state[AT(s, p)] = PARKED
		/* its volumes cannot be had */
		:: n != NOWHERE && faults > 0 ->
			faults--;
			forget(s, p);
			wake(s)
		:: n != NOWHERE ->
			assert(holder == s && leads[s]);
			msg[AT(s, p)] = n;
			state[AT(s, p)] = SENT;
			if
			:: BUG == 5 -> place[AT(s, p)] = NOWHERE
			:: else
			fi
		fi;
		p = 0;
		n = 0
	   }
	/* in doubt, it asks the server */
	:: atomic {
		BUG != 6 && alive[s] &&
		    (state[AT(s, 0)] == DOUBT || state[AT(s, 1)] == DOUBT ||
			state[AT(s, 2)] == DOUBT) ->
		if
		:: state[AT(s, 0)] == DOUBT -> p = 0
		:: state[AT(s, 1)] == DOUBT -> p = 1
		:: state[AT(s, 2)] == DOUBT -> p = 2
		fi;
		if
		:: !gone[p] && bound[p] != NOWHERE ->
			/* also elsewhere: its watch will say so */
			state[AT(s, p)] = ACCEPTED
		:: else -> forget(s, p); wake(s)
		fi;
		p = 0
	   }
	/* the watch has been silent for long */
	:: atomic {
		alive[s] && faults > 0 &&
		    (state[AT(s, 0)] == ACCEPTED || state[AT(s, 1)] == ACCEPTED ||
			state[AT(s, 2)] == ACCEPTED) ->
		faults--;
		if
		:: state[AT(s, 0)] == ACCEPTED -> p = 0
		:: state[AT(s, 1)] == ACCEPTED -> p = 1
		:: state[AT(s, 2)] == ACCEPTED -> p = 2
		fi;
		state[AT(s, p)] = DOUBT;
		p = 0
	   }
	/* it loses the lease, by its own clock */
	:: atomic {
		alive[s] && leads[s] && faults > 0 ->
			faults--;
			if
			:: BUG == 1 -> leads[s] = false
			:: else -> stop(s, false)
			fi
	   }
	/* it crashes, and comes back with a fresh list */
	:: atomic {
		alive[s] && faults > 0 ->
			faults--;
			stop(s, true);
			alive[s] = false;
			p = 0;
			do
			:: p < P ->
				view[AT(s, p)] = NOWHERE;
				p++
			:: p == P -> break
			od;
			p = 0;
			news[s] = false
	   }
	:: atomic {
		!alive[s] ->
			alive[s] = true;
			do
			:: p < P && gone[p] ->
				view[AT(s, p)] = GONE; state[AT(s, p)] = DONE; p++
			:: p < P && !gone[p] && bound[p] != NOWHERE ->
				view[AT(s, p)] = bound[p]; state[AT(s, p)] = DONE; p++
			:: p < P && !gone[p] && bound[p] == NOWHERE -> p++
			:: p == P -> break
			od;
			p = 0
	   }
	od
}

/* What the API server does with the bindings of s. */
proctype Server(byte s)
{
	byte p, n;
	bool ok;

end:
	do
	/* the server takes a binding up, and its answer arrives, or not */
	:: atomic {
		msg[AT(s, 0)] != NOWHERE || msg[AT(s, 1)] != NOWHERE ||
		    msg[AT(s, 2)] != NOWHERE ->
		if
		:: msg[AT(s, 0)] != NOWHERE -> p = 0
		:: msg[AT(s, 1)] != NOWHERE -> p = 1
		:: msg[AT(s, 2)] != NOWHERE -> p = 2
		fi;
		if
		:: skip ->
			n = msg[AT(s, p)];
			serve(s, p, n, ok);
			msg[AT(s, p)] = NOWHERE;
			if
			:: ok -> assert(really(n) <= 1 || raced[n])
			:: else
			fi;
			if
			:: faults > 0 -> faults--; state[AT(s, p)] = DOUBT
			:: ok -> state[AT(s, p)] = ACCEPTED
			:: !ok && gone[p] -> forget(s, p); wake(s)
			:: !ok && !gone[p] -> state[AT(s, p)] = DOUBT
			fi
		/* not sent, or refused, for certain */
		:: faults > 0 ->
			faults--;
			msg[AT(s, p)] = NOWHERE;
			forget(s, p);
			wake(s)
		/* lost on the way there, or late */
		:: faults > 0 ->
			faults--;
			state[AT(s, p)] = DOUBT;
			if
			:: let_go(s, p)
			:: msg[AT(s, p)] = NOWHERE
			fi
		fi;
		if
		:: BUG == 2 && state[AT(s, p)] == DOUBT -> forget(s, p); wake(s)
		:: else
		fi;
		p = 0; n = 0; ok = false
	   }
	od
}

proctype Watch(byte s)
{
	byte p;

end:
	do
	/* the watch tells of one pod */
	:: atomic {
		alive[s] && (news_of(s, 0) || news_of(s, 1) || news_of(s, 2)) ->
		if
		:: news_of(s, 0) -> p = 0
		:: news_of(s, 1) -> p = 1
		:: news_of(s, 2) -> p = 2
		fi;
		if
		:: gone[p] ->
			view[AT(s, p)] = GONE;
			if
			:: BUG != 4 -> wake(s)
			:: else
			fi
		:: else -> view[AT(s, p)] = bound[p]
		fi;
		let_go(s, p);
		if
		:: place[AT(s, p)] != NOWHERE && view[AT(s, p)] != place[AT(s, p)] ->
			wake(s)
		:: else
		fi;
		place[AT(s, p)] = NOWHERE;
		state[AT(s, p)] = DONE;
		p = 0
	   }
	od
}

/* Bindings that nobody waits for, and a pod that is deleted. */
proctype World()
{
	byte p, n;
	bool ok;

end:
	do
	:: atomic {
		late[0] != 0 || late[1] != 0 || late[2] != 0 ->
		if
		:: late[0] != 0 -> p = 0
		:: late[1] != 0 -> p = 1
		:: late[2] != 0 -> p = 2
		fi;
		n = 0;
		if
		:: late[p] & 1 -> n = 0
		:: late[p] & 2 -> n = 1
		fi;
		late[p] = late[p] & (3 - (1 << n));
		if
		:: skip ->
			serve(NOBODY, p, n, ok);
			if
			:: ok -> raced[n] = true
			:: else
			fi
		:: skip /* it never arrives */
		fi;
		p = 0; n = 0; ok = false
	   }
	:: atomic {
		!deleted && (on(0, 0) || on(0, 1)) ->
			deleted = true;
			gone[0] = true
	   }
#ifdef PROGRESS
	:: true -> true /* time goes on */
#endif
	od
}

init {
	byte i = 0;

	atomic {
		do
		:: i < S * P ->
			msg[i] = NOWHERE;
			view[i] = NOWHERE;
			place[i] = NOWHERE;
			i++
		:: i == S * P -> break
		od;
		i = 0;
		do
		:: i < P -> bound[i] = NOWHERE; i++
		:: i == P -> break
		od;
		i = 0;
		alive[0] = true;
		alive[1] = true;
		/* one of two that are alike */
		holder = 0;
		leads[0] = true;
		run Replica(0);
		run Replica(1);
		run Server(0);
		run Server(1);
		run Watch(0);
		run Watch(1);
		run World()
	}
}

/* A pod that fits somewhere does not wait for ever. */
ltl progress { <>[] (settled(0) && settled(1) && settled(2)) }
