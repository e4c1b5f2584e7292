import { mkdirSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSettingsFiles, load } from "../test-support/settings-files.ts";
import { formatBudget } from "./budget.ts";
import { defaultSettings } from "./load-settings.ts";
import { agentDirectory } from "./settings-files.ts";

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
