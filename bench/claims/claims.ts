/** Every quantitative or testable claim of the four sources of this project, and what our figures say of it. */
import {
	type Claim,
	change,
	graded,
	type Kept,
	keptBy,
	million,
	needsModel,
	percent,
	ratio,
	runsOf,
	show,
	tested,
	testedOnce,
} from "./claim.ts";

const paperClaims: readonly Claim[] = [
	tested(
		"paper, abstract and 6.3",
		"One session does 89 tasks over 80 million tokens as accurately as isolated sessions",
		"tasks",
		(runs) => {
			const [one, isolated] = runsOf(runs, "cwl-80k", "isolated") ?? [];
			return (
				one &&
				isolated && {
					figure: `\`cwl\` ${one.solved} of ${one.tasks} over ${million(one.tokensProcessed)} tokens, isolated ${isolated.solved}; a scripted worker that knows only what each request holds`,
					verdict: graded(one.solved >= isolated.solved, false),
				}
			);
		},
	),
	tested("paper 5 and 6.3", "20 to 70 % cheaper than an uncapped session", "tasks", (runs) => {
		const [paper, cwl] = [ratio(runs, "paper-80k", "none"), ratio(runs, "cwl-80k", "none")];
		if (paper === undefined || cwl === undefined) return undefined;
		const isCheaper = paper < 1 && cwl < 1;
		return {
			figure: `\`paper\` ${change(paper)}, \`cwl\` ${change(cwl)} on 89 tasks; an uncapped session is possible here only because the window is imagined`,
			verdict: graded(isCheaper && paper <= 0.8 && paper >= 0.3, isCheaper),
		};
	}),
	tested("paper 5 and 6.3", "The same, on recorded sessions", "replay", (replay) => {
		const [paper, cwl] = keptBy(replay, "paper", "cwl") ?? [];
		return (
			paper &&
			cwl && {
				figure: `\`paper\` ${change(paper.cost)}, \`cwl\` ${change(cwl.cost)} in ${replay.sessions.pressed} sessions that pass 80k tokens, from there on`,
				verdict: graded(paper.cost <= 0.8, paper.cost < 1),
			}
		);
	}),
	tested("paper 6.5", "Inference costs 23 % less than with compaction", "tasks", (runs) => {
		const shares = ["paper", "cwl", "cwl-economy"].map((name) =>
			ratio(runs, `${name}-80k`, "compaction-80k"),
		);
		const [paper, cwl, economy] = shares;
		if (paper === undefined || cwl === undefined || economy === undefined) return undefined;
		return {
			figure: `\`paper\` ${change(paper)}, \`cwl\` ${change(cwl)}, \`cwl with economy\` ${change(economy)}. Compaction goes down to 20k tokens in one step, so it breaks the cached prefix less often than a pass down to .75 of the budget; the stand-in summary is cheap and forgets nothing that it has room for`,
			verdict: graded(cwl < 1, economy < 1),
		};
	}),
	tested(
		"paper 6.4",
		"50k costs up to 3 times less than 120k (2.4 times in its figure)",
		"budgets",
		(runs) => {
			const [paper, cwl] = [ratio(runs, "paper-120k", "paper-50k"), ratio(runs, "cwl-120k", "cwl-50k")];
			if (paper === undefined || cwl === undefined) return undefined;
			return {
				figure: `120k costs ${paper.toFixed(2)} times as much as 50k under \`paper\`, ${cwl.toFixed(2)} times under \`cwl\``,
				verdict: graded(paper >= 2, paper > 1),
			};
		},
	),
	tested(
		"paper 6.4",
		"At 50k the agent explores again what was evicted, and solves as many tasks",
		"budgets",
		(runs) => {
			const [small, large] = runsOf(runs, "paper-50k", "paper-120k") ?? [];
			if (!small || !large) return undefined;
			const grows = small.reexplorations > large.reexplorations;
			return {
				figure: `repeated reads and searches ${small.reexplorations} at 50k, ${large.reexplorations} at 120k; solved ${small.solved} and ${large.solved}`,
				verdict: graded(grows && small.solved >= large.solved, grows),
			};
		},
	),
	tested("paper 6.4", "Above 120k cost rises without more solved tasks", "budgets", (runs) => {
		const [uncapped, capped] = runsOf(runs, "none", "paper-120k") ?? [];
		const share = ratio(runs, "none", "paper-120k");
		if (!uncapped || !capped || share === undefined) return undefined;
		return {
			figure: `uncapped costs ${share.toFixed(2)} times 120k under \`paper\`; solved ${uncapped.solved} and ${capped.solved}`,
			verdict: graded(share > 1 && uncapped.solved <= capped.solved, false),
		};
	}),
	tested(
		"paper 5",
		"Evicting on every overflow breaks the cached prefix more often than compaction",
		"replay",
		(replay) => {
			const [paper, compaction, cwl] = keptBy(replay, "paper", "compaction", "cwl") ?? [];
			if (!paper || !compaction || !cwl) return undefined;
			return {
				figure: `${paper.breaks} breaks under \`paper\`, ${compaction.breaks} under compaction, ${cwl.breaks} under \`cwl\``,
				verdict: graded(paper.breaks > compaction.breaks, false),
			};
		},
	),
	tested("paper 5", "In the worst case eviction costs more than it saves", "replay", (replay) => {
		const [paper] = keptBy(replay, "paper") ?? [];
		return (
			paper && {
				figure: `\`paper\` costs ${percent(paper.cost)} of never evicting over the sessions under pressure, with marks as a careful model would set them`,
				verdict: graded(paper.cost > 1, true),
			}
		);
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
			return {
				figure: `${chunks.toFixed(1)} times against reads in chunks of 250 lines, ${times("whole files").toFixed(1)} against whole files, ${times("shell grep and find").toFixed(1)} against grep and find in the shell`,
				verdict: graded(chunks >= 3 && chunks <= 6, chunks >= 3),
			};
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
	needsModel(
		"paper 6.3",
		"68.25 % against 68.40 % on Terminal Bench 2.0, 43 against 40 on SWE Bench Lite, 66.80 against 69.75 on Recovery Bench, 20 against 20 on LongCLI Bench",
		"the Harbor adapter runs (bench/harbor); a share of solved tasks takes a model and a key",
	),
	needsModel("paper 6.3", "$55 for a run of 89 tasks with GPT-5.4", "a price of traffic that a model makes"),
	needsModel(
		"paper 6.5",
		"In the Linux kernel sequence, compaction lost structure that eviction kept",
		"a case study of one run each; [chains of real commits](results.md#commits-of-real-repositories) measure what it costs and what is read again, not what a model makes of it",
	),
	needsModel("paper 7", "The marks may change how a model reasons", "no script can show it"),
];

const WINDOW = "window article";

const windowClaims: readonly Claim[] = [
	tested(`${WINDOW} 3`, "Eviction costs nothing, because it calls no model", "window", (figures) => {
		const [fifo] = keptBy(figures, "fifo") ?? [];
		return (
			fifo && {
				figure: `no call, but each pass rewrites the provider's cache: ${fifo.breaks} broken prefixes in ${figures.sessions.pressed} sessions under \`fifo\`; it pays all the same, at ${percent(fifo.cost)} of never evicting`,
				verdict: graded(fifo.breaks === 0, fifo.cost < 1),
			}
		);
	}),
	tested(
		`${WINDOW} 3`,
		"A weighted hybrid evicts better than FIFO, LRU, priority or type alone",
		"window",
		(figures) => {
			const [hybrid, cwl] = keptBy(figures, "hybrid", "cwl") ?? [];
			const single = keptBy(figures, "fifo", "lru", "priority", "type") ?? [];
			const [best] = single.toSorted((a, b) => b.kept - a.kept || a.cost - b.cost);
			const [worst] = single.toSorted((a, b) => a.kept - b.kept);
			if (!hybrid || !cwl || !best || !worst) return undefined;
			return {
				figure: [hybrid, best, worst, cwl].map(show).join(", "),
				verdict: graded(hybrid.kept > best.kept, hybrid.kept > worst.kept),
			};
		},
	),
	tested(`${WINDOW} 3`, "Tool results are the safest to evict", "window", (figures) => {
		const [type] = keptBy(figures, "type") ?? [];
		return (
			type && {
				figure: `${show(type)}: the other edits lost what they were based on`,
				verdict: graded(type.kept >= 0.99, type.kept >= 0.8),
			}
		);
	}),
	tested(
		`${WINDOW} 3`,
		"Merging similar outputs preserves information while it saves tokens",
		"window",
		(figures) => {
			const [merge, fifo] = keptBy(figures, "semantic-merge", "fifo") ?? [];
			if (!merge || !fifo) return undefined;
			const isBetter = merge.kept > fifo.kept;
			return {
				figure: `${show(merge)}, ${show(fifo)}`,
				verdict: graded(isBetter && merge.cost <= fifo.cost, isBetter),
			};
		},
	),
	tested(
		`${WINDOW} 1`,
		"80 % of the tokens of a long task are spent on content that the agent no longer needs",
		"tasks",
		(runs) => {
			const [none, isolated] = runsOf(runs, "none", "isolated") ?? [];
			if (!none || !isolated) return undefined;
			const spared = 1 - isolated.tokensProcessed / none.tokensProcessed;
			const isAsGood = isolated.solved >= none.solved;
			return {
				figure: `a session for each task solves ${isolated.solved} of ${isolated.tasks} with ${million(isolated.tokensProcessed)} tokens, one session that keeps everything ${none.solved} with ${million(none.tokensProcessed)}: ${percent(spared)} less; the tasks are independent`,
				verdict: graded(isAsGood && spared >= 0.8, isAsGood),
			};
		},
	),
	tested(`${WINDOW} 4 and 9`, "Delegation to a clean context is the most expensive step", "tasks", (runs) => {
		const [isolated, one] = runsOf(runs, "isolated", "cwl-80k") ?? [];
		const share = ratio(runs, "isolated", "cwl-80k");
		if (share === undefined || !isolated || !one) return undefined;
		return {
			figure: `a clean context for each of ${isolated.tasks} independent tasks costs ${percent(share)} of one session under \`cwl\`, with ${isolated.reexplorations} repeated look-ups instead of ${one.reexplorations}; requests of a parent are not counted`,
			verdict: graded(share > 1, false),
		};
	}),
	needsModel(
		`${WINDOW} 4`,
		"Summaries of tool results are 5 to 20 times shorter than the results",
		"a model writes the summaries; a stand-in would measure itself",
	),
	needsModel(
		`${WINDOW} 5`,
		"A client's token count misses 3 to 5 % of what the provider counts",
		"only a provider's own count shows it; the ledger is calibrated by it in a live session",
	),
	needsModel(
		`${WINDOW} 7`,
		"A judge's fidelity below .75 means that the agent loses its task",
		"a model judges; here facts in sight and facts recallable are counted instead (docs/health.md)",
	),
	needsModel(
		WINDOW,
		"Attention degrades as the window fills",
		"replay and a scripted worker cannot measure attention",
	),
];

const FADING = "faded memory";
/** Edits that differ by less than this share say nothing: a few of some hundred. */
const NOISE = 0.02;

/** Compares the first of these policies with `cwl`. */
function fadingClaim(claim: string, ...names: readonly string[]): Claim {
	return tested(FADING, claim, "fading", (figures) => {
		const rows: readonly Kept[] = keptBy(figures, "cwl", ...names) ?? [];
		const [plain, first] = rows;
		if (!plain || !first) return undefined;
		const isWorse = first.kept < plain.kept - NOISE || first.cost > plain.cost + NOISE;
		return {
			figure: rows.map(show).join(", "),
			verdict: graded(first.kept > plain.kept + NOISE && !isWorse, !isWorse),
		};
	});
}

const fadingClaims: readonly Claim[] = [
	fadingClaim(
		"Older outputs at lower detail keep more of the session than removing them",
		"cwl:fading=on",
		"cwl:fading=only",
	),
	fadingClaim(
		"A placeholder in the place of each removed output keeps more than one line for an episode",
		"cwl:fading=placeholder",
	),
	tested(FADING, "Cache-friendly: content changes only when a summary is made", "replay", (replay) => {
		const [compaction] = keptBy(replay, "compaction") ?? [];
		return (
			compaction && {
				figure: `compaction breaks the prefix ${compaction.breaks} times over all sessions`,
				verdict: "in part",
			}
		);
	}),
];

const MEMORY = "memory article";

const memoryClaims: readonly Claim[] = [
	testedOnce(
		MEMORY,
		"A tree of summary nodes (leaves of 3k tokens, fan-out 8) still answers about the past",
		"decisions",
	),
	tested(MEMORY, "A stable prefix with everything dynamic behind it saves substantially", "tasks", (runs) => {
		const [cwl, paper] = runsOf(runs, "cwl-80k", "paper-80k") ?? [];
		const cost = ratio(runs, "cwl-80k", "paper-80k");
		if (!cwl || !paper || cost === undefined) return undefined;
		return {
			figure: `${percent(cwl.cachedShare)} of the input is read from the cache under \`cwl\`, which changes the prefix in few large passes, ${percent(paper.cachedShare)} under \`paper\`; \`cwl\` costs ${percent(cost)} of it`,
			verdict: graded(cwl.cachedShare > paper.cachedShare && cost < 0.8, cost < 1),
		};
	}),
	tested(
		MEMORY,
		"A managed context has a peak of 26 to 54 % fewer tokens at over 95 % of the accuracy (ACON)",
		"tasks",
		(runs) => {
			const [none, cwl] = runsOf(runs, "none", "cwl-80k") ?? [];
			if (!none || !cwl) return undefined;
			const less = 1 - cwl.peakContext / none.peakContext;
			const isAccurate = cwl.solved >= 0.95 * none.solved;
			return {
				figure: `peak ${percent(less)} lower under \`cwl\`, by eviction and as its budget of 80k says; solved ${cwl.solved} and ${none.solved}`,
				verdict: graded(less >= 0.26 && isAccurate, isAccurate),
			};
		},
	),
	needsModel(
		MEMORY,
		"A model that succeeds at 59 minutes half of the time succeeds at 15 minutes 80 % of the time; one wrong call raises the chance of the next by 22.7 points",
		"how models succeed is not in a script",
	),
	needsModel(
		MEMORY,
		"Vectors with a graph and summaries answer 26 % better than vectors alone; plan caching costs 50 % less; AgentFold reaches 36.2 % on BrowseComp",
		"all three are shares of answers of a model",
	),
	needsModel(
		MEMORY,
		"A few thousand tokens of curated Markdown beat thousands of retrieved fragments",
		"the project memory (docs/memory.md) is such a file of at most 1,500 tokens; what a model makes of it takes a model",
	),
	needsModel(
		MEMORY,
		"After a long gap a soft resume is almost always right",
		"its first request is smaller (extensions/cwl/soft-resume.e2e.test.ts); whether it is right takes a model",
	),
	needsModel(
		MEMORY,
		"Goals in user messages are lost to compaction around turn 40",
		"a model's summary decides; user turns never leave here, and the goal is a session entry",
	),
];

export const claims: readonly Claim[] = [...paperClaims, ...windowClaims, ...fadingClaims, ...memoryClaims];
