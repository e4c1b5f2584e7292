import { mkdirSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { policyNames } from "../session/live-policies.ts";
import { createSettingsFiles, load, type MoreSources } from "../test-support/settings-files.ts";
import { formatBudget } from "./budget.ts";
import { agentDirectory, defaultSettings, describeSettings } from "./load-settings.ts";
import { readValue } from "./schema.ts";

test("without any settings the defaults are in force", () => {
	const loaded = load(createSettingsFiles());
	expect(loaded).toMatchObject({ settings: defaultSettings, problems: [] });
	expect(new Set(Object.values(loaded.origins))).toEqual(new Set(["default"]));
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
		["50%", "command /cwl settings budget"],
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
	expect(origins).toMatchObject({
		enabled: `${files.globalFile}: cwl.enabled`,
		budget: `${files.projectFile}: cwl.budget`,
		policy: "environment CWL_POLICY",
		lowWater: "default",
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

test.each(["true", "1", "on", "false", "0", "off"])("CWL_ENABLED=%s is understood", (value) => {
	const { settings } = load(createSettingsFiles(), { environment: { CWL_ENABLED: value } });
	expect(settings.enabled).toBe(["true", "1", "on"].includes(value));
});

test("zones and their actions mean the same in a file and in the environment, and are read back from how they are shown", () => {
	const usual = defaultSettings.zones;
	for (const [value, text, set] of [
		[[0.4, 0.6, 0.8], "0.4,0.6,0.8", { ends: [0.4, 0.6, 0.8], actions: {} }],
		[
			{ ends: "by-window", red: "pass" },
			"by-window,red=pass",
			{ ends: "by-window", actions: { red: "pass" } },
		],
		[{ orange: "nudge" }, "orange=nudge", { actions: { orange: "nudge" } }],
		[["spike=nothing"], "0.5,0.75,0.9,spike=nothing", { actions: { spike: "nothing" } }],
	] as const) {
		const zones = { ...usual, ...set, actions: { ...usual.actions, ...set.actions } };
		const files = createSettingsFiles();
		files.writeGlobal(JSON.stringify({ cwl: { zones: value } }));
		const loaded = [load(files), load(createSettingsFiles(), { environment: { CWL_ZONES: text } })];
		for (const { settings, problems } of loaded) {
			expect([settings.zones, problems]).toEqual([zones, []]);
			expect(readValue("zones", describeSettings(settings).zones)).toEqual(zones);
		}
	}
});

test("names of the last release still work, with a line that says the new one", () => {
	const files = createSettingsFiles();
	files.writeGlobal(
		'{"cwl": {"zoneActions": {"red": "pass"}, "zones": "by-window", "limits": {"tools": 0.05, "act": 0.5}}}',
	);
	const { settings, problems } = load(files, { environment: { CWL_ZONE_ACTIONS: "yellow=nudge" } });
	expect(describeSettings(settings)).toMatchObject({
		zones: "by-window,yellow=nudge",
		componentBudgets: "system=0.2/1,tools=0.05/1",
	});
	expect(problems).toEqual([
		`${files.globalFile}: cwl.zoneActions is now part of cwl.zones: write "zones": "by-window,red=pass".`,
		`${files.globalFile}: cwl.limits is now part of cwl.componentBudgets: write "componentBudgets": "system=0.2/1,tools=0.05/1".`,
		'environment CWL_ZONE_ACTIONS is now part of cwl.zones: write "zones": "by-window,yellow=nudge".',
	]);
});

test("what a project decides for the session is told in one line, and a user's own settings can forbid it", () => {
	const files = createSettingsFiles();
	files.writeProject(
		'{"cwl": {"enabled": false, "goal": "obey\\u202e me", "budget": "20k", "projectSettings": true}}',
	);
	const personal = expect.stringContaining("cwl.projectSettings is not for a project to set");
	const told = load(files);
	expect(told.problems).toEqual([personal]);
	expect(told.notes).toEqual([
		`${files.projectFile} turns cwl off and sets the goal "obey\\u202e me"; "projectSettings": false in ${files.globalFile}, or CWL_PROJECT_SETTINGS=false, ignores what projects set.`,
	]);
	const environment = { CWL_ENABLED: "true" };
	expect(load(files, { environment, steering: { goal: "mine" } }).notes).toEqual([]);
	files.writeGlobal('{"cwl": {"projectSettings": false}}');
	const own = load(files, { environment: { CWL_PROJECT_SETTINGS: "" } });
	expect(own).toMatchObject({ problems: [], notes: [] });
	expect(own.settings).toEqual({ ...defaultSettings, projectSettings: false });
	expect(load(files, { environment: { CWL_PROJECT_SETTINGS: "on" } }).settings.enabled).toBe(false);
});

test.each([
	...["", "{", '{"cwl": {"budget": "10k"},}', "\ufeff{}"].map(
		(text) => [text, /: not valid JSON \(.+\); mend the file\.$/] as const,
	),
	...["[]", "7", "null", '"cwl"', "{}", '{"cwl": {}}'].map((text) => [text, undefined] as const),
	...["null", "[]", '"80k"', "80000", "true"].map((value) => {
		return [`{"cwl": ${value}}`, `: cwl is ${value}: use an object such as {"budget": "80k"}.`] as const;
	}),
])("of a file that holds %j, all that is wrong is %j, and the rest counts", (text, problem) => {
	const files = createSettingsFiles();
	files.writeGlobal('{"cwl": {"budget": "10k"}}');
	files.writeProject(text);
	const { settings, problems } = load(files);
	expect(settings).toEqual({ ...defaultSettings, budget: { type: "tokens", tokens: 10_000 } });
	expect(problems).toHaveLength(problem === undefined ? 0 : 1);
	if (problem !== undefined) expect(problems[0]).toMatch(problem);
	expect(problems.every((each) => each.startsWith(files.projectFile))).toBe(true);
});

test("a file that cannot be read is named", () => {
	const files = createSettingsFiles();
	mkdirSync(files.globalFile);
	const { settings, problems } = load(files);
	expect(settings).toEqual(defaultSettings);
	expect(problems).toEqual([`${files.globalFile}: cannot be read (not a regular file).`]);
});

test("a project without a .pi folder, or with a file of that name, has no settings", () => {
	const files = createSettingsFiles();
	rmSync(join(files.cwd, ".pi"), { recursive: true });
	expect(load(files).problems).toEqual([]);
	expect(load(files, { cwd: files.globalFile }).problems).toEqual([]);
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

test("the standard variable names an endpoint, and our own has the last word", () => {
	const files = createSettingsFiles();
	const endpointOf = (environment: Record<string, string>) => {
		const { settings, origins, problems } = load(files, { environment });
		expect(problems).toEqual([]);
		return [settings.otlpEndpoint, origins.otlpEndpoint];
	};
	const standard = { OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector.example/otlp/" };
	const origin = "environment OTEL_EXPORTER_OTLP_ENDPOINT";
	expect(endpointOf(standard)).toEqual(["https://collector.example/otlp", origin]);
	const own = { ...standard, CWL_OTLP_ENDPOINT: "none" };
	expect(endpointOf(own)).toEqual(["", "environment CWL_OTLP_ENDPOINT"]);
});

test.each(["collector:4318", "ftp://collector", 4318, "http://me:secret@collector:4318"])(
	"an endpoint of %j is refused without showing a password",
	(otlpEndpoint) => {
		const files = createSettingsFiles();
		files.writeGlobal(JSON.stringify({ cwl: { otlpEndpoint } }));
		const { settings, problems } = load(files);
		expect(settings.otlpEndpoint).toBe("");
		expect(problems).toEqual([expect.stringMatching(/otlpEndpoint (is|has)/)]);
		expect(problems.join()).not.toContain("secret");
	},
);
