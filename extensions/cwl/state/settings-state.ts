/** The settings in force, and the changes that `/cwl` commands made for this session. */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import {
	flags,
	type Goal,
	goalOf,
	type LoadedSettings,
	loadSettings,
	type SessionState,
	type Steering,
	stateOf,
} from "#pi";
import type { EntryLog } from "./entry-log.ts";

export interface SettingsState {
	readonly loaded: LoadedSettings;
	readonly isEnabled: boolean;
	/** The goal of the session, undefined without one. */
	goal(): Goal | undefined;
	/** The active task and the constraints. */
	state(): SessionState;
	/** Change settings for this session, on its branch. */
	steer(ctx: ExtensionContext, change: Steering): void;
	/** Read all sources again, with what the session's branch holds. */
	restore(ctx: ExtensionContext, steering: Steering): void;
}

export function createSettingsState(pi: ExtensionAPI, log: EntryLog): SettingsState {
	let steering: Steering = {};
	let loaded = loadSettings({ cwd: process.cwd(), environment: process.env, flags: {} });

	function load({ cwd }: ExtensionContext, change: Steering) {
		steering = change;
		const given = Object.entries(flags).map(([key, { name }]) => [key, pi.getFlag(name)]);
		loaded = loadSettings({
			...{ cwd, environment: process.env, steering },
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
		goal: () => goalOf(loaded.settings.goal, steering.doneGoal),
		state: () => stateOf(steering),
		steer(ctx, change) {
			log.open(ctx).steer(change);
			load(ctx, { ...steering, ...change });
		},
		restore: load,
	};
}
