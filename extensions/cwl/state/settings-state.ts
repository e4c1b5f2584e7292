/** The settings in force, and the changes that `/cwl` commands made for this session. */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { goalOf, stateOf } from "#pi/brief";
import { STEERING_ENTRY, type Steering } from "#pi/session";
import { flags, loadSettings } from "#pi/settings";
import type { EntryLog } from "./entry-log.ts";

export type SettingsState = ReturnType<typeof createSettingsState>;

export function createSettingsState(pi: ExtensionAPI, log: EntryLog) {
	let loaded = loadSettings({ cwd: process.cwd(), environment: process.env, flags: {} });

	function load({ cwd }: ExtensionContext) {
		const { steering } = log.decided();
		const given = Object.entries(flags).map(([key, { name }]) => [key, pi.getFlag(name)]);
		loaded = loadSettings({
			cwd,
			environment: process.env,
			steering,
			flags: Object.fromEntries(given),
		});
	}

	return {
		get loaded() {
			return loaded;
		},
		get isEnabled() {
			return loaded.settings.enabled;
		},
		/** The goal of the session, undefined without one. */
		goal: () => goalOf(loaded.settings.goal, log.decided().steering.doneGoal),
		/** The active task and the constraints. */
		state: () => stateOf(log.decided().steering),
		/** Changes settings for this session, on its branch. */
		steer(ctx: ExtensionContext, change: Steering) {
			log.write(ctx, STEERING_ENTRY, change);
			load(ctx);
		},
		/** Reads all sources again, with what the session's branch holds. */
		restore: load,
	};
}
