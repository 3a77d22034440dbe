/* The JSON about a cluster, of predicatectl web and of a daemon (doc/web.md). */
import { isDaemon, requestJson } from "./request.js";

const folder = isDaemon ? "../" : "/api/v1/";

/* body: posted; signal: ends it. */
export const ask = (path, parameters, body, signal) =>
    requestJson(folder + path, parameters, body, signal);

/* Replies that stay the same as long as the cluster does; a daemon's are asked for
 * again, but take a tenth of its time at most. */
const kept = new Map();
const leastMs = 10000;

export function askOnce(path, parameters) {
	const name = path + JSON.stringify(parameters ?? {});
	const now = Date.now(), old = kept.get(name);

	if (old && !(now > old.until))
		return old.reply;
	const fresh = { reply: ask(path, parameters), until: Infinity };

	kept.set(name, fresh);
	fresh.reply.then(() => {
		const took = Date.now() - now;

		if (isDaemon)
			fresh.until = Date.now() + Math.max(leastMs, 9 * took);
	}, () => kept.get(name) === fresh && kept.delete(name));
	return fresh.reply;
}

export const forget = () => kept.clear();
