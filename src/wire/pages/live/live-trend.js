/* The last minutes of the daemon as small bars, one for each time it was asked. */
import { count, fact, h, percent } from "./dom.js";
import { ask } from "./polling.js";

const kept = 120;
const samples = [];

/* status: the reply of /debug/status */
export async function sample(status) {
	const now = Date.parse(status.time) / 1000;
	let last = samples.at(-1);

	/* Another daemon, or the same one again. */
	if (last && (status.decisions < last.number || now < last.now)) {
		samples.length = 0;
		last = undefined;
	}
	if (last?.now === now)
		return;
	const { decisions } = status.decisions === last?.number ? { decisions: [] } :
	    await ask("decisions", { since: last?.number ?? 0, limit: 1000 });
	const ms = decisions.map((d) => d.ms).sort((a, b) => a - b);
	const refused = decisions.filter((d) => d.node === null).length;

	samples.push({ now, number: status.decisions,
		waiting: Object.values(status.queue).reduce((a, b) => a + b, 0),
		rate: last ? (status.decisions - last.number) / (now - last.now) :
		    null,
		p99: ms.length > 0 ? ms[Math.floor(0.99 * (ms.length - 1))] : null,
		refused: ms.length > 0 ? refused / ms.length : null });
	samples.splice(0, samples.length - kept);
}

/* null where nothing was decided */
function spark(name, key, text) {
	const values = samples.map((s) => s[key]);
	const most = Math.max(...values, 0) || 1;
	const last = values.findLast((v) => v !== null);

	return fact(name, last === undefined ? "–" : text(last),
	    h("span", { class: "spark", "aria-hidden": "true",
		title: `at most ${text(most)}` }, values.map((v) => {
		    const bar = h("i");

		    bar.style.height = `${100 * (v ?? 0) / most}%`;
		    return bar;
	    })));
}

export function trend() {
	return samples.length < 2 ? null : h("dl", { class: "facts", id: "trend" },
	    spark("Decisions a second", "rate", (n) => n.toFixed(n < 10 ? 1 : 0)),
	    spark("Slowest of 100 decisions", "p99", (n) => `${n.toFixed(1)} ms`),
	    spark("Refused", "refused", (n) => percent(n)),
	    spark("Pods in the queue", "waiting", count));
}
