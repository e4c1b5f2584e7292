/** The shape of one setting, and how a value from a file, a variable, a flag or a command becomes a checked value. */
import { refusal } from "./errors.ts";
import { suggestName } from "./screen/nearest.ts";

/** One key of the settings, declared once: reading, errors, flags, completion and `cwl doctor` follow from it; docs/settings.md says what it is for. */
export interface Setting<T> {
	readonly default: T;
	/** Ends an error message that begins with "use": `true or false`. */
	readonly allowed: string;
	/** Turns what people write into a value; undefined for what is not allowed. */
	readonly parse: (raw: unknown) => T | undefined;
	/** Writes a value as people do; `parse` reads it back. Absent: `String` does. */
	readonly format?: (value: T) => string;
	/** Standard variables that set it too; `CWL_` and its key wins over them. */
	readonly variables?: readonly string[];
	/** A command line flag of pi. */
	readonly flag?: { readonly name: `cwl-${string}`; readonly description: string };
	/** True if only the user's own settings may set it: a repository must not decide it for those who open it. */
	readonly isPersonal?: true;
	/** The cost of values other than the default, in figures. */
	readonly cost?: string;
	/** All values, where they are few. */
	readonly choices?: readonly string[];
}

/** Infers the type of the value. */
export function defineSetting<T>(setting: Setting<T>): Setting<T> {
	return setting;
}

/** @throws CwlError naming what was found, what is allowed, and the likely meaning of a typo */
export function readSetting<T>(key: string, setting: Setting<T>, raw: unknown): T {
	const value = setting.parse(raw);
	if (value !== undefined) return value;
	const hint = typeof raw === "string" ? suggestName(raw, setting.choices ?? []) : "";
	throw refusal(`${key} is ${showFound(raw)}: use ${setting.allowed}.${hint}`);
}

/** Characters of a wrong value that an error repeats. */
const MAX_SHOWN = 200;

/** A wrong value as an error repeats it. */
export function showFound(raw: unknown): string {
	const text = isNestedTooDeep(raw) ? "a value nested too deep" : (JSON.stringify(raw) ?? String(raw));
	return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}... (${text.length} characters)`;
}

/** No setting nests deeper; what walks a value recursively fails some thousand levels further down. */
const MAX_DEPTH = 20;

function isNestedTooDeep(value: unknown, depth = 0): boolean {
	if (typeof value !== "object" || value === null) return false;
	return depth >= MAX_DEPTH || Object.values(value).some((inner) => isNestedTooDeep(inner, depth + 1));
}

/** The environment variable of a key: `CWL_LOW_WATER` of `lowWater`. */
export function variableOf(key: string): string {
	return `CWL_${key.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
}

/** A setting that is on or off, with all words that people write for it. */
export function defineSwitch(own: Pick<Setting<boolean>, "default" | "isPersonal">): Setting<boolean> {
	const words: readonly unknown[] = [true, "true", "1", "on", false, "false", "0", "off"];
	return {
		allowed: "true or false",
		choices: ["true", "false"],
		parse: (raw) => (words.includes(raw) ? words.indexOf(raw) < 4 : undefined),
		...own,
	};
}

/**
 * The parts of a setting with several, which are written alike in files, variables and commands: words and named values with
 * commas between them, such as `8k,bash=4k`. Undefined for what is no text and no number.
 */
export function readParts(raw: unknown) {
	if (typeof raw !== "string" && typeof raw !== "number") return undefined;
	const parts = String(raw)
		.split(",")
		.map((part) => part.trim().split(/\s*=\s*/));
	const named = parts.filter((part) => part.length > 1);
	return {
		words: parts.flatMap((part) => (part.length === 1 ? part : [])),
		values: named.map(([name = "", value = ""]) => [name, value] as const),
	};
}

/** A setting that is one of a few words. */
export function defineChoice<T extends string>(
	choices: readonly T[],
	own: Pick<Setting<T>, "default" | "flag" | "cost">,
): Setting<T> {
	const parse = (raw: unknown) => choices.find((choice) => choice === raw);
	return { allowed: `one of ${choices.join(", ")}`, parse, choices, ...own };
}
