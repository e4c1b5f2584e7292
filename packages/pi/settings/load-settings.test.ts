import { rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSettingsFiles, load, type MoreSources } from "../test-support/settings-files.ts";
import { formatBudget } from "./budget.ts";
import { agentDirectory, defaultSettings, describeSettings } from "./load-settings.ts";
import { readValue } from "./schema.ts";

test("each layer goes over the ones below it in what it names, and says where its value came from", () => {
	const files = createSettingsFiles();
	const budgets: [string, string][] = [];
	const see = (more?: MoreSources) => {
		const { settings, origins, problems } = load(files, more);
		const { budget, ...others } = defaultSettings;
		expect([settings, problems]).toEqual([{ ...others, budget: settings.budget }, []]);
		expect(origins.lowWater).toBe("default");
		budgets.push([formatBudget(settings.budget), origins.budget]);
	};
	see({ environment: { CWL_BUDGET: "", CWL_POLICY: undefined }, flags: { budget: undefined }, steering: {} });
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
		["auto", "default"],
		["10k", `${files.globalFile}: cwl.budget`],
		["20k", `${files.projectFile}: cwl.budget`],
		["30k", "environment CWL_BUDGET"],
		["40k", "flag --cwl-budget"],
		["50%", "command /cwl settings budget"],
	]);
	for (const enabled of [true, false]) {
		const { origins } = load(files, { steering: { enabled } });
		expect(origins.enabled).toBe(`command /cwl ${enabled ? "on" : "off"}`);
	}
});

test.each(["true", "1", "0", "off"])("CWL_ENABLED=%s is understood", (value) => {
	const { settings } = load(createSettingsFiles(), { environment: { CWL_ENABLED: value } });
	expect(settings.enabled).toBe(["true", "1", "on"].includes(value));
});

test.each([
	["0.4,0.6,0.8", { ends: [0.4, 0.6, 0.8] }, {}],
	["by-window, red=pass", { ends: "by-window" }, { red: "pass" }],
	["orange=nudge", {}, { orange: "nudge" }],
	["0.5,0.75,0.9,spike=nothing", {}, { spike: "nothing" }],
])("zones %s are read, and read back from how they are shown", (text, ends, own) => {
	const zones = {
		...defaultSettings.zones,
		...ends,
		actions: { ...defaultSettings.zones.actions, ...own },
	};
	const { settings, problems } = load(createSettingsFiles(), { environment: { CWL_ZONES: text } });
	expect([settings.zones, problems]).toEqual([zones, []]);
	expect(readValue("zones", describeSettings(settings).zones)).toEqual(zones);
});

test("what a project decides for the session is told in one line, and a user's own settings can forbid it", () => {
	const files = createSettingsFiles();
	const personal = { projectSettings: true, memory: true, otlpEndpoint: "http://127.0.0.1:4318" };
	const shared = { enabled: false, goal: "obey\u202e me", budget: "20k" };
	files.writeProject(JSON.stringify({ cwl: { ...shared, ...personal } }));
	const told = load(files);
	expect(told.problems).toEqual(
		Object.keys(personal).map((key) => expect.stringContaining(`cwl.${key} is not for a project to set`)),
	);
	expect(told.settings).toMatchObject({ memory: false, otlpEndpoint: "" });
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
	...["", "\ufeff{}"].map((text) => [text, /: not valid JSON \(.+\); mend the file\.$/] as const),
	...["7", "{}"].map((text) => [text, undefined] as const),
	...["null", "[]", '"80k"'].map((value) => {
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

test("a project without a .pi folder, or with a file of that name, has no settings", () => {
	const files = createSettingsFiles();
	rmSync(join(files.cwd, ".pi"), { recursive: true });
	expect(load(files).problems).toEqual([]);
	expect(load(files, { cwd: files.globalFile }).problems).toEqual([]);
});

test.each([
	[{}, join(homedir(), ".pi", "agent")],
	[{ PI_CODING_AGENT_DIR: "" }, join(homedir(), ".pi", "agent")],
	[{ PI_CODING_AGENT_DIR: "~/elsewhere" }, join(homedir(), "elsewhere")],
	[{ PI_CODING_AGENT_DIR: "~" }, homedir()],
	[{ PI_CODING_AGENT_DIR: "/srv/~pi" }, "/srv/~pi"],
	[{ PI_CODING_AGENT_DIR: "~other/agent" }, "~other/agent"],
])("under %j pi's agent folder is %s", (environment, folder) => {
	expect(agentDirectory(environment)).toBe(folder);
});

test("the standard variable names an endpoint, and our own has the last word", () => {
	const standard = { OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector.example/otlp/" };
	const loadUnder = (environment: Record<string, string>) => load(createSettingsFiles(), { environment });
	expect(loadUnder(standard)).toMatchObject({
		settings: { otlpEndpoint: "https://collector.example/otlp" },
		origins: { otlpEndpoint: "environment OTEL_EXPORTER_OTLP_ENDPOINT" },
		problems: [],
	});
	expect(loadUnder({ ...standard, CWL_OTLP_ENDPOINT: "none" })).toMatchObject({
		settings: { otlpEndpoint: "" },
		origins: { otlpEndpoint: "environment CWL_OTLP_ENDPOINT" },
		problems: [],
	});
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
