/**
 * docs/claims.md: each claim of the sources (`claims.json`) with our figure, a verdict that follows from the kept figures, and the
 * commands of the runs. A claim names its run, and the finding below; without a finding it was tested by a program that has left
 * the tree, whose outcome is kept; without a run it takes a model.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { SearchReport } from "../search/command.ts";
import { condition, type KeptFile, policy, type ReplayFigures, readKept, type TaskFigures } from "./kept.ts";

interface Claim {
	readonly claim: string;
	readonly place: string;
	readonly run?: string;
	readonly finding?: string;
	/** With fields such as `{cwl.solved}` or `{cost:percent}`. */
	readonly figure?: string;
}

/** The fields of the claim's figure, and whether it holds as a whole, or in part. */
type Finding = readonly [fields: Readonly<Record<string, unknown>>, isWhole: boolean, isPart: boolean];

type Tasks = readonly TaskFigures[];
const cost = ({ cost: { anthropic } }: TaskFigures) => anthropic;
const ratio = (all: Tasks, name: string, base: string, of = cost) =>
	of(condition(all, name)) / of(condition(all, base));

const ofTasks: Readonly<Record<string, (all: Tasks) => Finding>> = {
	accuracy(all) {
		const [cwl, isolated] = [condition(all, "cwl-80k"), condition(all, "isolated")];
		const isAsGood = cwl.solved >= isolated.solved;
		return [{ cwl, isolated }, isAsGood && cwl.tokensProcessed >= 80e6, isAsGood];
	},
	uncapped(all) {
		const [paper, cwl] = [ratio(all, "paper-80k", "none"), ratio(all, "cwl-80k", "none")];
		const isCheaper = paper < 1 && cwl < 1;
		return [{ paper, cwl }, isCheaper && paper <= 0.8 && paper >= 0.3, isCheaper];
	},
	compaction(all) {
		const of = (name: string) => ratio(all, `${name}-80k`, "compaction-80k");
		const [paper, cwl] = [of("paper"), of("cwl")];
		return [{ paper, cwl, economy: of("cwl-economy") }, paper < 1, cwl < 1];
	},
	needless(all) {
		const [none, isolated] = [condition(all, "none"), condition(all, "isolated")];
		const spared = 1 - isolated.tokensProcessed / none.tokensProcessed;
		const isAsGood = isolated.solved >= none.solved;
		return [{ none, isolated, spared }, isAsGood && spared >= 0.8, isAsGood];
	},
	delegation(all) {
		const share = ratio(all, "isolated", "cwl-80k");
		const [isolated, cwl] = [condition(all, "isolated"), condition(all, "cwl-80k")];
		return [{ isolated, cwl, cost: share }, share > 1, false];
	},
	prefix(all) {
		const [cwl, paper] = [condition(all, "cwl-80k"), condition(all, "paper-80k")];
		const share = ratio(all, "cwl-80k", "paper-80k");
		return [{ cwl, paper, cost: share }, cwl.cachedShare > paper.cachedShare && share < 0.8, share < 1];
	},
	peak(all) {
		const [none, cwl] = [condition(all, "none"), condition(all, "cwl-80k")];
		const less = 1 - cwl.peakContext / none.peakContext;
		const isAccurate = cwl.solved >= 0.95 * none.solved;
		return [{ none, cwl, less }, less >= 0.26 && isAccurate, isAccurate];
	},
};

const ofBudgets: typeof ofTasks = {
	cost(all) {
		const [paper, cwl] = [ratio(all, "paper-120k", "paper-50k"), ratio(all, "cwl-120k", "cwl-50k")];
		return [{ paper, cwl }, paper >= 2, paper > 1];
	},
	exploration(all) {
		const [small, large] = [condition(all, "paper-50k"), condition(all, "paper-120k")];
		const grows = small.reexplorations > large.reexplorations;
		return [{ small, large }, grows && small.solved >= large.solved, grows];
	},
	time(all) {
		const time = ratio(all, "paper-50k", "paper-120k", ({ modeledSeconds }) => modeledSeconds);
		return [{ time }, time > 1.05 && time <= 2.05, time > 1];
	},
	uncapped(all) {
		const [uncapped, capped] = [condition(all, "none"), condition(all, "paper-120k")];
		const share = ratio(all, "none", "paper-120k");
		return [{ uncapped, capped, cost: share }, share > 1 && uncapped.solved <= capped.solved, false];
	},
};

/** The share of edits that a policy kept, and its cost as a share of never evicting. */
function keptBy({ policies }: ReplayFigures, name: string) {
	const [own, none] = [policy(policies, name), policy(policies, "none")];
	const costs = own.cost.anthropic / none.cost.anthropic;
	return { policy: name, kept: own.editsKept / own.editsNeeded, cost: costs, breaks: own.prefixBreaks };
}
type Kept = ReturnType<typeof keptBy>;

