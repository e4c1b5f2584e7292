/** Tables of README.md and docs. Each is behind a comment such as `<!-- table: hard -->`. */
import { markdownTable } from "#replay/report";
import { type Columns, cellsOf, type Row, taskColumns } from "../arms.ts";
import { dollars } from "../figures.ts";
import { claims } from "./claims.ts";
import { type Kept, keptFile, rowOf } from "./kept.ts";
import { figureAt, fillFigures, renderFigures } from "./text.ts";

interface Table {
	/** The kept files, the first of which says when and how the table was made. */
	readonly files: readonly string[];
	/** Head and body. */
	readonly rows: (kept: Kept) => readonly (readonly string[])[];
}

const { solved, cost, calls, minutes } = taskColumns;
const usual: Columns = { solved, cost, calls, minutes };

/** Rows of a table: those of one kept file. */
interface Part {
	readonly file: string;
	/** The names of its rows that are shown; all if left out. */
	readonly only?: RegExp;
	/** The name of a row as a reader sees it. */
	readonly label?: (name: string) => string;
	/** The files in which the same row has longer answers, the first that has it. */
	readonly longer?: readonly string[];
}

/** A row for each condition, with `more` of the same condition with longer answers. */
const taskTable = (head: string, columns: Columns, parts: readonly Part[], more: Columns = {}): Table => ({
	files: [...new Set(parts.flatMap(({ file, longer = [] }) => [file, ...longer]))],
	rows(kept) {
		const rowsIn = (file: string) => Object.entries(kept.get(file)?.rows ?? {});
		const rows = parts.flatMap(({ file, only = /^/, label = String, longer = [] }) => {
			const shown = rowsIn(file).filter(([name]) => only.test(name));
			return shown.map(([name, row]) => {
				const other = longer.map((each) => kept.get(each)?.rows[name]).find((each) => each !== undefined);
				const added = Object.values(more).map((cell) => (other ? cell(other) : ""));
				return [label(name), ...cellsOf(columns, row), ...added];
			});
		});
		const added = Object.keys(more).map((column) => `${column}, +300`);
		return [[head, ...Object.keys(columns), ...added], ...rows];
	},
});

/** One row for each condition: with the worker's own answers, and with answers of the recorded length. */
const conditions = (columns: Columns, ...files: readonly string[]): Table => {
	// The text says how many tasks the other summaries solve.
	const parts = files.map((file) => ({
		file,
		only: /^(?!compaction-(full|lossy|inventing))/,
		longer: [`${file}-300`],
	}));
	return taskTable("condition", columns, parts, { solved, cost });
};

const range = ({ costLow = 0, costHigh = 0 }: Row) => `${dollars(costLow)}–${dollars(costHigh)}`;

const share = (value: number) => (100 * value).toFixed(1);

/** The figures of recorded sessions as tables show them: cost as a share of no eviction, the others in percent. */
const recordedRows: readonly (readonly [name: string, label: string])[] = [
	["cost", "cost"],
	["charged", "with looks"],
	["looks", "looks, %"],
	["edits", "edits, %"],
	["own", "own text, %"],
	["names", "rare names, %"],
	["conclusions", "conclusions, %"],
	["thinking", "thinking, %"],
];

const isShare = (name: string): boolean => name === "cost" || name === "charged";

/** A recorded figure with its 95 % interval; ≈ where it is no different from compaction. */
export function recordedCell(row: Row, name: string): string {
	const { [name]: value, [`${name}Low`]: low, [`${name}High`]: high } = row;
	if (value === undefined) return "";
	const exact = isShare(name) ? value.toFixed(3) : share(value);
	if (low === undefined || high === undefined) return exact;
	const show = (end: number) => (isShare(name) ? end.toFixed(2) : (100 * end).toFixed(0));
	const mark = describeDifference(row, name).endsWith(SAME) ? " ≈" : "";
	return `${exact} (${show(low)}–${show(high)})${mark}`;
}

const SAME = "no difference";

/** The 95 % interval of the difference from compaction, which is none where the interval holds 0. */
function describeDifference(row: Row, name: string): string {
	const { [`${name}MoreLow`]: low, [`${name}MoreHigh`]: high } = row;
	if (low === undefined || high === undefined) return "";
	const show = (end: number) => (isShare(name) ? end.toFixed(2) : share(end));
	const verdict = low > 0 ? "more" : high < 0 ? "less" : SAME;
	return `${show(low)} to ${show(high)}: ${verdict}`;
}

/** A table with its head. */
const table = (
	files: readonly string[],
	head: readonly string[],
	body: (kept: Kept) => readonly (readonly string[])[],
): Table => ({ files, rows: (kept) => [head, ...body(kept)] });

/** The kept files have more. */
const SHOWN = ["compaction", "paper", "cwl"];

/** A row for each figure, and a column for each policy. */
const recordedTable = (file: string): Table =>
	table([file], ["", ...SHOWN, "cwl against compaction"], (kept) =>
		recordedRows.map(([name, label]) => [
			label,
			...SHOWN.map((policy) => recordedCell(rowOf(kept, file, policy), name)),
			describeDifference(rowOf(kept, file, "cwl"), name),
		]),
	);

const dialRows = recordedRows.slice(0, 4);
const dialFiles = ["recorded-auto", "recorded-2026"];

/** Less cost against fewer second looks: the three settings of `lowWater`. */
const dials = table(dialFiles, ["sessions, `lowWater`", ...dialRows.map(([, label]) => label)], (kept) =>
	dialFiles.flatMap((file) =>
		["economy", "balanced", "quality"].map((dial) => {
			const row = rowOf(kept, file, dial === "balanced" ? "cwl" : `cwl-${dial}`);
			return [`${file}, ${dial}`, ...dialRows.map(([name]) => recordedCell(row, name))];
		}),
	),
);

