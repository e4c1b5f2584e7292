/** pi's settings files: the `cwl` section of the user's own and of a project's. */
import { homedir } from "node:os";
import { join } from "node:path";
import { isRecord } from "#core";
import { messageOf } from "../errors.ts";
import { readTextFile } from "../files/text-file.ts";
import { type SettingKey, settingKeys, settingsSchema } from "./schema.ts";
import { closestOf } from "./setting.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** A value for a key and the place that it comes from. */
export type Given = readonly [key: SettingKey, raw: unknown, origin: string];

/** pi's agent folder: `PI_CODING_AGENT_DIR`, else `.pi/agent` in the home folder. */
export function agentDirectory(environment: Environment): string {
	const given = environment.PI_CODING_AGENT_DIR;
	if (!given) return join(homedir(), ".pi", "agent");
	return given === "~" || given.startsWith("~/") ? join(homedir(), given.slice(1)) : given;
}

/** The user's own file, then the project's; what is wrong with a file or a key is added to `problems`. */
export function readSettingsFiles(
	cwd: string,
	environment: Environment,
	problems: string[],
): readonly (readonly Given[])[] {
	const own = join(agentDirectory(environment), "settings.json");
	const project = join(cwd, ".pi", "settings.json");
	return [own, project].map((path) => {
		const section = Object.entries(readSection(path, problems));
		return section.flatMap(([name, raw]) => {
			const key = settingKeys.find((known) => known === name);
			const origin = `${path}: cwl.${name}`;
			if (!key) problems.push(`${origin} is unknown${describeKnown(name)}`);
			else if (path === project && settingsSchema[key].source === "personal") {
				problems.push(`${origin} is not for a project to set; set it in ${own} or the environment.`);
			} else return [[key, raw, origin] as const];
			return [];
		});
	});
}

function describeKnown(name: string): string {
	const meant = closestOf(name, settingKeys);
	const known = `known are ${settingKeys.map((key) => `cwl.${key}`).join(", ")}.`;
	return meant === undefined
		? `; ${known}`
		: `; did you mean cwl.${meant}? ${known[0]?.toUpperCase()}${known.slice(1)}`;
}

/** The `cwl` object of a settings file; a file that is missing, or is not JSON, has none. */
function readSection(path: string, problems: string[]): Readonly<Record<string, unknown>> {
	const text = readIfPresent(path, problems);
	if (text === undefined) return {};
	try {
		const parsed: unknown = JSON.parse(text);
		const section = isRecord(parsed) ? parsed.cwl : undefined;
		if (section === undefined) return {};
		if (isRecord(section)) return section;
		problems.push(`${path}: cwl is ${JSON.stringify(section)}: use an object such as {"budget": "80k"}.`);
	} catch (error) {
		problems.push(`${path}: not valid JSON (${messageOf(error)}); mend the file.`);
	}
	return {};
}

function readIfPresent(path: string, problems: string[]): string | undefined {
	try {
		return readTextFile(path);
	} catch (error) {
		problems.push(`${path}: cannot be read (${messageOf(error)}).`);
		return undefined;
	}
}
