/*
 * The server.  Its token comes behind the "#" of the first URL, is kept for this
 * origin alone, and goes back in a header that no other page can set.
 */

const key = "predicated-token";

/* Takes the token out of the address, so that it is in no link. */
export function takeToken() {
	const found = /[#?&]token=([0-9a-f]{32})/.exec(location.hash);

	if (!found)
		return;
	localStorage.setItem(key, found[1]);
	history.replaceState(null, "", location.pathname +
	    (location.hash.replace(/[?&]?token=[0-9a-f]{32}/, "")
		.replace(/^#$/, "")));
}

export class Failure extends Error {
	constructor(status, message) {
		super(message);
		this.status = status; /* 0: the server does not answer */
	}
}

export async function ask(path, parameters = {}, body, signal) {
	const query = new URLSearchParams(Object.entries(parameters).filter(
	    ([, value]) => value !== undefined && value !== null &&
		value !== ""));
	const options = { signal, cache: "no-store", headers: {
		Authorization: `Bearer ${localStorage.getItem(key) ?? ""}` } };
	let reply, text;

	if (body !== undefined) {
		options.method = "POST";
		options.body = JSON.stringify(body);
	}
	try {
		reply = await fetch(`/api/v1/${path}?${query}`, options);
		text = await reply.text();
	} catch (error) {
		if (error.name === "AbortError")
			throw error;
		throw new Failure(0, "The server does not answer.");
	}
	let value;

	try {
		value = JSON.parse(text);
	} catch {
		throw new Failure(reply.status, "The reply is not JSON.");
	}
	if (!reply.ok)
		throw new Failure(reply.status, value.error);
	return value;
}

/* Replies that stay the same as long as the cluster does. */
const kept = new Map();

export function askOnce(path, parameters) {
	const name = path + JSON.stringify(parameters ?? {});

	if (!kept.has(name)) {
		kept.set(name, ask(path, parameters));
		kept.get(name).catch(() => kept.delete(name));
	}
	return kept.get(name);
}

export const forget = () => kept.clear();
