/** Every quantitative or testable claim of the four sources of this project that a run here tests, and what its figures say. */
import {
	type Figures,
	type FormerName,
	type Kept,
	keptBy,
	type Outcome,
	type Results,
	ratio,
	ratioOf,
	runOf,
	type Verdict,
} from "./figures.ts";

interface Claim {
	/** Such as "paper 6.3". */
	readonly place: string;
	readonly claim: string;
	/** The run that tests the claim. */
	readonly source: keyof Figures;
	/** Throws if the run lacks a figure. */
	readonly find: (results: Results) => Outcome;
}

function tested<Name extends keyof Figures>(
	place: string,
	claim: string,
	source: Name,
	find: (figures: Figures[Name]) => Outcome,
): Claim {
	return { place, claim, source, find: (results) => find(results[source].figures) };
}

/** A claim that a program tested which has left the tree; its finding is kept. */
function testedOnce(place: string, claim: string, source: FormerName): Claim {
	return tested(place, claim, source, ({ [claim]: found }) => {
		if (!found) throw new Error(`${source}.json has no finding for ${JSON.stringify(claim)}.`);
		return [found.figure, found.verdict];
	});
}

/** The verdict for what holds wholly, in part, or not at all. */
const graded = (isWhole: boolean, isPart: boolean): Verdict =>
	isWhole ? "reproduced" : isPart ? "in part" : "contradicted";
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const change = (share: number) => `${share < 1 ? "-" : "+"}${Math.abs(100 * (share - 1)).toFixed(0)} %`;
const million = (tokens: number) => `${(tokens / 1e6).toFixed(1)}M`;
/** Edits kept and cost by policy. */
const show = (policies: readonly Kept[]) =>
	policies.map(({ policy, kept, cost }) => `\`${policy}\` ${percent(kept)} at ${percent(cost)}`).join(", ");

const WINDOW = "window article";
const FADING = "faded memory";
const MEMORY = "memory article";
/** Edits that differ by less than this share say nothing: a few of some hundred. */
const NOISE = 0.02;

/** Compares a policy with `cwl`. */
function fadingClaim(claim: string, policy: string): Claim {
	return tested(FADING, claim, "fading", (figures) => {
		const [plain, faded] = [keptBy(figures, "cwl"), keptBy(figures, policy)];
		const isWorse = faded.kept < plain.kept - NOISE || faded.cost > plain.cost + NOISE;
		return [show([plain, faded]), graded(faded.kept > plain.kept + NOISE && !isWorse, !isWorse)];
	});
}

