import { expect, test } from "vitest";
import { policyNames } from "../session/live-policies.ts";
import { createSettingsFiles, load, type MoreSources } from "../test-support/settings-files.ts";
import { formatBudget } from "./budget.ts";
import { defaultSettings, describeSettings } from "./load-settings.ts";
import { readValue } from "./schema.ts";

test("without any settings the defaults are in force", () => {
	const loaded = load(createSettingsFiles());
	expect(loaded).toEqual({
		settings: defaultSettings,
		origins: {
			enabled: "default",
			budget: "default",
			attentionCap: "default",
			policy: "default",
			lowWater: "default",
			goal: "default",
			zones: "default",
			zoneActions: "default",
			limits: "default",
			componentBudgets: "default",
			fading: "default",
			outputLimits: "default",
			memory: "default",
			otlpEndpoint: "default",
		},
		problems: [],
	});
	expect(policyNames()).toContain(defaultSettings.policy);
});

test("each layer goes over the ones below it, and says where its value came from", () => {
	const files = createSettingsFiles();
	const budgets: [string, string][] = [];
	const see = (more?: MoreSources) => {
		const { settings, origins, problems } = load(files, more);
		expect(problems).toEqual([]);
		budgets.push([formatBudget(settings.budget), origins.budget]);
	};
	files.writeGlobal('{"theme": "dark", "cwl": {"budget": "10k"}}');
	see();
	files.writeProject('{"cwl": {"budget": 20000}}');
	see();
	const environment = { CWL_BUDGET: "30k" };
	see({ environment });
	const flags = { budget: "40k" };
	see({ environment, flags });
	see({ environment, flags, steering: { budget: "50%" } });
	expect(budgets).toEqual([
		["10k", `${files.globalFile}: cwl.budget`],
		["20k", `${files.projectFile}: cwl.budget`],
		["30k", "environment CWL_BUDGET"],
		["40k", "flag --cwl-budget"],
		["50%", "command /cwl budget"],
	]);
});

test("a layer changes only what it names", () => {
	const files = createSettingsFiles();
	files.writeGlobal('{"cwl": {"enabled": false}}');
	files.writeProject('{"cwl": {"budget": "20k"}}');
	const { settings, origins } = load(files, { environment: { CWL_POLICY: "paper" } });
	expect(settings).toEqual({
		...defaultSettings,
		...{ enabled: false, budget: { type: "tokens", tokens: 20_000 }, policy: "paper" },
	});
	expect(origins).toEqual({
		enabled: `${files.globalFile}: cwl.enabled`,
		budget: `${files.projectFile}: cwl.budget`,
		attentionCap: "default",
		policy: "environment CWL_POLICY",
		lowWater: "default",
		goal: "default",
		zones: "default",
		zoneActions: "default",
		limits: "default",
		componentBudgets: "default",
		fading: "default",
		outputLimits: "default",
		memory: "default",
		otlpEndpoint: "default",
	});
});

test("a flag or variable that is absent or empty is no value", () => {
	const files = createSettingsFiles();
	const { settings, problems } = load(files, {
		environment: { CWL_BUDGET: "", CWL_POLICY: undefined },
		flags: { budget: undefined },
		steering: {},
	});
	expect(settings).toEqual(defaultSettings);
	expect(problems).toEqual([]);
});

test.each([
	["true", true],
	["1", true],
	["on", true],
	["false", false],
	["0", false],
	["off", false],
])("CWL_ENABLED=%s is understood", (value, enabled) => {
	expect(load(createSettingsFiles(), { environment: { CWL_ENABLED: value } }).settings.enabled).toBe(enabled);
});

test("the defaults stay what they are, whatever is loaded", () => {
	const before = structuredClone(defaultSettings);
	load(createSettingsFiles(), { flags: { budget: "10k", policy: "paper" }, steering: { enabled: false } });
	expect(defaultSettings).toEqual(before);
});

test("a policy is read by its name", () => {
	for (const name of policyNames()) expect(readValue("policy", name)).toBe(name);
	expect(() => readValue("policy", "Paper")).toThrow(/policy is "Paper": use one of .*paper/);
});

test("settings are described as people write them", () => {
	expect(describeSettings(defaultSettings)).toEqual({
		enabled: String(defaultSettings.enabled),
		budget: formatBudget(defaultSettings.budget),
		attentionCap: "160k",
		policy: defaultSettings.policy,
		lowWater: "balanced",
		goal: "none",
		zones: "0.5,0.75,0.9",
		zoneActions: "yellow=nothing,orange=nothing,red=nothing",
		limits: Object.entries(defaultSettings.limits)
			.map((limit) => limit.join("="))
			.join(","),
		componentBudgets: "off",
		fading: "off",
		outputLimits: "off",
		memory: "false",
		otlpEndpoint: "none",
	});
	expect(Object.keys(describeSettings(defaultSettings))).toEqual(Object.keys(defaultSettings));
});

test.each([
	["economy", 0.35],
	["quality", 0.82],
	["0.6", 0.6],
])("CWL_LOW_WATER=%s stops a pass at that share of the budget", (value, share) => {
	const { settings, problems } = load(createSettingsFiles(), { environment: { CWL_LOW_WATER: value } });
	expect([settings.lowWater, problems]).toEqual([share, []]);
});

test("zones and limits mean the same in a file and in the environment, and unnamed limits keep their default", () => {
	const files = createSettingsFiles();
	files.writeGlobal('{"cwl": {"zones": [0.4, 0.6, 0.8], "limits": {"tools": 0.05, "act": 0.5}}}');
	const inFile = load(files);
	const environment = { CWL_ZONES: "0.4,0.6,0.8", CWL_LIMITS: "tools=0.05, act=0.5" };
	const inEnvironment = load(createSettingsFiles(), { environment });
	expect([inFile.problems, inEnvironment.problems]).toEqual([[], []]);
	expect(inFile.settings).toEqual(inEnvironment.settings);
	expect(inFile.settings.zones).toEqual([0.4, 0.6, 0.8]);
	expect(inFile.settings.limits).toEqual({ ...defaultSettings.limits, tools: 0.05, act: 0.5 });
});

test("zones and limits are read back from how they are shown", () => {
	const shown = describeSettings(defaultSettings);
	const environment = { CWL_ZONES: shown.zones, CWL_LIMITS: shown.limits };
	expect(load(createSettingsFiles(), { environment }).settings).toEqual(defaultSettings);
});
