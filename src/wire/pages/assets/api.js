/* The JSON interface of predicatectl web (doc/web.md). */
import { requestJson } from "./request.js";

export const ask = (path, parameters, body, signal) =>
    requestJson(`/api/v1/${path}`, parameters, body, signal);

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