const priceFiles = ["recorded-sonnet", "recorded-auto", "recorded-fable"];
const against = "against compaction";

/** `cwl` and what it is against compaction, at three prices of a cached read. */
const prices = table(priceFiles, ["prices of", "cost", against, "edits kept, %", against], (kept) =>
	priceFiles.map((file) => {
		const row = rowOf(kept, file, "cwl");
		const cells = ["cost", "edits"].flatMap((name) => [
			recordedCell(row, name).replace(" ≈", ""),
			describeDifference(row, name),
		]);
		return [keptFile(kept, file).prices.split("/").at(-1) ?? "", ...cells];
	}),
);

/** With the worker's own answers and with longer ones; kinds without longer ones cost about what intact marks do. */
const marks = taskTable(
	"marks, % damaged",
	usual,
	[
		{ file: "hard", only: /^cwl-80k$/, label: () => "intact", longer: ["hard-300"] },
		{
			file: "marks",
			label: (name) => name.slice("cwl-".length, -"-80k".length),
			longer: ["marks-300", "hard-300"],
		},
	],
	{ cost },
);

/** Sessions of several seeds, and those with longer answers. */
const seeds = taskTable("condition", { solved, cost, range, calls, minutes }, [
	{ file: "hard-seeds" },
	{ file: "hard-300-seeds", label: (name) => `${name}, +300` },
]);

const answerFiles = ["hard", "hard-300", "hard-1000"];

/** The ratio of `cwl` to compaction by the length of the answers. */
const answers = table(answerFiles, ["cost", "added 0", "300", "1,000"], (kept) =>
	["cwl-80k", "cwl-unmarked-100-80k"].flatMap((condition) =>
		["compaction-24k", "compaction-40k", "compaction-80k"].map((base) => [
			`${condition} / ${base}`,
			...answerFiles.map((file) => figureAt(kept, `${file}:${condition}/${base}.cost`).toFixed(2)),
		]),
	),
);

/** The rows of the first table, and their names in the kept files. */
const OVERVIEW = [
	["no eviction", "none"],
	["pi's compaction at its best size, {hard-300:best}", "compaction-best"],
	["pi's compaction at CWL's default budget, 160k", "compaction-160k"],
	["the paper's algorithm at 80k, with our `recall`", "paper-80k"],
	["the best other extension, pi-vcc 0.2.2, at 40k", "pi-vcc-40k"],
	["**CWL** as installed, the model marks its work", "cwl-auto"],
	["**CWL** as installed, the model marks nothing", "cwl-unmarked-100-auto"],
	["a new session for each task", "isolated"],
] as const;

const overviewColumns: Columns = { "tasks solved": solved, cost, "model calls": calls, minutes };

/** Answers of recorded length; the last column has the cost with the worker's own short answers. */
const overview = table(
	["hard-300", "hard", "peers-hard-300", "peers-hard"],
	["", ...Object.keys(overviewColumns), "cost with short answers"],
	(kept) =>
		OVERVIEW.map(([label, name]) => {
			const from = name.startsWith("pi-") ? "peers-hard" : "hard";
			const cells = cellsOf(overviewColumns, rowOf(kept, `${from}-300`, name));
			return [fillFigures(kept, label), ...cells, cost(rowOf(kept, from, name))];
		}),
);

export const pages: Readonly<Record<string, Readonly<Record<string, Table>>>> = {
	"README.md": { overview },
	"docs/claims.md": { claims },
	"docs/decisions.md": {},
	"docs/how-it-decides.md": {},
	"docs/results.md": {
		hard: conditions(taskColumns, "hard", "peers-hard"),
		seeds,
		answers,
		normal: conditions(usual, "normal"),
		"follow-ups": conditions(usual, "follow-ups"),
		marks,
		peers: taskTable("extension", taskColumns, [{ file: "peers" }]),
		commits: taskTable("repository and condition", usual, [{ file: "commits" }]),
		"recorded-auto": recordedTable("recorded-auto"),
		"recorded-2026": recordedTable("recorded-2026"),
		dials,
		prices,
		"recorded-80k": recordedTable("recorded-80k"),
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
		const block = new RegExp(`<!-- table: ${name} -->\n\n\\|[\\s\\S]*?\n\n.*\n`);
		if (!block.test(text))
			throw new RangeError(`no place for the table ${name}: write <!-- table: ${name} -->.`);
		const lines = [...markdownTable(table.rows(kept)), "", describeSource(kept, table, engine)];
		text = text.replace(block, () => `<!-- table: ${name} -->\n\n${lines.join("\n")}\n`);
	}
	return text;
}

/** Says which files a table is made of, by which command, when, and what of it an earlier engine made. */
function describeSource(kept: Kept, { files }: Table, engine: string): string {
	const made = new Map<string, Set<string>>();
	for (const name of files) {
		const { date, commit, engine: own, rows } = keptFile(kept, name);
		// Rows of other extensions alone do not depend on this engine.
		const isOld = own !== engine && Object.keys(rows).some((row) => !row.startsWith("pi-"));
		const commits = made.get(date) ?? new Set();
		made.set(date, commits.add(`${commit}${isOld ? " (engine changed since)" : ""}`));
	}
	const names = files.map((name) => `\`${name}.json\``).join(", ");
	const days = [...made].map(([date, commits]) => `${date}, commit ${[...commits].join(", ")}`);
	return `${names}: ${days.join("; ")}.`;
}
