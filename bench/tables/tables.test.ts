import { execFileSync } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Row } from "../arms.ts";
import CLAIMS from "./claims.json" with { type: "json" };
import { judge } from "./claims.ts";
import { fingerprintEngine } from "./engine.ts";
import { bestCompaction, type Kept, type KeptFile, readKept } from "./kept.ts";
import { pages, renderPage } from "./pages.ts";
import { runs } from "./runs.ts";
import { fillFigures, MARKED, renderFigures } from "./text.ts";

const PROJECT = join(import.meta.dirname, "../..");
const readPage = (path: string) => readFile(join(PROJECT, path), "utf8");
const HOW =
	"a table or figure differs from its kept file, or the engine decides differently: npm run bench -- tables --only none";

test("each table and figure is made of kept figures, and says so when the engine has changed since", async () => {
	const engine = await fingerprintEngine();
	const kept = await readKept();
	for (const [path, tables] of Object.entries(pages)) {
		const page = await readPage(path);
		expect(page, HOW).toBe(renderPage(page, tables, kept, engine));
	}
});

test("every kept file is made by a run, or from rehearsals with other extensions", async () => {
	const kept = [...(await readKept())].filter(([, { command }]) => !command.includes(" --arms peer "));
	expect(kept.map(([name]) => name).toSorted()).toEqual(runs.toSorted());
});

const git = (...args: readonly string[]): string =>
	execFileSync("git", args, { cwd: PROJECT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

test("each commit that a page or a kept file names is in the repository", async ({ skip }) => {
	skip(git("rev-parse", "--is-shallow-repository").trim() === "true", "this clone has no history");
	const docs = (await readdir(join(PROJECT, "docs"))).filter((name) => name.endsWith(".md"));
	const paths = ["README.md", "CHANGELOG.md", "bench/README.md", ...docs.map((name) => `docs/${name}`)];
	const texts = await Promise.all(paths.map(readPage));
	const named = texts.flatMap((text) => [...text.matchAll(/\bcommits? `?([0-9a-f]{7,40})\b/g)]);
	const kept = [...(await readKept()).values()].map(({ commit }) => commit.replace("+", ""));
	const commits = [...new Set([...named.map(([, commit = ""]) => commit), ...kept])];
	const missing = commits.filter((commit) => !isCommit(commit));
	expect(missing).toEqual([]);
});

function isCommit(name: string): boolean {
	try {
		git("cat-file", "-e", `${name}^{commit}`);
		return true;
	} catch {
		return false;
	}
}

/** A measured amount: dollars, or a share in percent. */
const AMOUNT = /\$\d[\d.,]*|\d[\d.,]*(?: to \d[\d.,]*)? %/g;
/** A paragraph that says when it was measured is history. */
const DATED = /\b20\d\d-\d\d-\d\d\b|\bcommit [0-9a-f]{7}/;

/** The dollars and percentages of a page that no kept file makes and no date explains, each with the words before it. */
function listLooseFigures(page: string): readonly string[] {
	const prose = page
		.replace(/```[\s\S]*?```/g, "")
		.replace(/^\|.*$/gm, "")
		.replace(MARKED, "")
		.replace(/<!--[\s\S]*?-->/g, "")
		.replace(/`[^`\n]*`/g, "");
	const parts = prose.split(/\n\s*\n|\n(?=[-*] )/).filter((part) => !DATED.test(part));
	return parts.flatMap((part) =>
		[...part.matchAll(AMOUNT)].map(
			({ 0: found, index }) => `${part.slice(Math.max(0, index - 40), index)}${found}`,
		),
	);
}

test.each(["README.md", "docs/results.md", "docs/evidence.md", "docs/decisions.md"])(
	"%s has no dollars or percentages in prose that neither a kept file makes nor a date explains",
	async (path) => expect(listLooseFigures(await readPage(path))).toEqual([]),
);

test("docs/how-it-decides.md, whose percentages are constants, has no dollars of that kind", async () => {
	const loose = listLooseFigures(await readPage("docs/how-it-decides.md"));
	expect(loose.filter((figure) => /\$[\d.,]+$/.test(figure))).toEqual([]);
});

test("a loose figure is found, and a generated one, one of a table, of code and of a dated paragraph is not", () => {
	const page = [
		"It costs $6.30 and 33 to 47 % less.",
		"<!-- {hard:cwl-80k.cost:dollars} -->$6.28<!-- --> is generated, `50 %` a setting.",
		"| $1.00 | 2 % |",
		"It cost $9.00 on 2026-11-25.",
	].join("\n\n");
	expect(listLooseFigures(page)).toEqual(["It costs $6.30", "It costs $6.30 and 33 to 47 %"]);
});

const about = { date: "2026-11-28", commit: "0000000", command: "", engine: "", prices: "" };
const machine = { cpu: "", cores: 2, memory: 1, system: "", node: "" };
const keep = (rows: Readonly<Record<string, Row>>): KeptFile => ({ ...about, machine, rows });

test("a figure, a ratio and compaction at its best size are looked up, and what is not there is an error", () => {
	const kept: Kept = new Map([
		[
			"hard",
			keep({
				"compaction-24k": { solved: 70, cost: 5 },
				"compaction-40k": { solved: 73, cost: 7 },
				"compaction-80k": { solved: 76, cost: 9 },
				"compaction-full-40k": { solved: 76, cost: 1 },
				"cwl-80k": { solved: 88, cost: 6 },
			}),
		],
	]);
	expect(bestCompaction(kept.get("hard")?.rows ?? {})).toBe("compaction-40k");
	const text = "{hard:cwl-80k.cost:dollars}, {hard:cwl-80k/compaction-best.cost:percent}, {hard:best}";
	expect(fillFigures(kept, text)).toBe("$6.00, 86 %, 40k");
	expect(renderFigures(kept, "<!-- {hard:cwl-80k.cost:dollars} -->$5.99<!-- -->")).toBe(
		"<!-- {hard:cwl-80k.cost:dollars} -->$6.00<!-- -->",
	);
	expect(() => fillFigures(kept, "{hard:paper-80k.cost}")).toThrow("the kept figures have no hard:paper-80k");
});

/** The kept figures with every value of some rows drawn anew. */
function shake(kept: Kept, draw: () => number): Kept {
	const shakeRow = (row: Row) =>
		Object.fromEntries(Object.entries(row).map(([key, value]) => [key, value * draw()]));
	return new Map(
		[...kept].map(([name, file]) => {
			const rows = Object.entries(file.rows).map(([row, values]) => [row, shakeRow(values)]);
			return [name, { ...file, rows: Object.fromEntries(rows) }];
		}),
	);
}

test("other figures change the verdict of every claim", async () => {
	const kept = await readKept();
	let state = 1;
	/** Between 0.02 and 50, the same on each machine. */
	const draw = () => {
		state = (state * 48_271) % 2_147_483_647;
		return 50 ** ((2 * state) / 2_147_483_647 - 1);
	};
	const shaken = [kept, ...Array.from({ length: 200 }, () => shake(kept, draw))];
	for (const each of CLAIMS) {
		const verdicts = new Set(shaken.map((figures) => judge(figures, each)));
		expect([each.claim, verdicts.size > 1]).toEqual([each.claim, true]);
	}
});
