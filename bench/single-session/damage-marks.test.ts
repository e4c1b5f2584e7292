import { expect, test } from "vitest";
import { seededRandom } from "#core";
import type { MarkedEpisode } from "#replay";
import { damageMarks, type Fault, faults } from "./damage-marks.ts";

function episode(name: string, kind: "expl" | "act", ...dependencies: readonly string[]): MarkedEpisode {
	const first = Number(name.slice(1));
	return { name, kind, dependencies, first, end: first + 1, description: `learned ${name}` };
}

const marks = [
	episode("e1", "expl"),
	episode("a2", "act", "e1"),
	episode("e3", "expl"),
	episode("a4", "act", "e3"),
];

function damaged(fault: Fault, share: number) {
	return damageMarks(marks, fault, share, seededRandom(1));
}

test.each(faults)("%s leaves the marks alone at a share of 0", (fault) => {
	expect(damaged(fault, 0)).toEqual(marks);
});

test("flipped marks change their kind, and an act that declared one of them loses that dependency", () => {
	expect(damaged("flipped", 1).map(({ kind }) => kind)).toEqual(["act", "expl", "act", "expl"]);
	expect(damaged("flipped", 1).flatMap(({ dependencies }) => dependencies)).toEqual([]);
});

test("dependencies are dropped, or joined by one that the act has nothing to do with", () => {
	expect(damaged("dependencies-dropped", 1).map(({ dependencies }) => dependencies)).toEqual([
		[],
		[],
		[],
		[],
	]);
	expect(damaged("dependencies-invented", 1)[3]?.dependencies).toEqual(["e3", "e1"]);
	expect(damaged("dependencies-invented", 1)[1]?.dependencies).toEqual(["e1"]);
});

test("an episode that never ends takes in the ones after it", () => {
	expect(damaged("never-ended", 1)).toEqual([{ ...marks[0], end: 5 }]);
});

test("a reused name is one of an earlier episode", () => {
	const names = damaged("name-reused", 1).map(({ name }) => name);
	expect(names[1]).toBe("e1");
	expect(new Set(names).size).toBeLessThan(marks.length);
});

test("unmarked episodes are gone, about as many as the share says", () => {
	expect(damaged("unmarked", 1)).toEqual([]);
	const many = Array.from({ length: 1_000 }, (_, index) => episode(`e${index}`, "expl"));
	const left = damageMarks(many, "unmarked", 0.2, seededRandom(2)).length;
	expect(left).toBeGreaterThan(750);
	expect(left).toBeLessThan(850);
});
