import { mkdirSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { policyNames } from "../session/policies.ts";
import { createSettingsFiles, load, type MoreSources } from "../test-support/settings-files.ts";
import { formatBudget } from "./budget.ts";
import { defaultSettings, describeSettings } from "./load-settings.ts";
import { readValue } from "./schema.ts";
import { agentDirectory } from "./settings-files.ts";

test("without any settings the defaults are in force", () => {
	const loaded = load(createSettingsFiles());
	expect(loaded).toEqual({
		settings: defaultSettings,
		origins: {
			enabled: "default",
			budget: "default",
			policy: "default",
			lowWater: "default",
			goal: "default",
			zones: "default",
			limits: "default",
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
		policy: "environment CWL_POLICY",
		lowWater: "default",
		goal: "default",
		zones: "default",
		limits: "default",
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

test.each([
	["budget", '"80kb"', "use tokens"],
	["budget", "12", "at least"],
	["budget", "null", "use tokens"],
	["budget", '{"toString":1}', "use tokens"],
	["enabled", '"yes"', "use true or false"],
	["enabled", "1", "use true or false"],
	["lowWater", '"low"', "use economy, balanced, quality, or a share of the budget from 0.3 to 0.9"],
	["lowWater", "1.2", "use economy"],
	["lowWater", "0", "use economy"],
	["zones", "[0.5,0.75]", "three rising shares"],
	["zones", "[0.5,0.5,0.9]", "three rising shares"],
	["zones", "[0,0.5,1.1]", "three rising shares"],
	["zones", '"a,b,c"', "such as [0.5, 0.75, 0.9]"],
	["limits", '{"tool":0.2}', "any of system, tools, prologue, user, expl, act, unannotated, markers"],
	["limits", '{"tools":0}', "shares of the budget above 0"],
	["limits", '{"tools":"0.2"}', 'such as {"tools": 0.2}'],
	["limits", "[0.2]", "shares of the budget"],
	["limits", '"tools"', "shares of the budget"],
	["limits", "null", "shares of the budget"],
	["policy", '"fifo"', `use one of ${policyNames().join(", ")}`],
	["policy", '["paper"]', `use one of ${policyNames().join(", ")}`],
	["policy", '"toString"', `use one of ${policyNames().join(", ")}`],
	["policy", '"papre"', "Did you mean paper?"],
	["lowWater", '"ballanced"', "Did you mean balanced?"],
	["limits", '{"__proto__":{"tools":0.5}}', "any of system"],
])("cwl.%s: %s keeps the value below and names place, value and remedy", (key, value, remedy) => {
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
		"command /cwl budget: budget",
	]);
});

test("a key that is not known is named with those that are", () => {
	const files = createSettingsFiles();
	files.writeProject('{"cwl": {"budgett": "10k", "enabled": false}}');
	const { settings, problems } = load(files);
	expect(settings).toEqual({ ...defaultSettings, enabled: false });
	expect(problems).toEqual([
		`${files.projectFile}: cwl.budgett is unknown; did you mean cwl.budget? Known are cwl.enabled, cwl.budget, cwl.policy, cwl.lowWater, cwl.goal, cwl.zones, cwl.limits, cwl.otlpEndpoint.`,
	]);
});

test("a key that resembles no other gets the list alone", () => {
	const files = createSettingsFiles();
	files.writeProject('{"cwl": {"colour": "red"}}');
	expect(load(files).problems).toEqual([
		expect.stringMatching(/cwl\.colour is unknown; known are cwl\.enabled,/),
	]);
});

test("a variable that looks like a mistyped one of ours is named with the likely one", () => {
	const environment = { CWL_BUGDET: "10k", CWL_SOMETHING_ELSE: "1", XCWL_BUDGET: "10k" };
	const { settings, problems } = load(createSettingsFiles(), { environment });
	expect(settings).toEqual(defaultSettings);
	expect(problems).toEqual(["environment CWL_BUGDET is unknown; did you mean CWL_BUDGET?"]);
});

test.each(["", "{", '{"cwl": {"budget": "10k"},}', "\ufeff{}"])(
	"a file that is not JSON (%j) is named and the rest counts",
	(text) => {
		const files = createSettingsFiles();
		files.writeGlobal('{"cwl": {"budget": "10k"}}');
		files.writeProject(text);
		const { settings, problems } = load(files);
		expect(formatBudget(settings.budget)).toBe("10k");
		expect(problems).toHaveLength(1);
		expect(problems[0]).toMatch(/settings\.json: not valid JSON \(.+\); mend the file\.$/);
		expect(problems[0]).toContain(files.projectFile);
	},
);

test.each(["[]", "7", "null", '"cwl"', "{}", '{"cwl": {}}'])(
	"a file without our section (%s) says nothing",
	(text) => {
		const files = createSettingsFiles();
		files.writeProject(text);
		const { settings, problems } = load(files);
		expect(settings).toEqual(defaultSettings);
		expect(problems).toEqual([]);
	},
);

test.each(["null", "[]", '"80k"', "80000", "true"])(
	"a section that is no object (%s) is named with an example",
	(value) => {
		const files = createSettingsFiles();
		files.writeProject(`{"cwl": ${value}}`);
		const { settings, problems } = load(files);
		expect(settings).toEqual(defaultSettings);
		expect(problems).toEqual([
			`${files.projectFile}: cwl is ${value}: use an object such as {"budget": "80k"}.`,
		]);
	},
);

test("a file that cannot be read is named", () => {
	const files = createSettingsFiles();
	mkdirSync(files.globalFile);
	const { settings, problems } = load(files);
	expect(settings).toEqual(defaultSettings);
	expect(problems).toEqual([`${files.globalFile}: cannot be read (EISDIR).`]);
});

test("a project without a .pi folder, or with a file of that name, has no settings", () => {
	const files = createSettingsFiles();
	rmSync(join(files.cwd, ".pi"), { recursive: true });
	expect(load(files).problems).toEqual([]);
	expect(load(files, { cwd: files.globalFile }).problems).toEqual([]);
});

test("keys that name prototypes change nothing", () => {
	const files = createSettingsFiles();
	files.writeGlobal('{"__proto__": {"cwl": {"budget": "10k"}}}');
	files.writeProject(
		'{"cwl": {"__proto__": {"budget": "10k", "enabled": false}, "constructor": {"prototype": {}}}}',
	);
	const { settings, origins, problems } = load(files);
	expect(settings).toEqual(defaultSettings);
	expect(new Set(Object.values(origins))).toEqual(new Set(["default"]));
	expect(problems.map((problem) => problem.split(" is ")[0])).toEqual([
		`${files.projectFile}: cwl.__proto__`,
		`${files.projectFile}: cwl.constructor`,
	]);
	expect(Object.keys(Object.prototype)).toEqual([]);
});

test("the defaults stay what they are, whatever is loaded", () => {
	const before = structuredClone(defaultSettings);
	load(createSettingsFiles(), { flags: { budget: "10k", policy: "paper" }, steering: { enabled: false } });
	expect(defaultSettings).toEqual(before);
});

test("pi's agent folder is in the home folder, or where PI_CODING_AGENT_DIR says", () => {
	const home = homedir();
	expect(agentDirectory({})).toBe(join(home, ".pi", "agent"));
	expect(agentDirectory({ PI_CODING_AGENT_DIR: "" })).toBe(join(home, ".pi", "agent"));
	expect(agentDirectory({ PI_CODING_AGENT_DIR: "~/elsewhere" })).toBe(join(home, "elsewhere"));
	expect(agentDirectory({ PI_CODING_AGENT_DIR: "~" })).toBe(join(home));
	expect(agentDirectory({ PI_CODING_AGENT_DIR: "/srv/~pi" })).toBe("/srv/~pi");
	expect(agentDirectory({ PI_CODING_AGENT_DIR: "~other/agent" })).toBe("~other/agent");
});

test("a policy is read by its name", () => {
	for (const name of policyNames()) expect(readValue("policy", name)).toBe(name);
	expect(() => readValue("policy", "Paper")).toThrow(/policy is "Paper": use one of .*paper/);
});

test("settings are described as people write them", () => {
	expect(describeSettings(defaultSettings)).toEqual({
		enabled: String(defaultSettings.enabled),
		budget: formatBudget(defaultSettings.budget),
		policy: defaultSettings.policy,
		lowWater: "balanced",
		goal: "none",
		zones: defaultSettings.zones.join(","),
		limits: Object.entries(defaultSettings.limits)
			.map((limit) => limit.join("="))
			.join(","),
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
