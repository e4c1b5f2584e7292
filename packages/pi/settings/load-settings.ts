/** Merges the settings of all sources: each value is checked once, and its origin is kept. */
import { CwlError } from "../errors.ts";
import {
	formatValue,
	readValue,
	type SettingKey,
	type Settings,
	settingKeys,
	settingsSchema,
	siftValue,
} from "./schema.ts";
import { closestOf } from "./setting.ts";
import { type Environment, type Given, readSettingsFiles } from "./settings-files.ts";

/** The source of each value: a file and its key, `environment CWL_BUDGET`, `flag --cwl-budget`, `command /cwl budget`, `default`. */
export type Origins = Readonly<Record<SettingKey, string>>;

export interface LoadedSettings {
	readonly settings: Settings;
	readonly origins: Origins;
	/** Values that were not usable, each with its place and remedy; the value before stays in force. */
	readonly problems: readonly string[];
}

export interface SettingsSources {
	readonly cwd: string;
	readonly environment: Environment;
	/** Flags by setting, absent where the user gave none. */
	readonly flags: Partial<Readonly<Record<SettingKey, unknown>>>;
	/** Changes by `/cwl` commands for this session. */
	readonly steering?: Partial<Readonly<Record<SettingKey, unknown>>>;
}

/** A new object with an entry for each key, in the order in which settings are shown. */
function forEachKey<T>(find: (key: SettingKey) => T): Record<SettingKey, T> {
	return Object.fromEntries(settingKeys.map((key) => [key, find(key)])) as Record<SettingKey, T>;
}

export const defaultSettings = forEachKey((key) => settingsSchema[key].default) as Settings;

/** Defaults < own file < project file < environment < flags < commands of this session. Never throws: what is wrong is in `problems`. */
export function loadSettings(sources: SettingsSources): LoadedSettings {
	const problems: string[] = [];
	const origins: Record<SettingKey, string> = forEachKey(() => "default");
	const values: Record<SettingKey, unknown> = { ...defaultSettings };
	const layers = [
		...readSettingsFiles(sources.cwd, sources.environment, problems),
		readEnvironment(sources.environment, problems),
		readGiven(sources.flags, "flag --cwl-"),
		readGiven(sources.steering ?? {}, "command /cwl "),
	];
	for (const [key, raw, origin] of layers.flat()) {
		const { usable, problems: wrong } = siftValue(key, raw);
		problems.push(...wrong.map((problem) => `${origin}: ${problem}`));
		if (usable === undefined && wrong.length > 0) continue;
		try {
			values[key] = readValue(key, usable);
			origins[key] = origin;
		} catch (error) {
			if (!(error instanceof CwlError)) throw error;
			problems.push(`${origin}: ${error.message}`);
		}
	}
	return { settings: values as Settings, origins, problems };
}

/** An empty variable is no value. Variables of ours that nobody knows are reported only when they look like a typo. */
function readEnvironment(environment: Environment, problems: string[]): readonly Given[] {
	const known = settingKeys.flatMap((key) => settingsSchema[key].environment);
	for (const name of Object.keys(environment)) {
		if (!name.startsWith("CWL_") || known.some((other) => other === name)) continue;
		const meant = closestOf(name, known);
		if (meant !== undefined) problems.push(`environment ${name} is unknown; did you mean ${meant}?`);
	}
	return settingKeys.flatMap((key) =>
		settingsSchema[key].environment.flatMap((name): readonly Given[] => {
			const value = environment[name];
			return value === undefined || value === "" ? [] : [[key, value, `environment ${name}`]];
		}),
	);
}

function readGiven(given: SettingsSources["flags"], origin: string): readonly Given[] {
	return settingKeys.flatMap((key) => {
		const value = given[key];
		return value === undefined ? [] : [[key, value, `${origin}${key}`] as const];
	});
}

/** The settings in force as people write them, for `--json` and for eyes. */
export function describeSettings(settings: Settings): Readonly<Record<SettingKey, string>> {
	return forEachKey((key) => formatValue(key, settings));
}
