/** docs/peers.md: what others publish, next to `cwl`, and where one of them is better. */
import { markdownTable } from "#lab";
import { formatTokens } from "#pi";
import type { ResultsFile } from "../results-file.ts";
import type { PeerFigures, PeerRow } from "./figures.ts";

/** The source of each row; its file in packages/lab/policies names the departures. */
const sources: Readonly<Record<string, string>> = {
	"demand-paging":
		"Pichay, arXiv 2603.09023: outputs of four user turns ago leave; one that is asked for again stays",
	coref: "context-guru: outputs whose names no later reply used leave first",
	stride: "lean-ctx: outputs before a boundary that advances by 16 messages leave",
	dcp: "opencode-dynamic-context-pruning: repeated calls, writes that were read again, arguments of failed calls leave",
	trim: "rtk: outputs of commands are shortened before they are first sent",
};

/** As Markdown. Ends with a newline. */
export function formatPeersDoc({
	figures,
	command,
	date,
	commit,
	machine,
}: ResultsFile<PeerFigures>): string {
	const { replayed, planned, pressed, requests, pressedRequests, budget, models, rows } = figures;
	const head = [
		"policy",
		...models.map(({ name, read }) => `cost, reads at ${read} (${name.split("/").at(-1)})`),
		...["edits kept", "stale thinking", "fault rate", "unique savings", "over budget"],
	];
	const part = replayed < planned ? ` (of ${planned}; the run was stopped there)` : "";
	const peers = rows.filter(({ policy }) => Object.hasOwn(sources, policy));
	return [
		"# What others publish, on the same sessions",
		"",
		...judge(figures, peers),
		"",
		`${replayed} recorded sessions${part} with a budget of ${formatTokens(budget)}, ${pressed} of them larger than that.`,
		"",
		...markdownTable([head, ...rows.map((row) => cellsOf(row, requests))]),
		"",
		`- **Cost**: a share of never evicting, over the ${pressedRequests} requests from the first on whose whole history passes the budget, at three prices of a`,
		"  cache read, as a share of the price of fresh input. Decisions are made at the prices of the first.",
		"- **Edits kept**: edits whose old text was still in the request.",
		"- **Stale thinking**: requests with thinking that a model which checks prefixes rejects (sessions recorded without thinking were given some).",
		"- **Fault rate**: recorded calls that repeat one whose output was gone, as a share of the outputs that left.",
		"- **Unique savings**: tokens that left, each counted once. A large figure is no merit of its own: what was never needed again and stays cached costs little.",
		"- **Over budget**: requests above it. `demand-paging`, `stride`, `dcp` and `trim` have no budget.",
		"",
		"Each is written from its public description, with the departures that its file in `packages/lab/policies` names:",
		"",
		...Object.entries(sources).map(([policy, source]) => `- \`${policy}\`: ${source}.`),
		"",
		`Made by \`${command}\`, ${date}, commit ${commit}, ${machine.cpu}, ${machine.cores} cores, Node ${machine.node}; \`npm run bench -- peers --help\` shows the replay.`,
		"",
	].join("\n");
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

function cellsOf(row: PeerRow, requests: number): readonly string[] {
	return [
		`\`${row.policy}\``,
		...row.costs.map(percent),
		percent(row.editsKept),
		`${row.staleRequests} (${percent(row.staleRequests / requests)})`,
		row.faultRate === null ? "-" : percent(row.faultRate),
		`${(row.savedOnce / 1e6).toFixed(1)}M`,
		String(row.overBudget),
	];
}

/** Says of each peer in what it is better than `cwl`, and in what it is not. */
function judge({ rows, models }: PeerFigures, peers: readonly PeerRow[]): readonly string[] {
	const cwl = rows.find(({ policy }) => policy === "cwl");
	const economy = rows.find(({ policy }) => policy === "cwl-economy");
	if (!cwl) return ["`cwl` was not replayed."];
	const each = peers.map((peer) => {
		const cheaper = models.filter((_, list) => (peer.costs[list] ?? 0) < (cwl.costs[list] ?? 0));
		const gains = [
			...(cheaper.length > 0
				? [
						`is cheaper at ${cheaper.length === models.length ? "every price" : cheaper.map(({ read }) => `reads at ${read}`).join(" and ")}`,
					]
				: []),
			...(peer.editsKept > cwl.editsKept ? ["keeps more edits"] : []),
			...((peer.faultRate ?? 1) < (cwl.faultRate ?? 0) ? ["has a lower fault rate"] : []),
		];
		const losses = [
			...(cheaper.length === 0 ? ["costs more at every price"] : []),
			...(peer.editsKept < cwl.editsKept ? ["keeps fewer edits"] : []),
			...(peer.staleRequests > cwl.staleRequests ? ["sends stale thinking"] : []),
			...(peer.overBudget > cwl.overBudget ? [`is over the budget ${peer.overBudget} times`] : []),
		];
		const better =
			gains.length > 0
				? `**better than \`cwl\`** where it ${gains.join(", ")}`
				: "in nothing better than `cwl`";
		const beaten =
			economy && dominates(economy, peer)
				? "; `cwl-economy` is cheaper at every price and keeps more edits"
				: "";
		return `- \`${peer.policy}\` is ${better}${losses.length > 0 ? `; it ${losses.join(", ")}` : ""}${beaten}.`;
	});
	return [summarize(cwl, peers), "", ...each];
}

function summarize(cwl: PeerRow, peers: readonly PeerRow[]): string {
	const named = (found: readonly PeerRow[]) =>
		found.map(({ policy }) => `\`${policy}\``).join(", ") || "none";
	const both = peers.filter((peer) => dominates(peer, cwl));
	const cheaper = peers.filter(({ costs }) => costs.every((cost, list) => cost < (cwl.costs[list] ?? 0)));
	const keeping = peers.filter(({ editsKept }) => editsKept > cwl.editsKept);
	return `Cheaper than \`cwl\` at every price: ${named(cheaper)}. Keeping more edits: ${named(keeping)}. Both at once: ${named(both)}.`;
}

function dominates(one: PeerRow, other: PeerRow): boolean {
	const isCheaper = one.costs.every((cost, list) => cost < (other.costs[list] ?? 0));
	return isCheaper && one.editsKept > other.editsKept;
}
