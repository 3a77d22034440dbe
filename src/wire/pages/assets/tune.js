/* Weights that `predicatectl tune` finds for the policy in force, to be kept as a
 * variant.  Nothing here decides anything. */
import { ask } from "./api.js";
import { count, fill, h, plural } from "./dom.js";
import { changeKey } from "./trial.js";

const objectives = { packing: "packing: fewer nodes in use",
	spread: "spread: nodes used alike", zones: "zones: zones used alike",
	balance: "balance: cpu and memory used alike" };
const limits = [10, 30, 90]; /* seconds; the server answers within 120 */

/* Rows of [name, before, after]; what differs is bold. */
function table(label, name, rows) {
	return h("div", { class: "table short", role: "region", tabindex: "0",
		"aria-label": label }, h("table", { class: "numbers" },
	h("thead", {}, h("tr", {}, [name, "In force", "Proposed"].map((text, i) =>
	    h("th", { scope: "col", class: i > 0 ? "num" : undefined }, text)))),
	h("tbody", {}, rows.map(([text, before, after]) => h("tr", {},
	    h("th", { scope: "row" }, text), h("td", { class: "num" }, before),
	    h("td", { class: "num" }, before === after ? after :
		h("b", {}, after)))))));
}

/* keep(changes, note): the weights as changes of the policy in force. */
export class Tuning {
	constructor(context, profiles, keep) {
		Object.assign(this, { context, profiles, keep });
		this.slot = `tune-${Math.random().toString(36).slice(2)}`;
		this.status = h("p", { role: "status" });
		this.progress = h("div");
		this.result = h("div");
		const choice = (label, values, text) => {
			const select = h("select", {}, values.map((value) =>
			    h("option", { value }, text(value))));

			return [h("label", {}, label, select), select];
		};
		const [forLabel, objective] = choice("For",
		    Object.keys(objectives), (name) => objectives[name]);
		const [limitLabel, limit] = choice("At most", limits,
		    (n) => `${n} seconds`);
		const [profileLabel, profile] = choice("Profile",
		    profiles.map((p) => p.schedulerName), (name) => name);

		this.button = h("button", {}, "Find weights");
		this.element = h("section", { class: "panel", id: "tuning" },
		    h("h2", {}, "Tune"),
		    h("form", { class: "bar-controls", onsubmit: (event) => {
			    event.preventDefault();
			    this.run(objective.value, Number(limit.value),
				profiles.length > 1 ? profile.value : null);
		    } }, profiles.length > 1 ? profileLabel : null, forLabel,
		    limitLabel, this.button),
		    this.status, this.progress, this.result);
	}

	async run(objective, limit, profile) {
		this.button.disabled = true;
		this.cancelled = false;
		fill(this.result);
		this.status.textContent = "All pods are placed again and again, " +
		    "with other weights of the policy in force.";
		this.follow(limit);
		try {
			const d = await ask("tune", { objective, "time-limit": limit,
				"scheduler-name": profile, slot: this.slot });

			this.show(d, profile);
		} catch (error) {
			fill(this.status, error.status === 409 ?
			    "Called off." : error.message);
		} finally {
			clearInterval(this.timer);
			fill(this.progress);
			this.button.disabled = false;
		}
	}

	/* Another question in the slot ends the one that runs, on the server, too. */
	cancel() {
		ask("cluster", { slot: this.slot }).catch(() => {});
		clearInterval(this.timer);
	}

	/* Until it has ended, or the view is another one. */
	follow(limit) {
		const started = performance.now();
		const bar = h("progress", { max: limit, "aria-label": "Search" });
		const text = h("span", { class: "dim" });

		fill(this.progress, h("p", { class: "row" }, bar, text, h("button",
		    { type: "button", onclick: () => this.cancel() }, "Cancel")));
		this.timer = setInterval(() => {
			const seconds = (performance.now() - started) / 1000;

			bar.value = Math.min(limit, seconds);
			text.textContent = `${Math.round(seconds)} s of at most ${
			    limit} s`;
			if (!this.context.current())
				this.cancel();
		}, 200);
	}

	show(d, profile) {
		const sides = [d.today, d.proposed];
		const weight = (n) => n > 0 ? count(n) : "–";
		const changed = d.weights.filter((w) => w.today !== w.proposed);

		this.status.textContent = `${d.improved ? "Better" : "No better"} ` +
		    `weights for ${d.objective} were found: ` +
		    plural(d.simulations, "simulation") +
		    (d.exhaustive ? ", all combinations of weights" : "") +
		    (d.stopped ? `; ${d.stopped}` : "") + ".";
		fill(this.result, d.improved ? table("Weights", "Weight of",
		    changed.map((w) => [w.priority, weight(w.today),
			weight(w.proposed)])) : null,
		table("Effect", "All pods placed again", [
		    [`Pods placed, of ${count(d.pods)}`,
			...sides.map((r) => count(r.balance.placed))],
		    ["Nodes in use", ...sides.map((r) => count(r.nodesInUse))],
		    ...Object.keys(objectives).map((name) => [`Cost of ${name}`,
			...sides.map((r) => r.costs[name].toFixed(4))])]),
		d.improved ? h("button", { type: "button", onclick: (event) => {
			event.target.disabled = true;
			this.take(d.objective, changed, profile);
		} }, "Keep as a variant") : null);
	}

	async take(objective, weights, profile) {
		const changes = new Map(weights.map((w) =>
		    [changeKey("scores", w.priority, profile), { kind: "scores",
			rule: w.priority, weight: w.proposed, profile }]));

		try {
			this.status.textContent += ` Kept as variant ${
			    await this.keep(changes, `tuned for ${objective}`)}.`;
		} catch (error) {
			fill(this.status, error.message);
		}
	}
}
