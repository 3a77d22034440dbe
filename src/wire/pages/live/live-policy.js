/* The policy in force, and the commands that try another one: in the workbench, and on
 * recorded decisions.  They run on the user's machine, with the user's rights. */
import { fact, h, panel } from "./dom.js";
import { ask } from "./polling.js";
import { toCopy } from "./unplaced.js";

export const sources = { "file": "a file where the daemon runs",
	"configmap": "a ConfigMap",
	"openshift-policy": "the ConfigMap that OpenShift's Scheduler object names",
	"openshift-profile": "the profile of OpenShift's Scheduler object",
	"config": "a KubeSchedulerConfiguration where the daemon runs",
	"provider": "the defaults of a provider" };

const quoted = (text) => /^[\w@%+=:,./-]+$/.test(text) ? text :
    `'${text.replaceAll("'", "'\\''")}'`;

/* What decides as the daemon does, as words of a command line. */
function words({ policy, flags }) {
	const file = { file: "policy", config: "config" }[policy.source];
	const has = Object.entries(flags).filter(([name, value]) =>
	    name !== "record" &&
	    !(name === "scheduler-name" && policy.source === "config") &&
	    !(/^policy-/.test(name) && policy.source !== "configmap"));

	return [...(file ? [`--${file}=${quoted(policy.origin)}`] : []),
	    ...has.map(([name, value]) => value === "true" ? `--${name}` :
		`--${name}=${quoted(value)}`)];
}

function tryAnother(status) {
	const { policy } = status;
	const command = ["predicatectl web", ...words(status)].join(" ");

	return panel("Try another policy on this cluster",
	    h("p", {}, "This opens the workbench with the cluster and the policy " +
		"in force. Nothing is written to the cluster."),
	    toCopy("The command that opens the workbench", command),
	    policy.source === "provider" && policy.origin !== "DefaultProvider" ?
		h("p", { class: "warn" }, `predicatectl decides by the defaults ` +
		    `of DefaultProvider, not of ${policy.origin}.`) : null,
	    ["file", "config"].includes(policy.source) ? h("p", {},
		`Copy ${policy.origin} from where the daemon runs first.`) : null,
	    h("p", { class: "dim" }, "It needs get and list for nodes, pods and " +
		"the other kinds that placement depends on: the ClusterRole in " +
		"predicatectl(1), under LIVE CLUSTERS",
	    /configmap|openshift-policy/.test(policy.source) ?
		"; and get for the ConfigMap of the policy" : "",
	    ". The credentials are those of the kubeconfig (--kubeconfig), of its " +
		"current context or of --context NAME."));
}

/* at: the time of a decision; null: all of them. */
export function replay(folder, at = null) {
	const command = `predicatectl replay ${quoted(folder ?? "")}${
		at ? ` --at=${quoted(at)}` : ""}`;

	return panel(at ? `Replay the decisions of ${at}` :
	    "Replay recorded decisions", folder ? [
	    h("p", {}, `Decisions are recorded in ${folder} where the daemon ` +
		"runs (--record). There the first command makes " +
		`${at ? "those of this time" : "all of them"} again, on ` +
		"the cluster as it was; the second one shows what another " +
		"policy would change. Both need the right to read the folder."),
	    toCopy("The command that replays", command),
	    toCopy("The command that replays with another policy",
		`${command} --policy=new.cfg`)] :
	    h("p", {}, "Decisions are not recorded. The daemon keeps them, for " +
		"predicatectl replay, with --record=FOLDER."));
}

export async function showPolicy(context) {
	const status = await ask("status");
	const { policy } = status;

	context.title("Policy");
	if (policy === null)
		return [h("h1", { tabindex: "-1" }, "Policy"),
			panel(null, h("p", {}, "No policy is in force yet."))];
	return [
		h("h1", { tabindex: "-1" }, "Policy"),
		h("dl", { class: "facts" },
		    fact("In force", policy.origin, sources[policy.source]),
		    fact("Changes since the start", policy.generation - 1)),
		policy.refused ? h("section", { class: "panel bad-panel" },
		    h("h2", {}, "The current policy is invalid; the last valid one is used"),
		    h("p", {}, "The log has " +
			"every problem with its position."), policy.problem ?
		    h("p", { class: "mono" }, policy.problem) : null) : null,
		tryAnother(status), replay(status.flags.record),
	];
}
