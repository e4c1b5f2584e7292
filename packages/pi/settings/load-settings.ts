/**
 * Merges the settings of all sources, pi's settings files among them: each value is checked once, and its origin is kept.
 */

import { homedir } from "node:os";
import { join } from "node:path";
import { fieldsOf, isRecord, quoteStart } from "#basics";
import { CwlError, messageOf } from "../errors.ts";
import { readTextFile } from "../files/text-file.ts";
import { nearestName } from "../screen/nearest.ts";
import { showFound } from "../setting.ts";
import {
	formatValue,
	readValue,
	type SettingKey,
	type Settings,
	settingKeys,
	settingsSchema,
	variablesOf,
} from "./schema.ts";

/** The source of each value: a file and its key, `environment CWL_BUDGET`, `flag --cwl-budget`, `command /cwl settings budget`, `default`. */
export type Origins = Readonly<Record<SettingKey, string>>;

export type Environment = Readonly<Record<string, string | undefined>>;

export interface LoadedSettings {
	readonly settings: Settings;
	readonly origins: Origins;
	/** Values that were not usable, each with its place and remedy; the value before stays in force. */
	readonly problems: readonly string[];
	/** A line on what the project decided for the session and a user would want to know; at most one line. */
	readonly notes: readonly string[];
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
	const { cwd, environment } = sources;
	const problems: string[] = [];
	const own = readSettingsFile(ownFile(environment), environment, problems);
	const over = [
		readEnvironment(environment, problems),
		readGiven(sources.flags, "flag --cwl-"),
		readGiven(sources.steering ?? {}, "command /cwl ", commandOf),
	];
	const alone = merge([own, ...over], problems);
	if (!alone.settings.projectSettings) return { ...alone, notes: [] };
	const path = join(cwd, ".pi", "settings.json");
	const merged = merge([own, readSettingsFile(path, environment, problems), ...over], problems);
	return { ...merged, notes: describeProject(path, environment, merged) };
}

function merge(
	layers: readonly (readonly Given[])[],
	earlier: readonly string[],
): Omit<LoadedSettings, "notes"> {
	const problems = [...earlier];
	const origins: Record<SettingKey, string> = forEachKey(() => "default");
	const taken: Settings = { ...defaultSettings };
	for (const { key, raw, origin } of layers.flat()) {
		try {
			Object.assign(taken, { [key]: readValue(key, raw) });
			origins[key] = origin;
		} catch (error) {
			if (!(error instanceof CwlError)) throw error;
			problems.push(`${origin}: ${error.message}`);
		}
	}
	return { settings: taken, origins, problems };
}

/** A project may turn cwl off, and its goal goes to the model: the user is informed of both. */
function describeProject(
	path: string,
	environment: Environment,
	{ settings, origins }: Omit<LoadedSettings, "notes">,
): readonly string[] {
	const isFromProject = (key: SettingKey) => origins[key] === `${path}: cwl.${key}`;
	const decided = [
		isFromProject("enabled") && !settings.enabled && "turns cwl off",
		isFromProject("goal") && settings.goal && `sets the goal ${quoteStart(settings.goal, MAX_GOAL_SHOWN)}`,
	].filter(Boolean);
	if (decided.length === 0) return [];
	const remedy = `"projectSettings": false in ${ownFile(environment)}, or CWL_PROJECT_SETTINGS=false, ignores what projects set`;
	return [`${path} ${decided.join(" and ")}; ${remedy}.`];
}

/** Characters of a goal in a line about it. */
const MAX_GOAL_SHOWN = 80;

/** A value that a source has for a setting, and the place that it comes from. */
interface Given {
	readonly key: SettingKey;
	readonly raw: unknown;
	readonly origin: string;
}

/** An empty variable is no value. Unknown variables of cwl are reported only when they look like a typo. */
function readEnvironment(environment: Environment, problems: string[]): readonly Given[] {
	const variables = settingKeys.flatMap((key) => variablesOf(key).map((variable) => ({ key, variable })));
	const known = variables.map(({ variable }) => variable);
	for (const name of Object.keys(environment)) {
		if (!name.startsWith("CWL_") || known.includes(name)) continue;
		const meant = nearestName(name, known);
		if (meant !== undefined) problems.push(`environment ${name} is unknown; did you mean ${meant}?`);
	}
	return variables.flatMap(({ key, variable }): readonly Given[] => {
		const raw = environment[variable];
		return raw === undefined || raw === "" ? [] : [{ key, raw, origin: `environment ${variable}` }];
	});
}

/** The words of `/cwl` that change a setting. */
function commandOf(key: SettingKey, value: unknown): string {
	if (key === "enabled") return value === true ? "on" : "off";
	if (key === "goal") return "brief goal";
	return key === "memory" ? "memory off" : `settings ${key}`;
}

function readGiven(
	given: SettingsSources["flags"],
	origin: string,
	nameOf: (key: SettingKey, value: unknown) => string = (key) => key,
): readonly Given[] {
	return settingKeys.flatMap((key) => {
		const raw = given[key];
		return raw === undefined ? [] : [{ key, raw, origin: `${origin}${nameOf(key, raw)}` }];
	});
}

/** The settings in force as people write them, for `--json` and for eyes. */
export function describeSettings(settings: Settings): Readonly<Record<SettingKey, string>> {
	return forEachKey((key) => formatValue(key, settings));
}

/** pi's agent folder: `PI_CODING_AGENT_DIR`, else `.pi/agent` in the home folder. */
export function agentDirectory(environment: Environment): string {
	const given = environment.PI_CODING_AGENT_DIR;
	if (!given) return join(homedir(), ".pi", "agent");
	return given === "~" || given.startsWith("~/") ? join(homedir(), given.slice(1)) : given;
}

/** The user's own settings of pi. */
const ownFile = (environment: Environment) => join(agentDirectory(environment), "settings.json");

/** The values of one file; what is wrong with it or with a key is added to `problems`. */
function readSettingsFile(path: string, environment: Environment, problems: string[]): readonly Given[] {
	const own = ownFile(environment);
	return Object.entries(readSection(path, problems)).flatMap(([name, raw]) => {
		const key = settingKeys.find((known) => known === name);
		const origin = `${path}: cwl.${name}`;
		if (!key) problems.push(`${origin} is unknown; ${describeKnown(name)}`);
		else if (path !== own && "isPersonal" in settingsSchema[key]) {
			problems.push(`${origin} is not for a project to set; set it in ${own} or the environment.`);
		} else return [{ key, raw, origin }];
		return [];
	});
}

function describeKnown(name: string): string {
	const meant = nearestName(name, settingKeys);
	const known = settingKeys.map((key) => `cwl.${key}`).join(", ");
	return `${meant === undefined ? "known" : `did you mean cwl.${meant}? Known`} are ${known}.`;
}

/** The `cwl` object of a settings file; a file that is missing, or is not JSON, has none. */
function readSection(path: string, problems: string[]): Readonly<Record<string, unknown>> {
	try {
		const { cwl: section = {} } = fieldsOf(JSON.parse(readTextFile(path) ?? "{}"));
		if (isRecord(section)) return section;
		problems.push(`${path}: cwl is ${showFound(section)}: use an object such as {"budget": "80k"}.`);
	} catch (error) {
		const reason = messageOf(error);
		const isRead = !(error instanceof CwlError);
		problems.push(
			`${path}: ${isRead ? `not valid JSON (${reason}); mend the file` : `cannot be read (${reason})`}.`,
		);
	}
	return {};
}
