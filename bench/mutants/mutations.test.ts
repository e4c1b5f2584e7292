import { expect, test } from "vitest";
import { applyMutation, mutationsOf } from "./mutations.ts";

const source = `import { a } from "./a.ts";
function f(x: 1 | 2): boolean {
	a(x);
	if (x < 2 && x !== 1) return true;
	return x + 1 === 2;
}`;

test("operators are flipped, conditions negated, literals changed and statements removed, one at a time", () => {
	const lines = mutationsOf(source).map((mutation) => {
		const mutant = applyMutation(source, mutation).split("\n");
		return mutant.filter((line, index) => line !== source.split("\n")[index]).map((line) => line.trim());
	});
	expect(lines.flat()).toEqual([
		";",
		"if (!(x < 2 && x !== 1)) return true;",
		"if (x <= 2 && x !== 1) return true;",
		"if (x < 3 && x !== 1) return true;",
		"if (x < 2 || x !== 1) return true;",
		"if (x < 2 && x === 1) return true;",
		"if (x < 2 && x !== 2) return true;",
		"if (x < 2 && x !== 1) return false;",
		"return x - 1 === 2;",
		"return x + 2 === 2;",
		"return x + 1 !== 2;",
		"return x + 1 === 3;",
	]);
});
