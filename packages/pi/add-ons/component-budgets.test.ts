import { expect, test } from "vitest";
import { defaultSettings } from "../settings/load-settings.ts";
import { formatValue, readValue } from "../settings/schema.ts";
import { componentBudgetLayer } from "./component-budgets.ts";

const read = (raw: unknown) => readValue("componentBudgets", raw);
const written = (raw: unknown) =>
	formatValue("componentBudgets", { ...defaultSettings, componentBudgets: read(raw) });

test("a profile has soft and hard limits for six components that add up to the budget; hard limits alone make room", () => {
	for (const profile of ["coding", "research", "review"]) {
		expect(written(profile)).toBe(profile);
		const limits = Object.values(read(profile));
		expect(limits).toHaveLength(6);
		expect(limits.reduce((sum, { hard }) => sum + hard, 0)).toBeCloseTo(1);
		for (const { soft, hard } of limits) expect(soft).toBeCloseTo(0.8 * hard);
	}
	const memory = { soft: 0.08, hard: 0.1 };
	expect(read({ memory: 0.1 })).toMatchObject({ memory });
	expect(componentBudgetLayer(read({ memory: 0.1 }))).toBeDefined();
	expect(componentBudgetLayer(read({ memory: 1 }))).toBeUndefined();
});

test.each([
	["off", "off"],
	[{}, "system=0.2/1,tools=0.2/1"],
	[{ tools: { soft: 0.1 } }, "system=0.2/1,tools=0.1/1"],
	[
		{ toolResults: { soft: 0.1, hard: 0.4 }, memory: 0.1 },
		"system=0.2/1,tools=0.2/1,toolResults=0.1/0.4,memory=0.08/0.1",
	],
])(
	"%j is %s: prompt and tools have a soft limit by default, and a number is a hard limit",
	(value, budgets) => {
		expect(written(value)).toBe(budgets);
	},
);

test("limits of one's own replace those of the profile, in files and variables", () => {
	const own = { soft: 0.1, hard: 0.4 };
	const mixed = { ...read("coding"), toolResults: own };
	expect(read({ profile: "coding", toolResults: own })).toEqual(mixed);
	expect(read("profile=coding, toolResults=0.1/0.4")).toEqual(mixed);
});

test.each([
	[
		{ histroy: 0.2 },
		'histroy is 0.2: it is no component; use any of system, tools, history, toolResults, memory, output. Did you mean "history"?',
	],
	[
		{ toolResults: { soft: 0.5, hard: 0.3 } },
		'toolResults is {"soft":0.5,"hard":0.3}: soft is above hard; use a hard limit above 0 and up to 1 (none)',
	],
	[
		{ profile: "reviwe", memory: 0.1 },
		'profile is "reviwe": use one of coding, research, review. Did you mean "review"?',
	],
	[{ profile: "coding", toolResults: "much" }, 'toolResults is "much": use a hard limit above 0'],
	[{ memory: { hard: 0.1 } }, 'memory is {"hard":0.1}: use a hard limit above 0'],
	[{ system: 0 }, "system is 0: use a hard limit above 0"],
])("%j is refused with the part that is wrong and what is allowed", (value, problem) => {
	expect(() => read(value)).toThrow(`componentBudgets.${problem}`);
});
