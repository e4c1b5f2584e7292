/**
 * docs/claims.md: each claim of the sources (`claims.json`) with our figure, a verdict that follows from the kept figures, and the
 * commands of the runs. A claim names its run, and the finding below; without a finding it was tested by a program that has left
 * the tree, whose outcome is kept; without a run it takes a model.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { sum } from "#replay/recording";
import { millions, percent } from "../figures.ts";
import type { SearchReport } from "../search/command.ts";
import { type KeptFile, type ReplayFigures, readKept, type TaskFigures } from "./kept.ts";

interface Claim {
	readonly claim: string;
	readonly place: string;
	readonly run?: string;
	readonly finding?: string;
	/** With values such as `{cwl-80k.solved}`, `{paper-80k/none.cost:percent}` (a ratio of two costs) or `{cwl:kept}`. */
	readonly figure?: string;
}

/** The figures of a run by what they are of: a condition, a policy, a way of working. */
type Figures = Readonly<Record<string, object>>;

/** The value of a figure such as `cwl-80k.solved`, or of a ratio such as `cwl-80k/none.cost`. */
type Value = (path: string) => number;

/** Returns true if the claim holds as a whole, and if it holds in part. */
type Finding = (v: Value) => readonly [isWhole: boolean, isPart: boolean];
type Findings = Readonly<Record<string, Finding>>;

const ofTasks: Findings = {
	accuracy(v) {
		const isAsGood = v("cwl-80k.solved") >= v("isolated.solved");
		return [isAsGood && v("cwl-80k.tokensProcessed") >= 80e6, isAsGood];
	},
	uncapped(v) {
		const paper = v("paper-80k/none.cost");
		const isCheaper = paper < 1 && v("cwl-80k/none.cost") < 1;
		return [isCheaper && paper <= 0.8 && paper >= 0.3, isCheaper];
	},
	compaction: (v) => [v("paper-80k/compaction-80k.cost") < 1, v("cwl-80k/compaction-80k.cost") < 1],
	needless(v) {
		const isAsGood = v("isolated.solved") >= v("none.solved");
		return [isAsGood && v("isolated/none.tokensProcessed") <= 0.2, isAsGood];
	},
	delegation: (v) => [v("isolated/cwl-80k.cost") > 1, false],
	prefix(v) {
		const share = v("cwl-80k/paper-80k.cost");
		return [v("cwl-80k/paper-80k.cachedShare") > 1 && share < 0.8, share < 1];
	},
	peak(v) {
		const isAccurate = v("cwl-80k/none.solved") >= 0.95;
		return [isAccurate && v("cwl-80k/none.peakContext") <= 0.74, isAccurate];
	},
};

const ofBudgets: Findings = {
	cost: (v) => [v("paper-120k/paper-50k.cost") >= 2, v("paper-120k/paper-50k.cost") > 1],
	exploration(v) {
		const grows = v("paper-50k/paper-120k.reexplorations") > 1;
		return [grows && v("paper-50k/paper-120k.solved") >= 1, grows];
	},
	time(v) {
		const time = v("paper-50k/paper-120k.modeledSeconds");
		return [time > 1.05 && time <= 2.05, time > 1];
	},
	uncapped: (v) => [v("none/paper-120k.cost") > 1 && v("none/paper-120k.solved") <= 1, false],
};

const ofReplay: Findings = {
	uncapped: (v) => [v("paper.cost") <= 0.8, v("paper.cost") < 1],
	breaks: (v) => [v("paper/compaction.breaks") > 1, false],
	worst: (v) => [v("paper.cost") > 1, true],
};

/** Edits and costs that differ by less than this share say nothing: a few of some hundred. */
const NOISE = 0.02;

const ofWindow: Findings = {
	free: (v) => [v("fifo.breaks") === 0, v("fifo.cost") < 1],
	hybrid: (v) => [v("hybrid/best.kept") > 1, v("hybrid/worst.kept") > 1],
	type: (v) => [v("type.kept") >= 0.99, v("type.kept") >= 0.8],
	merging(v) {
		const isAsGood = v("semantic-merge/priority.kept") >= 1;
		const saves = v("semantic-merge.cost") < v("priority.cost") - NOISE;
		return [isAsGood && saves, isAsGood || saves];
	},
};

const compareFading =
	(faded: string): Finding =>
	(v) => {
		const [kept, cost] = [v(`${faded}.kept`) - v("cwl.kept"), v(`${faded}.cost`) - v("cwl.cost")];
		const isWorse = kept < -NOISE || cost > NOISE;
		return [kept > NOISE && !isWorse, !isWorse];
	};

const ofFading: Findings = {
	on: compareFading("cwl:fading=on"),
	placeholder: compareFading("cwl:fading=placeholder"),
	cache: (v) => [v("cwl:fading=on/cwl.breaks") <= 1, v("cwl:fading=on/cwl.breaks") < 2],
};

const ofSearch: Findings = {
	savings(v) {
		const times = v("chunked reads/glob, grep and read.tokens");
		return [times >= 3 && times <= 6, times >= 3];
	},
};

const tasksByName = (all: readonly TaskFigures[]): Figures =>
	Object.fromEntries(all.map(({ name, cost, ...one }) => [name, { ...one, cost: cost.anthropic }]));

