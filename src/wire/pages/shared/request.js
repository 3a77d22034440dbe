/*
 * Requests for JSON.  The token of predicatectl web comes behind the "#" of the first
 * URL, is kept for this origin alone, and goes back in a header that no other page
 * can set.  Where there is none, the browser's client certificate tells who asks.
 */

const key = "predicated-token";

/* Whose page this is: a daemon's, or that of predicatectl web. */
export const isDaemon = location.pathname.includes("/debug/ui/");

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

/* What is between may answer in HTML, or in the words of its own libraries. */
function plain(status) {
	if (status === 502 || status === 504)
		return isDaemon ?
		    "The daemon does not answer. See whether it runs, and whether " +
		    "kubectl port-forward still does; the page goes on by itself." :
		    "The server does not answer. See whether predicatectl web runs, and " +
		    "what forwards its port; the page goes on by itself.";
	if (status === 503)
		return "The server has too much to do. Try again in a moment.";
	return `The server has refused this (status ${status}). Load the page ` +
	    "again; if that does not help, start predicatectl web again.";
}

export class Failure extends Error {
	constructor(status, message) {
		super(message);
		this.status = status; /* 0: the server does not answer */
	}
}

/* A parameter with a list is there several times.  body: posted as JSON; undefined: the
 * URL is read. */
export async function requestJson(url, parameters = {}, body, signal) {
	const query = new URLSearchParams(Object.entries(parameters).flatMap(
	    ([key, value]) => [value].flat().map((v) => [key, v])).filter(
	    ([, value]) => value !== undefined && value !== null &&
		value !== ""));
	const token = localStorage.getItem(key);
	const options = { signal, cache: "no-store", headers: token === null ? {} :
	    { Authorization: `Bearer ${token}` } };
	let reply, text;

	if (body !== undefined) {
		options.method = "POST";
		options.body = JSON.stringify(body);
	}
	try {
		reply = await fetch(`${url}?${query}`, options);
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
		throw new Failure(reply.status, plain(reply.status));
	}
	if (!reply.ok)
		throw new Failure(reply.status, reply.status === 502 ||
		    reply.status === 504 ? plain(reply.status) :
		    value.error ?? value.message ?? plain(reply.status));
	return value;
}
