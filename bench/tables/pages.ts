/** The tables of README.md and docs/results.md that kept figures make. Each stands behind a comment such as `<!-- table: hard -->`. */
import { markdownTable } from "#replay/report";
import { type ChainReport, tabulateChains } from "../commits/command.ts";
import { dollars, percent, thousands, withSpread } from "../figures.ts";
import { named, type PolicyFigures, type ReplayFigures, readKept, type TaskFigures } from "./kept.ts";

interface Table {
	/** The kept files, the first of which says when and how the table was made. */
	readonly files: readonly string[];
	/** Head and body. */
	readonly rows: () => Promise<readonly (readonly string[])[]>;
}

const tasksOf = async (name: string) => (await readKept<readonly TaskFigures[]>(name)).figures;
const policiesOf = async (name: string) => (await readKept<ReplayFigures>(name)).figures.policies;
const chainsOf = async () => (await readKept<readonly ChainReport[]>("commits")).figures;

const taskTable = (name: string): Table => ({
	files: [name],
	async rows() {
		const all = await tasksOf(name);
		const rows = all.map(({ tasks, spread, ...one }) => [
			...[one.name, `${withSpread(one.solved, spread.solved)} of ${tasks}`, thousands(one.peakContext)],
			...[withSpread(one.reexplorations, spread.reexplorations), dollars(one.cost.anthropic)],
		]);
		return [["condition", "solved", "largest request", "read again", "cost"], ...rows];
	},
});

const keptOf = ({ editsKept, editsNeeded, kept }: PolicyFigures) =>
	[editsKept / editsNeeded, kept.across, kept.own, kept.names, kept.conclusions, kept.thinking].map((share) =>
		(100 * share).toFixed(1),
	);
const KEPT = ["edits kept, %", "across user turns", "own text"].concat(
	...["rare names", "conclusions", "thinking readable"],
);

/** Cost as a share of no eviction and of compaction at the same budget. */
const replayTable = (name: string): Table => ({
	files: [name],
	async rows() {
		const all = await policiesOf(name);
		const compaction = named(all, "compaction").costComparedToNone;
		const rows = all.map((one) => [
			...[one.policy, String(one.overBudget), String(one.passes), one.costComparedToNone.toFixed(3)],
			...[(one.costComparedToNone / compaction).toFixed(2), ...keptOf(one)],
		]);
		return [
			["policy", "over budget", "passes", "cost compared with no eviction", "with compaction", ...KEPT],
			...rows,
		];
	},
});

const priced = {
	sonnet: "claude-sonnet-4-6 | .1",
	opus: "claude-opus-5-5 | .05",
	fable: "claude-fable-5-1 | .025",
};

const prices: Table = {
	files: Object.keys(priced).map((model) => `recorded-${model}`),
	async rows() {
		const rows = Object.entries(priced).map(async ([model, label]) => {
			const cwl = named(await policiesOf(`recorded-${model}`), "cwl");
			return [...label.split(" | "), cwl.costComparedToNone.toFixed(3), String(cwl.dearer), ...keptOf(cwl)];
		});
		const head = ["model", "a read costs", "cost compared with no eviction", "sessions above 1.02", ...KEPT];
		return [head, ...(await Promise.all(rows))];
	},
};

/** `cwl`; the same without seams, since under `quality` the budget alone makes passes; and Algorithm 1. */
const damaged = { marks: "cwl", "marks-quality": "cwl-quality", "marks-paper": "paper" };

const marks: Table = {
	files: Object.keys(damaged),
	async rows() {
		const [cwl = [], ...others] = await Promise.all(Object.keys(damaged).map(tasksOf));
		const names = Object.values(damaged);
		const cells = (figures: readonly TaskFigures[], name: string, damage: string) => {
			const one = named(figures, `${name}${damage}-80k`);
			const share = percent(one.cost.anthropic / named(figures, `${name}-80k`).cost.anthropic);
			return [String(one.solved), `${dollars(one.cost.anthropic)} (${share})`];
		};
		const rows = cwl.map(({ name, reexplorations }) => {
			const damage = name.slice("cwl".length, -"-80k".length);
			const row = [cwl, ...others].flatMap((figures, at) => cells(figures, names[at] ?? "", damage));
			return [damage.slice(1) || "intact", ...row, reexplorations.toFixed(0)];
		});
		const head = ["marks, % damaged", ...names.flatMap((name) => [`${name}: solved`, "cost"])];
		return [[...head, "cwl: read again"], ...rows];
	},
};

