import { expect, test } from "vitest";
import { createSettingsFiles, load } from "../test-support/settings-files.ts";
import { hardLimits } from "./components.ts";
import { formatValue, readValue } from "./schema.ts";

/** The setting as it is in force with this value in the project's file, and what was wrong with it. */
function loadBudgets(value: unknown) {
	const files = createSettingsFiles();
	files.writeProject(JSON.stringify({ cwl: { componentBudgets: value } }));
	const { settings, problems } = load(files);
	return {
		budgets: formatValue("componentBudgets", settings),
		problems: problems.map((problem) => problem.replace(`${files.projectFile}: `, "")),
	};
}

test("a profile has soft and hard limits for six components that add up to the budget; hard limits alone make room", () => {
	for (const profile of ["coding", "research", "review"]) {
		expect(loadBudgets(profile)).toEqual({ budgets: profile, problems: [] });
		const limits = Object.values(readValue("componentBudgets", profile));
		expect(limits).toHaveLength(6);
		expect(limits.reduce((sum, { hard }) => sum + hard, 0)).toBeCloseTo(1);
		for (const { soft, hard } of limits) expect(soft).toBeCloseTo(0.8 * hard);
	}
	const memory = { soft: 0.08, hard: 0.1 };
	expect(hardLimits(readValue("componentBudgets", { memory: 0.1 }))).toEqual({ memory });
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
		expect(loadBudgets(value)).toEqual({ budgets, problems: [] });
	},
);

test("limits of one's own replace those of the profile, in files and variables", () => {
	const mixed = { ...readValue("componentBudgets", "coding"), toolResults: { soft: 0.1, hard: 0.4 } };
	const given = { profile: "coding", toolResults: { soft: 0.1, hard: 0.4 } };
	expect(readValue("componentBudgets", given)).toEqual(mixed);
	const environment = { CWL_COMPONENT_BUDGETS: "profile=coding, toolResults=0.1/0.4" };
	const { settings, problems } = load(createSettingsFiles(), { environment });
	expect([settings.componentBudgets, problems]).toEqual([mixed, []]);
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
	const { budgets, problems } = loadBudgets(value);
	expect(budgets).toBe("system=0.2/1,tools=0.2/1");
	expect(problems).toEqual([expect.stringContaining(`cwl.componentBudgets: componentBudgets.${problem}`)]);
});