export const claims: readonly Claim[] = [
	tested(
		"paper, abstract and 6.3",
		"One session does 89 tasks over 80 million tokens as accurately as isolated sessions",
		"tasks",
		(runs) => {
			const [one, isolated] = [runOf(runs, "cwl-80k"), runOf(runs, "isolated")];
			return [
				`\`cwl\` ${one.solved} of ${one.tasks} over ${million(one.tokensProcessed)} tokens, isolated ${isolated.solved}`,
				graded(one.solved >= isolated.solved && one.tokensProcessed >= 80e6, one.solved >= isolated.solved),
			];
		},
	),
	tested("paper 5 and 6.3", "20 to 70 % cheaper than an uncapped session", "tasks", (runs) => {
		const [paper, cwl] = [ratio(runs, "paper-80k", "none"), ratio(runs, "cwl-80k", "none")];
		const isCheaper = paper < 1 && cwl < 1;
		return [
			`\`paper\` ${change(paper)}, \`cwl\` ${change(cwl)} on 89 tasks, with an imagined window for the uncapped session`,
			graded(isCheaper && paper <= 0.8 && paper >= 0.3, isCheaper),
		];
	}),
	tested("paper 5 and 6.3", "The same, on recorded sessions", "replay", (replay) => {
		const [paper, cwl] = [keptBy(replay, "paper"), keptBy(replay, "cwl")];
		return [
			`\`paper\` ${change(paper.cost)}, \`cwl\` ${change(cwl.cost)} in ${replay.sessions.pressed} sessions, from 80k tokens on`,
			graded(paper.cost <= 0.8, paper.cost < 1),
		];
	}),
	tested("paper 6.5", "Inference costs 23 % less than with compaction", "tasks", (runs) => {
		const of = (name: string) => ratio(runs, `${name}-80k`, "compaction-80k");
		const [paper, cwl, economy] = [of("paper"), of("cwl"), of("cwl-economy")];
		return [
			`\`paper\` ${change(paper)}, \`cwl\` ${change(cwl)}, \`cwl-economy\` ${change(economy)} at 80k; the stand-in summary forgets nothing that it has room for`,
			graded(paper < 1, cwl < 1),
		];
	}),
	tested(
		"paper 6.4",
		"50k costs up to 3 times less than 120k (2.4 times in its figure)",
		"budgets",
		(runs) => {
			const [paper, cwl] = [ratio(runs, "paper-120k", "paper-50k"), ratio(runs, "cwl-120k", "cwl-50k")];
			return [
				`120k costs ${paper.toFixed(2)} times as much as 50k under \`paper\`, ${cwl.toFixed(2)} times under \`cwl\``,
				graded(paper >= 2, paper > 1),
			];
		},
	),
	tested(
		"paper 6.4",
		"At 50k the agent explores again what was evicted, and solves as many tasks",
		"budgets",
		(runs) => {
			const [small, large] = [runOf(runs, "paper-50k"), runOf(runs, "paper-120k")];
			const grows = small.reexplorations > large.reexplorations;
			return [
				`repeated reads and searches ${small.reexplorations} at 50k, ${large.reexplorations} at 120k; solved ${small.solved} and ${large.solved}`,
				graded(grows && small.solved >= large.solved, grows),
			];
		},
	),
	tested("paper 6.4", "At 50k the time for a task grows up to twofold", "budgets", (runs) => {
		const times = ratioOf(runs, "paper-50k", "paper-120k", ({ modeledSeconds }) => modeledSeconds);
		return [
			`50k takes ${times.toFixed(2)} times the modeled time of 120k under \`paper\``,
			graded(times > 1.05 && times <= 2.05, times > 1),
		];
	}),
	tested("paper 6.4", "Above 120k cost rises without more solved tasks", "budgets", (runs) => {
		const [uncapped, capped] = [runOf(runs, "none"), runOf(runs, "paper-120k")];
		const share = ratio(runs, "none", "paper-120k");
		return [
			`uncapped costs ${share.toFixed(2)} times 120k under \`paper\`; solved ${uncapped.solved} and ${capped.solved}`,
			graded(share > 1 && uncapped.solved <= capped.solved, false),
		];
	}),
	tested(
		"paper 5",
		"Evicting on every overflow breaks the cached prefix more often than compaction",
		"replay",
		(replay) => {
			const breaks = (policy: string) => keptBy(replay, policy).breaks;
			return [
				`${breaks("paper")} breaks under \`paper\`, ${breaks("compaction")} under compaction, ${breaks("cwl")} under \`cwl\``,
				graded(breaks("paper") > breaks("compaction"), false),
			];
		},
	),
	tested("paper 5", "In the worst case eviction costs more than it saves", "replay", (replay) => {
		const { cost } = keptBy(replay, "paper");
		return [
			`\`paper\` costs ${percent(cost)} of never evicting, with marks as a careful model would set them`,
			graded(cost > 1, true),
		];
	}),
	tested(
		"paper 6.1",
		"Targeted search saves 3 to 6 times the tokens of an agent that reads by lines",
		"search",
		({ bare }) => {
			const total = (way: string) =>
				bare.filter((answer) => answer.way === way).reduce((sum, { tokens }) => sum + tokens, 0);
			const times = (way: string) => total(way) / total("glob, grep and read");
			const chunks = times("chunked reads");
			return [
				`${chunks.toFixed(1)} times against reads of 250 lines, ${times("whole files").toFixed(1)} against whole files, ${times("shell grep and find").toFixed(1)} against the shell's grep and find`,
				graded(chunks >= 3 && chunks <= 6, chunks >= 3),
			];
		},
	),
	testedOnce("paper 6.1", "The system prompt takes less than 1,000 tokens", "prompt"),
	testedOnce("paper 5", "Annotation is a small overhead on each boundary", "robustness"),
	testedOnce("paper 5", "The policy is only as good as the annotations that it reads", "robustness"),
	testedOnce(
		"paper 5",
		"A dropped dependency or a flipped kind loses context that the agent still needs",
		"robustness",
	),
	tested(`${WINDOW} 3`, "Eviction costs nothing, because it calls no model", "window", (figures) => {
		const { breaks, cost } = keptBy(figures, "fifo");
		return [
			`each pass rewrites the provider's cache: ${breaks} broken prefixes in ${figures.sessions.pressed} sessions under \`fifo\`, at ${percent(cost)} of the cost of never evicting`,
			graded(breaks === 0, cost < 1),
		];
	}),
	tested(
		`${WINDOW} 3`,
		"A weighted hybrid evicts better than FIFO, LRU, priority or type alone",
		"window",
		(figures) => {
			const hybrid = keptBy(figures, "hybrid");
			const single = ["fifo", "lru", "priority", "type"].map((policy) => keptBy(figures, policy));
			const [best = hybrid] = single.toSorted((a, b) => b.kept - a.kept || a.cost - b.cost);
			const [worst = hybrid] = single.toSorted((a, b) => a.kept - b.kept);
			return [
				show([hybrid, best, worst, keptBy(figures, "cwl")]),
				graded(hybrid.kept > best.kept, hybrid.kept > worst.kept),
			];
		},
	),
	tested(`${WINDOW} 3`, "Tool results are the safest to evict", "window", (figures) => {
		const type = keptBy(figures, "type");
		return [
			`${show([type])}: the other edits lost what they were based on`,
			graded(type.kept >= 0.99, type.kept >= 0.8),
		];
	}),
	tested(
		`${WINDOW} 3`,
		"Merging similar outputs preserves information while it saves tokens",
		"window",
		(figures) => {
			const [merge, without] = [keptBy(figures, "semantic-merge"), keptBy(figures, "priority")];
			const isAsGood = merge.kept >= without.kept;
			const saves = merge.cost < without.cost - NOISE;
			return [
				`${show([merge, without])}, which is the same without merging`,
				graded(isAsGood && saves, isAsGood || saves),
			];
		},
	),
	tested(
		`${WINDOW} 1`,
		"80 % of the tokens of a long task are spent on content that the agent no longer needs",
		"tasks",
		(runs) => {
			const [none, isolated] = [runOf(runs, "none"), runOf(runs, "isolated")];
			const spared = 1 - isolated.tokensProcessed / none.tokensProcessed;
			const isAsGood = isolated.solved >= none.solved;
			return [
				`a session for each of ${isolated.tasks} independent tasks solves ${isolated.solved} with ${million(isolated.tokensProcessed)} tokens, one session that keeps everything ${none.solved} with ${million(none.tokensProcessed)}: ${percent(spared)} less`,
				graded(isAsGood && spared >= 0.8, isAsGood),
			];
		},
	),
	tested(`${WINDOW} 4 and 9`, "Delegation to a clean context is the most expensive step", "tasks", (runs) => {
		const [isolated, one] = [runOf(runs, "isolated"), runOf(runs, "cwl-80k")];
		const share = ratio(runs, "isolated", "cwl-80k");
		return [
			`a clean context for each of ${isolated.tasks} tasks costs ${percent(share)} of one session under \`cwl\`, with ${isolated.reexplorations} repeated look-ups instead of ${one.reexplorations}; requests of a parent are not counted`,
			graded(share > 1, false),
		];
	}),
	fadingClaim("Older outputs at lower detail keep more of the session than removing them", "cwl:fading=on"),
	fadingClaim(
		"A placeholder in the place of each removed output keeps more than one line for an episode",
		"cwl:fading=placeholder",
	),
	tested(FADING, "Cache-friendly: content changes only when a summary is made", "fading", (figures) => {
		const [plain, faded] = [keptBy(figures, "cwl"), keptBy(figures, "cwl:fading=on")];
		return [
			`\`cwl:fading=on\` breaks the prefix ${faded.breaks} times, \`cwl\` ${plain.breaks} times`,
			graded(faded.breaks <= plain.breaks, faded.breaks < 2 * plain.breaks),
		];
	}),
	testedOnce(
		MEMORY,
		"A tree of summary nodes (leaves of 3k tokens, fan-out 8) still answers about the past",
		"decisions",
	),
	tested(MEMORY, "A stable prefix with everything dynamic behind it saves substantially", "tasks", (runs) => {
		const [cwl, paper] = [runOf(runs, "cwl-80k"), runOf(runs, "paper-80k")];
		const cost = ratio(runs, "cwl-80k", "paper-80k");
		return [
			`${percent(cwl.cachedShare)} of the input is read from the cache under \`cwl\`, ${percent(paper.cachedShare)} under \`paper\`; \`cwl\` costs ${percent(cost)} of it`,
			graded(cwl.cachedShare > paper.cachedShare && cost < 0.8, cost < 1),
		];
	}),
	tested(
		MEMORY,
		"A managed context has a peak of 26 to 54 % fewer tokens at over 95 % of the accuracy (ACON)",
		"tasks",
		(runs) => {
			const [none, cwl] = [runOf(runs, "none"), runOf(runs, "cwl-80k")];
			const less = 1 - cwl.peakContext / none.peakContext;
			const isAccurate = cwl.solved >= 0.95 * none.solved;
			return [
				`peak ${percent(less)} lower under \`cwl\` at 80k; solved ${cwl.solved} and ${none.solved}`,
				graded(less >= 0.26 && isAccurate, isAccurate),
			];
		},
	),
];
