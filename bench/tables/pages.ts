/** Tables of README.md and docs/results.md. Each is behind a comment such as `<!-- table: hard -->`. */
import { markdownTable } from "#replay/report";
import { type Columns, cellsOf, type Row, taskColumns } from "../arms.ts";
import { dollars, percent } from "../figures.ts";
import { type Kept, rowOf } from "./kept.ts";
import { fillFigures, renderFigures } from "./text.ts";

interface Table {
	/** The kept files, the first of which says when and how the table was made. */
	readonly files: readonly string[];
	/** Head and body. */
	readonly rows: (kept: Kept) => readonly (readonly string[])[];
}

const { solved, cost, calls, minutes, "largest request": largest } = taskColumns;

const nameRows = (kept: Kept, file: string) => Object.entries(kept.get(file)?.rows ?? {});

/** One row for each condition: with the worker's own answers, and with answers of the recorded length. */
function taskTable(name: string): Table {
	const longer = `${name}-300`;
	const more: Columns = { solved, cost };
	return {
		files: [name, longer],
		rows(kept) {
			const others = kept.get(longer)?.rows ?? {};
			const rows = nameRows(kept, name).map(([condition, row]) => {
				const other = others[condition];
				return [condition, ...cellsOf(taskColumns, row), ...(other ? cellsOf(more, other) : ["", ""])];
			});
			const added = Object.keys(more).map((column) => `${column}, +300`);
			return [["condition", ...Object.keys(taskColumns), ...added], ...rows];
		},
	};
}

const share = (value = Number.NaN) => (100 * value).toFixed(1);

/** A 95 % interval in brackets; empty without one. */
const between = (
	low: number | null | undefined,
	high: number | null | undefined,
	show: (value: number) => string,
) => (low && high ? ` (${show(low)} to ${show(high)})` : "");

const replayColumns: Columns = {
	cost: ({ cost: ratio = 0, costLow, costHigh }) =>
		`${ratio.toFixed(3)}${between(costLow, costHigh, (value) => value.toFixed(2))}`,
	looks: ({ looks }) => String(looks),
	"charged cost": ({ charged = 0 }) => charged.toFixed(3),
	"sessions above 1.02": ({ dearer }) => String(dearer),
	"edits kept, %": ({ edits, editsLow, editsHigh }) =>
		`${share(edits)}${between(editsLow, editsHigh, (value) => (100 * value).toFixed(0))}`,
	"own text": ({ own }) => share(own),
	"rare names": ({ names }) => share(names),
	conclusions: ({ conclusions }) => share(conclusions),
	"thinking readable": ({ thinking }) => share(thinking),
};

/** Cost as a share of no eviction. */
const replayTable = (...files: readonly string[]): Table => ({
	files,
	rows(kept) {
		const rows = files.flatMap((file) =>
			nameRows(kept, file).flatMap(([policy, row]) => {
				if (policy === "sessions" || policy === "none") return [];
				if (files.length > 1 && policy !== "cwl") return [];
				const prices = files.length > 1 ? [(kept.get(file)?.prices ?? "").split("/").at(-1) ?? ""] : [];
				return [[...prices, policy, ...cellsOf(replayColumns, row)]];
			}),
		);
		const head = ["policy", ...Object.keys(replayColumns)];
		return [files.length > 1 ? ["prices of", ...head] : head, ...rows];
	},
});

/** Compared with compaction under two budgets, with the worker's own answers and with longer ones. */
const marks: Table = {
	files: ["marks", "marks-300", "hard", "hard-300"],
	rows(kept) {
		const own = rowOf(kept, "hard", "cwl-80k");
		const damaged = nameRows(kept, "marks").map(
			([name, row]) => [name.slice("cwl-".length, -"-80k".length), row] as const,
		);
		const rows = [["intact", own] as const, ...damaged].map(([name, row]) => {
			const condition = name === "intact" ? "cwl-80k" : `cwl-${name}-80k`;
			const long = kept.get("marks-300")?.rows[condition] ?? kept.get("hard-300")?.rows[condition];
			const against = (file: string, base: string, value: Row) =>
				percent((value.cost ?? 0) / (rowOf(kept, file, base).cost ?? Number.NaN));
			return [
				name,
				solved(row),
				cost(row),
				calls(row),
				against("hard", "compaction-80k", row),
				long ? cost(long) : "",
				long ? against("hard-300", "compaction-80k", long) : "",
			];
		});
		const costs = ["of compaction at 80k", "cost, +300", "of compaction at 80k, +300"];
		return [["marks, % damaged", "solved", "cost", "calls", ...costs], ...rows];
	},
};

const chains: Table = {
	files: ["commits"],
	rows(kept) {
		const rows = nameRows(kept, "commits").map(([name, row]) => {
			const [repository = "", condition = ""] = name.split(" ");
			const compaction = rowOf(kept, "commits", `${repository} compaction-80k`).cost ?? Number.NaN;
			const compared = percent((row.cost ?? 0) / compaction);
			return [
				repository,
				condition,
				solved(row),
				cost(row),
				compared,
				calls(row),
				minutes(row),
				largest(row),
				String(row.reads),
			];
		});
		const head = ["repository", "condition", "commits", "cost", "of compaction at 80k", "calls", "minutes"];
		return [[...head, "largest request", "files read"], ...rows];
	},
};

