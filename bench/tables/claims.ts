/**
 * docs/claims.md: claims of the sources (`claims.json`), each with conditions on kept figures that give its verdict. What was tested once,
 * by a program that has left the tree, has its date; what takes a model is a list.
 */
import CLAIMS from "./claims.json" with { type: "json" };
import type { Kept } from "./kept.ts";
import { figureAt, fillFigures } from "./text.ts";

type Verdict = "reproduced" | "in part" | "contradicted";

const tests: Readonly<Record<string, (value: number, limit: number) => boolean>> = {
	"<": (value, limit) => value < limit,
	"<=": (value, limit) => value <= limit,
	">": (value, limit) => value > limit,
	">=": (value, limit) => value >= limit,
};

/** A condition such as `normal:isolated/cwl-80k.cost > 1.02`, whose limit may be a multiple of another figure. @throws RangeError */
function holds(kept: Kept, condition: string): boolean {
	const [path = "", sign = "", factor, base] = condition.split(" ");
	const test = tests[sign];
	if (!test) throw new RangeError(`${condition}: use one of ${Object.keys(tests).join(", ")}.`);
	return test(figureAt(kept, path), Number(factor) * (base === undefined ? 1 : figureAt(kept, base)));
}

/** Reproduced where all conditions hold, in part where one of those for a part does. Figures that differ by less than 2 % are the same. */
export function judge(kept: Kept, { whole, part }: (typeof CLAIMS.judged)[number]): Verdict {
	if (whole.every((condition) => holds(kept, condition))) return "reproduced";
	return part.some((condition) => holds(kept, condition)) ? "in part" : "contradicted";
}

/** The page as Markdown. Ends with a newline. */
export function formatClaims(kept: Kept): string {
	const { judged, tested, open } = CLAIMS;
	const verdicts = judged.map((each) => judge(kept, each));
	const count = (wanted: Verdict) => verdicts.filter((verdict) => verdict === wanted).length;
	const rows = judged.map(
		({ claim, place, figure }, index) =>
			`| ${claim} | ${place} | ${fillFigures(kept, figure)} | ${verdicts[index]} |`,
	);
	const files = [...new Set(judged.flatMap(({ figure }) => figure.match(/(?<=\{)[\w-]+(?=:)/g) ?? []))];
	const runs = files.map((name) => `${kept.get(name)?.date}, commit ${kept.get(name)?.commit}`);
	return [
		"# What the sources claim, and what we measure",
		"",
		`${judged.length} claims are judged by the kept figures: ${count("reproduced")} reproduced, ${count("in part")} in part, ${count("contradicted")} contradicted. Their conditions are in \`bench/tables/claims.json\`.`,
		"",
		"Places: sections of the paper (Semenov and Dorofeev, *Beyond Compaction*, 2026); W, an article on context windows; M, one on agent memory; F, a page on faded memory.",
		"",
		"| claim | place | our figure | verdict |",
		"|---|---|---|---|",
		...rows,
		"",
		`Runs: ${[...new Set(runs)].join("; ")} (bench/results: ${files.join(", ")}).`,
		"",
		"Tested once, 2026-11-21 to 25:",
		"",
		...tested.map((claim) => `- ${claim}`),
		"",
		"Only a real model can decide:",
		"",
		...open.map((claim) => `- ${claim}`),
		"",
	].join("\n");
}
