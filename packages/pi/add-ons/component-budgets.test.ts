import { expect, test } from "vitest";
import { defaultSettings } from "../settings/load-settings.ts";
import { formatValue, readValue } from "../settings/schema.ts";
import { componentBudgetLayer } from "./component-budgets.ts";
import examples from "./component-budgets-examples.json" with { type: "json" };

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
	expect(read("memory=0.1")).toMatchObject({ memory });
	expect(componentBudgetLayer(read("memory=0.1"))).toBeDefined();
	expect(componentBudgetLayer(read("memory=1"))).toBeUndefined();
});

test.each(examples.written)(
	"$value is $budgets: prompt and tools have a soft limit by default, and one number is a hard limit",
	({ value, budgets }) => {
		expect(written(value)).toBe(budgets);
	},
);

test("limits of one's own replace those of the profile", () => {
	const mixed = { ...read("coding"), toolResults: { soft: 0.1, hard: 0.4 } };
	expect(read("coding, toolResults=0.1/0.4")).toEqual(mixed);
});

test.each(examples.refused)("%s is refused with what is allowed", (value) => {
	expect(() => read(value)).toThrow(
		`componentBudgets is "${value}": use off, one of coding, research, review`,
	);
});

test("a component that is mistyped is named with the likely one", () => {
	expect(() => read("histroy=0.2")).toThrow(
		'componentBudgets.histroy is no component: use any of system, tools, history, toolResults, memory, output. Did you mean "history"?',
	);
});