/** Both lengths of answers over five seeds, with the range of the costs. */
const seeds: Table = {
	files: ["hard-seeds", "hard-300-seeds"],
	rows(kept) {
		const rows = seeds.files.flatMap((file) =>
			nameRows(kept, file).map(([name, row]) => {
				const { costLow = 0, costHigh = 0 } = row;
				const range = `${dollars(costLow)} to ${dollars(costHigh)}`;
				return [
					name,
					file === "hard-seeds" ? "0" : "300",
					solved(row),
					cost(row),
					range,
					calls(row),
					minutes(row),
				];
			}),
		);
		return [["condition", "added", "solved", "cost", "range", "calls", "minutes"], ...rows];
	},
};

/** The ratio of `cwl` to compaction by the length of the answers. */
const answers: Table = {
	files: ["hard", "hard-300", "hard-1000"],
	rows(kept) {
		const rows = ["cwl-80k", "cwl-unmarked-100-80k"].flatMap((condition) =>
			["compaction-24k", "compaction-40k", "compaction-80k"].map((base) => {
				const ratios = answers.files.map((file) => {
					const value = rowOf(kept, file, condition).cost ?? Number.NaN;
					return (value / (rowOf(kept, file, base).cost ?? Number.NaN)).toFixed(2);
				});
				return [`${condition} / ${base}`, ...ratios];
			}),
		);
		return [["cost", "added 0", "300", "1,000"], ...rows];
	},
};

/** Other extensions, measured in the real pi. */
const peers: Table = {
	files: ["peers"],
	rows(kept) {
		const rows = nameRows(kept, "peers").map(([name, row]) => [
			name,
			...cellsOf(
				{ solved, cost, calls, summaries: ({ summaries }) => String(summaries), "largest request": largest },
				row,
			),
		]);
		return [["extension", "solved", "cost", "calls", "summaries", "largest request"], ...rows];
	},
};

/** The rows of the first table, and their names in the kept files. */
const OVERVIEW = [
	["no eviction", "none"],
	["pi's compaction at its best size, {hard-300:best}", "compaction-best"],
	["pi's compaction at 80k", "compaction-80k"],
	["the algorithm of the paper, with our `recall`", "paper-80k"],
	["**CWL**, the model marks its work", "cwl-80k"],
	["**CWL**, the model marks nothing", "cwl-unmarked-100-80k"],
	["a new session for each task", "isolated"],
] as const;

/** Answers of recorded length; the last column has the cost with the worker's own short answers. */
const overview: Table = {
	files: ["hard-300", "hard"],
	rows(kept) {
		const columns: Columns = { "tasks solved": solved, cost, "model calls": calls, minutes };
		const rows = OVERVIEW.map(([label, name]) => {
			const cells = cellsOf(columns, rowOf(kept, "hard-300", name));
			return [fillFigures(kept, label), ...cells, cost(rowOf(kept, "hard", name))];
		});
		return [["", ...Object.keys(columns), "cost with short answers"], ...rows];
	},
};

export const pages: Readonly<Record<string, Readonly<Record<string, Table>>>> = {
	"README.md": { overview },
	"docs/decisions.md": {},
	"docs/how-it-decides.md": {},
	"docs/results.md": {
		hard: taskTable("hard"),
		seeds,
		answers,
		normal: taskTable("normal"),
		"follow-ups": taskTable("follow-ups"),
		marks,
		peers,
		commits: chains,
		"recorded-auto": replayTable("recorded-auto"),
		"recorded-2026": replayTable("recorded-2026"),
		prices: replayTable("recorded-sonnet", "recorded-auto", "recorded-fable"),
		"recorded-80k": replayTable("recorded-80k"),
	},
};

/** A page with its tables and its figures in prose made from the kept files. A table that another engine made says so. */
export function renderPage(
	page: string,
	tables: Readonly<Record<string, Table>>,
	kept: Kept,
	engine: string,
) {
	let text = renderFigures(kept, page);
	for (const [name, table] of Object.entries(tables)) {
		const block = new RegExp(`<!-- table: ${name} -->\n[\\s\\S]*?\n\n\\|[\\s\\S]*?\n(?!\\|)`);
		if (!block.test(text))
			throw new RangeError(`no place for the table ${name}: write <!-- table: ${name} -->.`);
		const lines = [describeSource(kept, table, engine), "", ...markdownTable(table.rows(kept))];
		text = text.replace(block, () => `<!-- table: ${name} -->\n${lines.join("\n")}\n`);
	}
	return text;
}

/** Says which files a table is made of, by which command, when, and what of it an earlier engine made. */
function describeSource(kept: Kept, { files }: Table, engine: string): string {
	const made = files.map((name) => {
		const file = kept.get(name);
		if (!file) throw new RangeError(`there is no kept file ${name}.`);
		return `${file.date}, commit ${file.commit}${file.engine === engine ? "" : " (engine changed since)"}`;
	});
	const names = files.map((name) => `\`bench/results/${name}.json\``).join(", ");
	return `From ${names}: ${[...new Set(made)].join("; ")}.`;
}