/** With the share of edits that a policy kept, its cost as a share of never evicting, and the best and the worst of the single policies. */
function policiesByName({ policies, sessions }: ReplayFigures): Figures {
	const none = policies.find(({ policy }) => policy === "none")?.cost.anthropic ?? Number.NaN;
	const all = policies.map(({ policy, editsKept, editsNeeded, cost, prefixBreaks: breaks }) => {
		return { policy, kept: editsKept / editsNeeded, cost: cost.anthropic / none, breaks };
	});
	const single = all.filter(({ policy }) => /^(fifo|lru|priority|type)$/.test(policy));
	const [best = {}] = single.toSorted((a, b) => b.kept - a.kept || a.cost - b.cost);
	const [worst = {}] = single.toSorted((a, b) => a.kept - b.kept);
	return { ...Object.fromEntries(all.map((one) => [one.policy, one])), sessions, best, worst };
}

function waysByName({ bare }: Pick<SearchReport, "bare">): Figures {
	const total = (wanted: string) => sum(bare.map(({ way, tokens }) => (way === wanted ? tokens : 0)));
	return Object.fromEntries(bare.map(({ way }) => [way, { tokens: total(way) }]));
}

/** The runs in the order of the page. The figures of each have the type of its program, which JSON does not tell. */
const runs: Readonly<Record<string, readonly [(figures: never) => Figures, Findings]>> = {
	...{ prompt: [Object, {}], search: [waysByName, ofSearch] },
	...{ tasks: [tasksByName, ofTasks], budgets: [tasksByName, ofBudgets] },
	...{ replay: [policiesByName, ofReplay], window: [policiesByName, ofWindow] },
	...{ fading: [policiesByName, ofFading], decisions: [Object, {}], robustness: [Object, {}] },
};

const formats: Readonly<Record<string, (value: number) => string>> = {
	percent: (share) => percent(share, 1),
	saved: (share) => percent(1 - share, 1),
	change: (share) => `${share < 1 ? "-" : "+"}${percent(Math.abs(share - 1))}`,
	million: millions,
	times: (value) => value.toFixed(2),
	tenths: (value) => value.toFixed(1),
};

/** @throws RangeError naming what the figures lack */
function valuesOf(figures: Figures): Value {
	return (path) => {
		const [, names = "", field = ""] = /^(.*)\.(\w+)$/.exec(path) ?? [];
		const [one, base = 1] = names
			.split("/")
			.map((name) => Number(new Map(Object.entries(figures[name] ?? {})).get(field)));
		const value = Number(one) / base;
		if (Number.isNaN(value)) throw new RangeError(`the kept figures have no ${path}.`);
		return value;
	};
}

function fill(text: string, figures: Figures): string {
	const v = valuesOf(figures);
	return text.replace(/\{([^{}]+?)(?::(\w+))?\}/g, (_, path: string, format = "") => {
		if (format !== "kept") return (formats[format] ?? String)(v(path));
		const { policy } = Object(figures[path]);
		return `\`${policy}\` ${percent(v(`${path}.kept`), 1)} at ${percent(v(`${path}.cost`), 1)}`;
	});
}

/** The finding in words, and the verdict. @throws RangeError for a claim whose run does not tell */
function judge({ claim, run = "", finding = "", figure = "" }: Claim, file: KeptFile<unknown>) {
	const [tabulate = Object, findings = {}] = runs[run] ?? [];
	const figures = tabulate(file.figures as never);
	const find = findings[finding];
	if (find) {
		const [isWhole, isPart] = find(valuesOf(figures));
		return [fill(figure, figures), isWhole ? "reproduced" : isPart ? "in part" : "contradicted"];
	}
	const kept = Object(figures)[claim];
	if (!kept) throw new RangeError(`${run}.json has no finding for ${JSON.stringify(claim)}.`);
	return [kept.figure, kept.verdict];
}

/** The page as Markdown, of these claims if named. Ends with a newline. */
export async function formatClaims(read: typeof readKept<unknown> = readKept): Promise<string> {
	const text = await readFile(join(import.meta.dirname, "claims.json"), "utf8");
	const claims: readonly Claim[] = JSON.parse(text);
	const files = new Map(
		await Promise.all(Object.keys(runs).map(async (name) => [name, await read(name)] as const)),
	);
	const rows = claims.flatMap((each) => {
		const file = files.get(each.run ?? "");
		return file ? [[each.claim, each.place, ...judge(each, file), each.run]] : [];
	});
	const open = claims.filter(({ run }) => run === undefined);
	const count = (verdict: string) => rows.filter((row) => row.at(-2) === verdict).length;
	const machines = [...files.values()].map(({ machine: { cpu, cores, node } }) => {
		return `${cpu}, ${cores} cores, Node ${node}`;
	});
	return [
		"# What the sources claim, and what we measure",
		"",
		`${claims.length} claims: ${count("reproduced")} reproduced, ${count("in part")} in part, ${count("contradicted")} contradicted, ${open.length} that no run without a model can decide.`,
		"",
		"Made by `npm run bench -- tables --only none` from the runs below; no figure is typed. Sources: the paper (Semenov and Dorofeev,",
		"*Beyond Compaction*, 2026), an article on context windows, one on agent memory, and a page on faded memory. A scripted worker that",
		"knows only what each request holds does the tasks. In a replay, `90.4 % at 46.4 %` means the edits kept at this share of the cost of never evicting.",
		"",
		"| claim | where | our figure | verdict | run |",
		"|---|---|---|---|---|",
		...rows.map((row) => `| ${row.join(" | ")} |`),
		"",
		"## What only a model can decide",
		"",
		...open.map(({ claim, place, figure }) => `- ${claim} (${place})${figure ? `: ${figure}` : ""}`),
		"",
		"## The runs",
		"",
		...new Set(machines),
		"",
		"| run | command | date | commit |",
		"|---|---|---|---|",
		...[...files].map(([name, { command, date, commit }]) => {
			return `| ${name} | \`${command}\` | ${date} | ${commit} |`;
		}),
		"",
	].join("\n");
}
