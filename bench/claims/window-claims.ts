/** The claims of the article on context windows (seed 002). */
import { byName, type Claim, million, needsModel, percent, ratio, tested } from "./claim.ts";
import type { ReplayFigures } from "./sources.ts";

export interface Kept {
	/** Of the edits whose grounds the policy had to keep, the share that it kept. */
	readonly kept: number;
	/** As a share of never evicting. */
	readonly cost: number;
	readonly breaks: number;
}

/** The edits that a policy kept in a replay, and its cost; undefined if the replay has no such row. */
export function keptBy({ policies }: ReplayFigures, name: string): Kept | undefined {
	const [none, own] = ["none", name].map((wanted) => policies.find(({ policy }) => policy === wanted));
	if (!none || !own) return undefined;
	return {
		kept: own.editsKept / own.editsNeeded,
		cost: own.cost.anthropic / none.cost.anthropic,
		breaks: own.prefixBreaks,
	};
}

export const show = (name: string, { kept, cost }: Kept) =>
	`\`${name}\` keeps ${percent(kept)} of edits at ${percent(cost)} of the cost`;
const PLACE = "window article";

export const windowClaims: readonly Claim[] = [
	tested(`${PLACE} 3`, "Eviction costs nothing, because it calls no model", "window", (figures) => {
		const fifo = keptBy(figures, "fifo");
		if (!fifo) return undefined;
		return {
			figure: `no call, but each pass rewrites the provider's cache: ${fifo.breaks} broken prefixes in ${figures.sessions.pressed} sessions under \`fifo\`; it pays all the same, at ${percent(fifo.cost)} of never evicting`,
			verdict: fifo.breaks === 0 ? "reproduced" : fifo.cost < 1 ? "in part" : "contradicted",
		};
	}),
	tested(
		`${PLACE} 3`,
		"A weighted hybrid evicts better than FIFO, LRU, priority or type alone",
		"window",
		(figures) => {
			const hybrid = keptBy(figures, "hybrid");
			const cwl = keptBy(figures, "cwl");
			const single = ["fifo", "lru", "priority", "type"].flatMap((name) => {
				const own = keptBy(figures, name);
				return own ? [{ name, own }] : [];
			});
			const [best] = single.toSorted((a, b) => b.own.kept - a.own.kept || a.own.cost - b.own.cost);
			const [worst] = single.toSorted((a, b) => a.own.kept - b.own.kept);
			if (!hybrid || !cwl || !best || !worst) return undefined;
			return {
				figure: [
					show("hybrid", hybrid),
					show(best.name, best.own),
					show(worst.name, worst.own),
					show("cwl", cwl),
				].join(", "),
				verdict:
					hybrid.kept > best.own.kept
						? "reproduced"
						: hybrid.kept > worst.own.kept
							? "in part"
							: "contradicted",
			};
		},
	),
	tested(`${PLACE} 3`, "Tool results are the safest to evict", "window", (figures) => {
		const type = keptBy(figures, "type");
		if (!type) return undefined;
		return {
			figure: `${show("type", type)}: the other edits lost what they were based on`,
			verdict: type.kept >= 0.99 ? "reproduced" : type.kept >= 0.8 ? "in part" : "contradicted",
		};
	}),
	tested(
		`${PLACE} 3`,
		"Merging similar outputs preserves information while it saves tokens",
		"window",
		(figures) => {
			const [merge, fifo] = [keptBy(figures, "semantic-merge"), keptBy(figures, "fifo")];
			if (!merge || !fifo) return undefined;
			return {
				figure: `${show("semantic-merge", merge)}, ${show("fifo", fifo)}`,
				verdict:
					merge.kept <= fifo.kept ? "contradicted" : merge.cost <= fifo.cost ? "reproduced" : "in part",
			};
		},
	),
	tested(
		`${PLACE} 1`,
		"80 % of the tokens of a long task are spent on content that the agent no longer needs",
		"tasks",
		(runs) => {
			const [none, isolated] = [byName(runs, "none"), byName(runs, "isolated")];
			if (!none || !isolated) return undefined;
			const spared = 1 - isolated.tokensProcessed / none.tokensProcessed;
			return {
				figure: `a session for each task solves ${isolated.solved} of ${isolated.tasks} with ${million(isolated.tokensProcessed)} tokens, one session that keeps everything ${none.solved} with ${million(none.tokensProcessed)}: ${percent(spared)} less; the tasks are independent`,
				verdict: isolated.solved < none.solved ? "contradicted" : spared >= 0.8 ? "reproduced" : "in part",
			};
		},
	),
	tested(`${PLACE} 4 and 9`, "Delegation to a clean context is the most expensive step", "tasks", (runs) => {
		const [share, isolated] = [ratio(runs, "isolated", "cwl-80k"), byName(runs, "isolated")];
		const one = byName(runs, "cwl-80k");
		if (share === undefined || !isolated || !one) return undefined;
		return {
			figure: `a clean context for each of ${isolated.tasks} independent tasks costs ${percent(share)} of one session under \`cwl\`, with ${isolated.reexplorations} repeated look-ups instead of ${one.reexplorations}; requests of a parent are not counted`,
			verdict: share > 1 ? "reproduced" : "contradicted",
		};
	}),
	needsModel(
		`${PLACE} 4`,
		"Summaries of tool results are 5 to 20 times shorter than the results",
		"a model writes the summaries; a stand-in would measure itself",
	),
	needsModel(
		`${PLACE} 5`,
		"A client's token count misses 3 to 5 % of what the provider counts",
		"only a provider's own count shows it; the ledger is calibrated by it in a live session",
	),
	needsModel(
		`${PLACE} 7`,
		"A judge's fidelity below .75 means that the agent loses its task",
		"a model judges; here facts in sight and facts recallable are counted instead (docs/health.md)",
	),
];
