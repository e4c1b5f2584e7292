/**
 * docs/claims.md: each claim of the sources (`claims.json`) with our figure, a verdict that follows from the kept figures, and the
 * commands of the runs. A claim names its run and the conditions of its verdict; without conditions it was tested by a program that
 * has left the tree, whose outcome is kept; without a run it takes a model.
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
	/**
	 * When the claim holds as a whole, and when in part: `cwl-80k/none.cost < 1 && cwl-80k.solved >= 80`, also with `||`. Figures
	 * that differ by less than 2 % say nothing.
	 */
	readonly whole?: string;
	readonly part?: string;
	/** With values such as `{cwl-80k.solved}`, `{paper-80k/none.cost:percent}` (a ratio of two costs) or `{cwl:kept}`. */
	readonly figure?: string;
}

/** The figures of a run by what they are of: a condition, a policy, a way of working. */
type Figures = Readonly<Record<string, object>>;

/** The value of a figure such as `cwl-80k.solved`, or of a ratio such as `cwl-80k/none.cost`. */
type Value = (path: string) => number;

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

/** The runs in the order of the page, each with the type of its program's figures, which JSON does not tell. */
const runs: Readonly<Record<string, (figures: never) => Figures>> = {
	...{ prompt: Object, search: waysByName, tasks: tasksByName, budgets: tasksByName },
	...{ replay: policiesByName, window: policiesByName, fading: policiesByName },
	...{ decisions: Object, robustness: Object },
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

const comparisons: Readonly<Record<string, (a: number, b: number) => boolean>> = {
	"<": (a, b) => a < b,
	"<=": (a, b) => a <= b,
	">": (a, b) => a > b,
	">=": (a, b) => a >= b,
};

/** @throws RangeError for a condition that is no comparison, or whose figure is missing */
function holds(condition: string, v: Value): boolean {
	return condition.split(" || ").some((all) =>
		all.split(" && ").every((each) => {
			const [, path = "", sign = "", limit] = /^(.+) ([<>]=?) ([\d.e]+)$/.exec(each) ?? [];
			const compare = comparisons[sign];
			if (compare) return compare(v(path), Number(limit));
			throw new RangeError(`${each} is no comparison of a figure with a number.`);
		}),
	);
}

/** The finding in words, and the verdict. @throws RangeError for a claim whose run does not tell */
function judge({ claim, run = "", whole, part, figure = "" }: Claim, file: KeptFile<unknown>) {
	const figures = (runs[run] ?? Object)(file.figures as never);
	const v = valuesOf(figures);
	if (whole !== undefined) {
		const isPart = part !== undefined && holds(part, v);
		return [fill(figure, figures), holds(whole, v) ? "reproduced" : isPart ? "in part" : "contradicted"];
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