const ofReplay: Readonly<Record<string, (all: ReplayFigures) => Finding>> = {
	uncapped(all) {
		const paper = keptBy(all, "paper");
		const { pressed } = all.sessions;
		return [{ paper, cwl: keptBy(all, "cwl"), pressed }, paper.cost <= 0.8, paper.cost < 1];
	},
	breaks(all) {
		const [paper, compaction] = [keptBy(all, "paper"), keptBy(all, "compaction")];
		return [{ paper, compaction, cwl: keptBy(all, "cwl") }, paper.breaks > compaction.breaks, false];
	},
	worst(all) {
		const paper = keptBy(all, "paper");
		return [{ paper }, paper.cost > 1, true];
	},
};

const ofWindow: typeof ofReplay = {
	free(all) {
		const fifo = keptBy(all, "fifo");
		return [{ fifo, pressed: all.sessions.pressed }, fifo.breaks === 0, fifo.cost < 1];
	},
	hybrid(all) {
		const [hybrid, cwl] = [keptBy(all, "hybrid"), keptBy(all, "cwl")];
		const single = ["fifo", "lru", "priority", "type"].map((name) => keptBy(all, name));
		const [best = hybrid] = single.toSorted((a, b) => b.kept - a.kept || a.cost - b.cost);
		const [worst = hybrid] = single.toSorted((a, b) => a.kept - b.kept);
		return [{ hybrid, best, worst, cwl }, hybrid.kept > best.kept, hybrid.kept > worst.kept];
	},
	type(all) {
		const type = keptBy(all, "type");
		return [{ type }, type.kept >= 0.99, type.kept >= 0.8];
	},
	merging(all) {
		const [merge, without] = [keptBy(all, "semantic-merge"), keptBy(all, "priority")];
		const [isAsGood, saves] = [merge.kept >= without.kept, merge.cost < without.cost - NOISE];
		return [{ merge, without }, isAsGood && saves, isAsGood || saves];
	},
};

/** Edits and costs that differ by less than this share say nothing: a few of some hundred. */
const NOISE = 0.02;

function compareFading(all: ReplayFigures, mode: string): Finding {
	const [plain, faded] = [keptBy(all, "cwl"), keptBy(all, `cwl:fading=${mode}`)];
	const isWorse = faded.kept < plain.kept - NOISE || faded.cost > plain.cost + NOISE;
	return [{ plain, faded }, faded.kept > plain.kept + NOISE && !isWorse, !isWorse];
}

const ofFading: typeof ofReplay = {
	on: (all) => compareFading(all, "on"),
	placeholder: (all) => compareFading(all, "placeholder"),
	cache(all) {
		const [plain, faded] = [keptBy(all, "cwl"), keptBy(all, "cwl:fading=on")];
		return [{ plain, faded }, faded.breaks <= plain.breaks, faded.breaks < 2 * plain.breaks];
	},
};

function searchSavings({ bare }: Pick<SearchReport, "bare">): Finding {
	const total = (wanted: string) =>
		bare.reduce((sum, { way, tokens }) => sum + (way === wanted ? tokens : 0), 0);
	const times = (way: string) => total(way) / total("glob, grep and read");
	const chunks = times("chunked reads");
	const others = { whole: times("whole files"), shell: times("shell grep and find") };
	return [{ chunks, ...others }, chunks >= 3 && chunks <= 6, chunks >= 3];
}

/** The runs in the order of the page, with what a claim finds in their figures, which JSON does not type. */
const runs: Readonly<Record<string, Readonly<Record<string, (figures: never) => Finding>>>> = {
	...{ prompt: {}, search: { savings: searchSavings }, tasks: ofTasks, budgets: ofBudgets },
	...{ replay: ofReplay, window: ofWindow, fading: ofFading, decisions: {}, robustness: {} },
};

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const formats: Readonly<Record<string, (value: never) => string>> = {
	percent,
	change: (share: number) => `${share < 1 ? "-" : "+"}${Math.abs(100 * (share - 1)).toFixed(0)} %`,
	million: (tokens: number) => `${(tokens / 1e6).toFixed(1)}M`,
	times: (value: number) => value.toFixed(2),
	tenths: (value: number) => value.toFixed(1),
	kept: ({ policy: name, kept, cost: costs }: Kept) => `\`${name}\` ${percent(kept)} at ${percent(costs)}`,
};

function fill(text: string, fields: Readonly<Record<string, unknown>>): string {
	return text.replace(/\{(\w+)(?:\.(\w+))?(?::(\w+))?\}/g, (_, name: string, part = "", format = "") => {
		const value = part === "" ? fields[name] : Object(fields[name])[part];
		return (formats[format] ?? String)(value as never);
	});
}

/** The finding in words, and the verdict. @throws RangeError for a claim whose run does not tell */
function judge({ claim, run = "", finding, figure = "" }: Claim, { figures }: KeptFile<unknown>) {
	const find = finding === undefined ? undefined : runs[run]?.[finding];
	if (find) {
		const [fields, isWhole, isPart] = find(figures as never);
		return [fill(figure, fields), isWhole ? "reproduced" : isPart ? "in part" : "contradicted"];
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
