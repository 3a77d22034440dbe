/* The last ten minutes of the daemon: a bar for each time it was asked. */
import { ask } from "./api.js";
import { count, h } from "./dom.js";
import { clock } from "./polling.js";

const seconds = 600, barSeconds = 5;
let samples = [];

/* status: the reply of /debug/status */
export async function sample(status) {
	const now = Date.parse(status.time) / 1000;
	let last = samples.at(-1);

	/* Another daemon, or the same one again. */
	if (last && (status.decisions < last.number || now < last.now)) {
		samples = [];
		last = undefined;
	}
	if (last?.now === now)
		return;
	const { decisions } = status.decisions === last?.number ? { decisions: [] } :
	    await ask("decisions", { since: last?.number ?? 0, limit: 1000 });
	const ms = decisions.map((d) => d.ms).sort((a, b) => a - b);
	const refused = decisions.filter((d) => d.node === null).length;
	const made = last ? (status.decisions - last.number) / (now - last.now) : null;
	/* Of very many decisions the last 1,000 stand for all. */
	const part = (n) => made === null || ms.length === 0 ? made :
	    made * n / ms.length;
	/* An older daemon has no totals. */
	const { totals } = status;
	const grown = (key) => last?.totals && totals ?
	    totals[key] - last.totals[key] : null;
	const perMinute = (key) => grown(key) === null ? null :
	    60 * grown(key) / (now - last.now);
	const requests = grown("requests");

	samples.push({ now, time: status.time, number: status.decisions,
		waiting: Object.values(status.queue).reduce((a, b) => a + b, 0),
		placed: part(ms.length - refused), refused: part(refused),
		p99: ms.length > 0 ? ms[Math.floor(0.99 * (ms.length - 1))] : null,
		totals, evictions: perMinute("evictions"),
		failed: perMinute("failedAttempts"),
		watches: perMinute("watchProblems"),
		answer: requests > 0 ? 1000 * grown("requestSeconds") / requests :
		    null });
	samples = samples.filter((s) => s.now > now - seconds);
}

const rate = (n) => n === 0 ? "0" : n.toFixed(n < 10 ? 1 : 0);

/* A chart's pointer, or the arrow keys, choose the bar whose value is shown; without
 * them it is the last one. */
class Chart {
	constructor(name, key, text) {
		Object.assign(this, { key, text, chosen: null });
		this.value = h("b");
		this.most = h("span");
		this.plot = h("div", { class: "plot", tabindex: "0", role: "slider",
			"aria-label": name, "aria-valuemin": "0",
			onpointermove: (e) => this.point(e),
			onpointerleave: () => this.choose(null),
			onblur: () => this.choose(null),
			onkeydown: (e) => this.press(e) });
		this.element = h("figure", {}, h("figcaption", {}, name, this.value),
		    h("div", { class: "scale", "aria-hidden": "true" }, this.most,
			h("span", {}, "0")), this.plot,
		    h("div", { class: "times", "aria-hidden": "true" },
			h("span", {}, `${seconds / 60} min ago`),
			h("span", {}, "now")));
	}

	/* now: the sample's time, as it moves to the left. */
	choose(now) {
		this.chosen = now;
		this.draw();
	}

	point(event) {
		const box = this.plot.getBoundingClientRect();
		const at = samples.at(-1)?.now -
		    seconds * (box.right - event.clientX) / box.width;
		const distance = (s) => Math.abs(s.now - barSeconds / 2 - at);

		if (samples.length > 0)
			this.choose(samples.reduce((a, b) =>
			    distance(a) <= distance(b) ? a : b).now);
	}

	press(event) {
		const last = samples.length - 1;
		const to = { ArrowLeft: this.at() - 1, ArrowDown: this.at() - 1,
			ArrowRight: this.at() + 1, ArrowUp: this.at() + 1, Home: 0,
			End: last }[event.key];

		if (to === undefined)
			return;
		event.preventDefault();
		this.choose(samples[Math.max(0, Math.min(last, to))]?.now ?? null);
	}

	/* The place of the sample whose value is shown. */
	at() {
		const at = samples.findIndex((s) => s.now === this.chosen);

		return at < 0 ? samples.length - 1 : at;
	}

	/* null where nothing was decided */
	draw() {
		const most = Math.max(0, ...samples.map((s) => s[this.key] ?? 0));
		const last = samples.at(-1)?.now, shown = samples[this.at()];
		const value = shown?.[this.key] ?? null;
		const text = `${shown && this.chosen !== null ?
		    `${clock(shown.time).textContent.slice(0, 8)} · ` : ""}${
		    value === null ? "–" : this.text(value)}`;

		this.value.textContent = text;
		this.most.textContent = most > 0 ? this.text(most) : "";
		this.plot.setAttribute("aria-valuemax", Math.max(0, samples.length - 1));
		this.plot.setAttribute("aria-valuenow", Math.max(0, this.at()));
		this.plot.setAttribute("aria-valuetext", text);
		this.plot.replaceChildren(...samples.map((s) => {
			const bar = h("i", { class: s === shown &&
			    this.chosen !== null && "chosen" });

			bar.style.height =
			    `${100 * (s[this.key] ?? 0) / (most || 1)}%`;
			bar.style.right = `${100 * (last - s.now) / seconds}%`;
			bar.style.width = `${100 * barSeconds / seconds}%`;
			return bar;
		}));
	}
}

/* element: to be shown, and draw(), when there are new samples. */
export function trend() {
	const charts = [new Chart("Pods placed a second", "placed", rate),
		new Chart("Pods refused a second", "refused", rate),
		new Chart("Slowest of 100 decisions", "p99",
		    (n) => `${n.toFixed(1)} ms`),
		new Chart("Pods in the queue", "waiting", count),
		new Chart("The API server's answers take", "answer",
		    (n) => `${n.toFixed(1)} ms`),
		new Chart("Bindings and attempts that failed a minute", "failed",
		    rate),
		new Chart("Pods evicted a minute", "evictions", rate),
		new Chart("Lists and watches that failed a minute", "watches",
		    rate)];

	return { element: h("div", { class: "charts" },
	    charts.map((chart) => chart.element)),
		draw: () => charts.forEach((chart) => chart.draw()) };
}
