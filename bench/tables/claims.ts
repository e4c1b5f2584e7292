/** Claims of the sources (`claims.json`), each with conditions on kept figures that give its verdict. */
import CLAIMS from "./claims.json" with { type: "json" };
import type { Kept } from "./kept.ts";
import { figureAt, fillFigures } from "./text.ts";

const VERDICTS = ["reproduced", "in part", "contradicted"] as const;
type Verdict = (typeof VERDICTS)[number];

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
export function judge(kept: Kept, { whole, part }: (typeof CLAIMS)[number]): Verdict {
	if (whole.every((condition) => holds(kept, condition))) return "reproduced";
	return part.some((condition) => holds(kept, condition)) ? "in part" : "contradicted";
}

/** The table of docs/claims.md. */
export const claims = {
	files: ["normal", "budgets", "recorded-80k", "hard", "marks"],
	rows(kept: Kept) {
		const verdicts = CLAIMS.map((claim) => judge(kept, claim));
		const rows = CLAIMS.map(({ claim, place, figure }, index) => {
			return [claim, place, fillFigures(kept, figure), verdicts[index] ?? ""];
		});
		const counts = VERDICTS.map((one) => `${verdicts.filter((verdict) => verdict === one).length} ${one}`);
		return [["claim", "place", "our figure", "verdict"], ...rows, ["all", "", "", counts.join(", ")]];
	},
};
