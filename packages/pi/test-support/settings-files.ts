/** A home folder's and a project's settings on disk, in a folder of their own that is removed again. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createScratch } from "../../workspace/test-support/scratch.ts";
import { type LoadedSettings, loadSettings } from "../settings/load-settings.ts";

export type SettingsFiles = ReturnType<typeof createSettingsFiles>;

export function createSettingsFiles() {
	const root = createScratch();
	const agent = join(root, "agent");
	const cwd = join(root, "project");
	mkdirSync(agent);
	mkdirSync(join(cwd, ".pi"), { recursive: true });
	const globalFile = join(agent, "settings.json");
	const projectFile = join(cwd, ".pi", "settings.json");
	/** Points pi's agent folder at the one of this test. */
	const environment = { PI_CODING_AGENT_DIR: agent };
	return {
		cwd,
		environment,
		globalFile,
		projectFile,
		writeGlobal: (text: string) => writeFileSync(globalFile, text),
		writeProject: (text: string) => writeFileSync(projectFile, text),
	};
}

export type MoreSources = Partial<Parameters<typeof loadSettings>[0]>;

/** The settings in force with these files and other sources. */
export function load({ cwd, environment }: SettingsFiles, more: MoreSources = {}): LoadedSettings {
	return loadSettings({ cwd, flags: {}, ...more, environment: { ...environment, ...more.environment } });
}
