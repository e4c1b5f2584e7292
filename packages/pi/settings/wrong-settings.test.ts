import { expect, test } from "vitest";
import { policyNames } from "../session/live-policies.ts";
import { createSettingsFiles, load } from "../test-support/settings-files.ts";
import { defaultSettings } from "./load-settings.ts";
import examples from "./wrong-examples.json" with { type: "json" };

test.each([
	...examples,
	...["mru", "toString"].map((policy) => ({
		key: "policy",
		value: JSON.stringify(policy),
		remedy: `use one of ${policyNames().join(", ")}`,
	})),
])("cwl.$key: $value keeps the value below and names place, value and remedy", ({ key, value, remedy }) => {
	const files = createSettingsFiles();
	files.writeGlobal('{"cwl": {"budget": "10k", "enabled": false, "policy": "paper"}}');
	const below = load(files);
	files.writeProject(`{"cwl": {"${key}": ${value}}}`);
	const { settings, origins, problems } = load(files);
	expect({ settings, origins }).toEqual({ settings: below.settings, origins: below.origins });
	expect(problems).toHaveLength(1);
	for (const part of [`${files.projectFile}: cwl.${key}: `, `${key} is ${value}`, remedy]) {
		expect(problems[0]).toContain(part);
	}
});

test("every wrong value is named, in every layer, and the good ones count", () => {
	const files = createSettingsFiles();
	files.writeGlobal('{"cwl": {"budget": "x", "policy": "y", "enabled": false}}');
	const { settings, problems } = load(files, {
		environment: { CWL_BUDGET: "z" },
		flags: { policy: true },
		steering: { budget: 3 },
	});
	expect(settings).toEqual({ ...defaultSettings, enabled: false });
	expect(problems.map((problem) => problem.split(" is ")[0])).toEqual([
		`${files.globalFile}: cwl.budget: budget`,
		`${files.globalFile}: cwl.policy: policy`,
		"environment CWL_BUDGET: budget",
		"flag --cwl-policy: policy",
		"command /cwl settings budget: budget",
	]);
});

test("keys and variables that look like mistyped ones of ours are named with the likely one", () => {
	const files = createSettingsFiles();
	files.writeProject('{"cwl": {"budgett": "10k"}}');
	const environment = { CWL_BUGDET: "10k", CWL_SOMETHING_ELSE: "1", XCWL_BUDGET: "10k" };
	const { settings, problems } = load(files, { environment });
	expect(settings).toEqual(defaultSettings);
	const known = Object.keys(defaultSettings).map((key) => `cwl.${key}`);
	expect(problems.toSorted()).toEqual([
		`${files.projectFile}: cwl.budgett is unknown; did you mean cwl.budget? Known are ${known.join(", ")}.`,
		"environment CWL_BUGDET is unknown; did you mean CWL_BUDGET?",
	]);
});

test("keys that name prototypes change nothing", () => {
	const files = createSettingsFiles();
	files.writeGlobal('{"__proto__": {"cwl": {"budget": "10k"}}}');
	files.writeProject('{"cwl": {"__proto__": {"budget": "10k"}, "constructor": {"prototype": {}}}}');
	const { settings, problems } = load(files);
	expect(settings).toEqual(defaultSettings);
	expect(problems.map((problem) => problem.split(" is ")[0])).toEqual([
		`${files.projectFile}: cwl.__proto__`,
		`${files.projectFile}: cwl.constructor`,
	]);
});

test("values nested without end are named as any other wrong value", () => {
	const nested = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
	const files = createSettingsFiles();
	for (const key of Object.keys(defaultSettings)) {
		for (const value of [nested, `{"a": ${nested}}`, `{"tools": ${nested}, "red": ${nested}}`]) {
			files.writeGlobal(`{"cwl": {"${key}": ${value}}}`);
			const { settings, problems } = load(files);
			expect(settings).toEqual(defaultSettings);
			expect(problems).toEqual([expect.stringMatching(/ is a value nested too deep: /)]);
		}
	}
	files.writeGlobal(`{"cwl": ${nested}}`);
	expect(load(files).problems).toEqual([
		expect.stringMatching(/cwl is a value nested too deep: use an object/),
	]);
});