const chains: Table = { files: ["commits"], rows: async () => tabulateChains(await chainsOf()) };

/** The name of a row, and its name in the kept figures. */
const OVERVIEW = [
	["no eviction", "none", "none"],
	["pi's own compaction", "compaction-80k", "compaction"],
	["the algorithm of the paper that CWL is from (`paper`), with our `recall`", "paper-80k", "paper"],
	["**CWL**", "cwl-80k", "cwl"],
	["a new session for each task", "isolated", ""],
] as const;

const overview: Table = {
	files: ["hard", "commits", "recorded-80k"],
	async rows() {
		const hard = await tasksOf("hard");
		const [fastify] = await chainsOf();
		const recorded = await policiesOf("recorded-80k");
		const rows = OVERVIEW.map(([label, name, policy]) => {
			const { solved, cost, peakContext } = named(hard, name);
			const made = named(fastify?.runs ?? [], name);
			const kept = policy === "" ? undefined : named(recorded, policy);
			return [
				...[label, `${solved.toFixed(0)}, ${dollars(cost.anthropic)}, ${thousands(peakContext)}`],
				dollars(made.cost.anthropic),
				kept ? `${percent(kept.costComparedToNone)}, ${percent(kept.editsKept / kept.editsNeeded, 1)}` : "",
			];
		});
		return [
			[
				...["", "89 hard tasks in one session: solved, cost, largest request", "60 commits of fastify: cost"],
				"55 recorded sessions without marks: cost, edits whose text was still in the request",
			],
			...rows,
		];
	},
};

export const pages: Readonly<Record<string, Readonly<Record<string, Table>>>> = {
	"README.md": { overview },
	"docs/results.md": {
		"recorded-auto": replayTable("recorded-auto"),
		prices,
		"recorded-80k": replayTable("recorded-80k"),
		tasks: taskTable("tasks"),
		hard: taskTable("hard"),
		"follow-ups": taskTable("follow-ups"),
		marks,
		commits: chains,
	},
};

/** A page with its tables made anew. A table that another engine made says so. `engine`: the fingerprint of today's. */
export async function renderPage(page: string, tables: Readonly<Record<string, Table>>, engine: string) {
	let text = page;
	for (const [name, table] of Object.entries(tables)) {
		const block = new RegExp(`<!-- table: ${name} -->\n[^]*?\n\n\\|[^]*?\n(?!\\|)`);
		if (!block.test(text))
			throw new RangeError(`no place for the table ${name}: write <!-- table: ${name} -->.`);
		const lines = [await describeSource(table, engine), "", ...markdownTable(await table.rows())];
		text = text.replace(block, () => `<!-- table: ${name} -->\n${lines.join("\n")}\n`);
	}
	return text;
}

/** Says which files a table is made of, by which command, when, and what of it an earlier engine made. */
async function describeSource({ files }: Table, engine: string): Promise<string> {
	const kept = await Promise.all(files.map((name) => readKept<unknown>(name)));
	const made = kept.map((file) => {
		const isOld = file.engine !== engine;
		return `${file.date}, commit ${file.commit}${isOld ? " (engine changed since)" : ""}`;
	});
	const names = files.map((name) => `\`bench/results/${name}.json\``).join(", ");
	const [first] = kept;
	const command = files.length === 1 && first ? `\`${shorten(first.command)}\`, ` : "";
	return `From ${names}: ${command}${[...new Set(made)].join("; ")}.`;
}

const shorten = (command: string) =>
	command.replace("npm run --silent bench", "npm run bench").replaceAll(/ --(json|no-times)/g, "");
