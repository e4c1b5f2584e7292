/** Settings from pi's own files, the environment and flags, each value checked once and its origin remembered. */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { defaultZoneEnds, isRecord, lowWaters, type ZoneEnds } from "#core";
import { CwlError } from "../errors.ts";
import { readGoal } from "../prompt/goal.ts";
import { policyNames } from "../session/policies.ts";
import { type Budget, formatBudget, parseBudget } from "./budget.ts";
import { type ComponentLimits, defaultLimits, formatLimits, readLimits } from "./component-limits.ts";
import { readOtlpEndpoint, STANDARD_ENDPOINT, STANDARD_ORIGIN } from "./otlp-endpoint.ts";
import { formatZones, readZones } from "./zones.ts";

export interface Settings {
	readonly enabled: boolean;
	readonly budget: Budget;
	readonly policy: string;
	/** What the session is for; "" without one. */
	readonly goal: string;
	/** Where a pass stops, as a share of the budget. */
	readonly lowWater: number;
	/** Where the zones of footer and panel end. */
	readonly zones: ZoneEnds;
	/** What a component may take before it is told. */
	readonly limits: ComponentLimits;
	/** Where figures are sent to, "" for nowhere. */
	readonly otlpEndpoint: string;
}

type Key = keyof Settings;

/** Where a value came from: a file path, `environment CWL_BUDGET`, `flag --cwl-budget`, `command /cwl budget`, `default`. */
export type Origins = Readonly<Record<Key, string>>;

export interface LoadedSettings {
	readonly settings: Settings;
	readonly origins: Origins;
	/** Values that were not usable, each with its place and remedy; the value before stays in force. */
	readonly problems: readonly string[];
}

export interface SettingsSources {
	readonly cwd: string;
	readonly environment: Readonly<Record<string, string | undefined>>;
	/** Flags by setting, absent where the user gave none. */
	readonly flags: Partial<Readonly<Record<Key, unknown>>>;
	/** What `/cwl` commands changed for this session. */
	readonly steering?: Partial<Readonly<Record<Key, unknown>>>;
}

export const defaultSettings: Settings = {
	enabled: true,
	budget: { type: "tokens", tokens: 80_000 },
	policy: "cwl",
	lowWater: lowWaters.balanced,
	goal: "",
	zones: defaultZoneEnds,
	limits: defaultLimits,
	otlpEndpoint: "",
};

const keys: readonly Key[] = [
	"enabled",
	"budget",
	"policy",
	"lowWater",
	"goal",
	"zones",
	"limits",
	"otlpEndpoint",
];

/** What a repository must not decide for those who look into it: where something of theirs is sent to. */
const personal: readonly Key[] = ["otlpEndpoint"];

/** pi's agent folder: `PI_CODING_AGENT_DIR`, else `.pi/agent` in the home folder. */
export function agentDirectory(environment: SettingsSources["environment"]): string {
	const given = environment.PI_CODING_AGENT_DIR;
	if (!given) return join(homedir(), ".pi", "agent");
	return given === "~" || given.startsWith("~/") ? join(homedir(), given.slice(1)) : given;
}

/** Defaults < global file < project file < environment < flags < commands of this session. Never throws: what is wrong is in `problems`. */
export function loadSettings(sources: SettingsSources): LoadedSettings {
	const problems: string[] = [];
	const values: { -readonly [K in Key]: Settings[K] } = { ...defaultSettings };
	const origins: Record<Key, string> = {
		enabled: "default",
		budget: "default",
		policy: "default",
		lowWater: "default",
		goal: "default",
		zones: "default",
		limits: "default",
		otlpEndpoint: "default",
	};
	const layers = [
		...fileLayers(sources, problems),
		standardLayer(sources.environment),
		environmentLayer(sources.environment),
		givenLayer(sources.flags, "flag --cwl-"),
		givenLayer(sources.steering ?? {}, "command /cwl "),
	];
	for (const layer of layers) {
		for (const [key, raw, origin] of layer) {
			try {
				Object.assign(values, { [key]: readValue(key, raw) });
				origins[key] = origin;
			} catch (error) {
				if (!(error instanceof CwlError)) throw error;
				problems.push(`${origin}: ${error.message}`);
			}
		}
	}
	return { settings: values, origins, problems };
}

type Layer = readonly (readonly [Key, unknown, string])[];

function fileLayers(sources: SettingsSources, problems: string[]): readonly Layer[] {
	const own = join(agentDirectory(sources.environment), "settings.json");
	const project = join(sources.cwd, ".pi", "settings.json");
	return [own, project].map((path) => {
		const allowed = path === own ? keys : keys.filter((key) => !personal.includes(key));
		const section = readSection(path, problems);
		for (const key of Object.keys(section)) {
			if (!keys.some((known) => known === key)) {
				problems.push(`${path}: cwl.${key} is unknown; known are ${keys.map((k) => `cwl.${k}`).join(", ")}.`);
			} else if (!allowed.some((known) => known === key)) {
				problems.push(
					`${path}: cwl.${key} is not for a project to set; set it in ${own} or the environment.`,
				);
			}
		}
		return allowed
			.filter((key) => Object.hasOwn(section, key))
			.map((key) => [key, section[key], `${path}: cwl.${key}`]);
	});
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
		problems.push(
			`${path}: not valid JSON (${error instanceof Error ? error.message : String(error)}); mend the file.`,
		);
	}
	return {};
}

function readIfPresent(path: string, problems: string[]): string | undefined {
	try {
		return readFileSync(path, "utf8");
	} catch (error) {
		const code = error instanceof Error && "code" in error ? error.code : undefined;
		if (code !== "ENOENT" && code !== "ENOTDIR") problems.push(`${path}: cannot be read (${String(code)}).`);
		return undefined;
	}
}

/** What is set for every program of the kind; our own variable is the later word. */
function standardLayer(environment: SettingsSources["environment"]): Layer {
	const value = environment[STANDARD_ENDPOINT];
	return value ? [["otlpEndpoint", value, STANDARD_ORIGIN]] : [];
}

function environmentLayer(environment: SettingsSources["environment"]): Layer {
	return keys.flatMap((key) => {
		const name = `CWL_${key.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
		const value = environment[name];
		return value === undefined || value === "" ? [] : [[key, value, `environment ${name}`] as const];
	});
}

function givenLayer(given: SettingsSources["flags"], origin: string): Layer {
	return keys.flatMap((key) => {
		const value = given[key];
		return value === undefined ? [] : [[key, value, `${origin}${key}`] as const];
	});
}

/** @throws CwlError when the value is not allowed for its key. */
function readValue<K extends Key>(key: K, raw: unknown): Settings[Key] {
	switch (key) {
		case "enabled":
			return readBoolean(raw);
		case "budget":
			return parseBudget(raw);
		case "lowWater":
			return readLowWater(raw);
		case "goal":
			return readGoal(raw);
		case "zones":
			return readZones(raw);
		case "limits":
			return readLimits(raw);
		case "otlpEndpoint":
			return readOtlpEndpoint(raw);
		default:
			return readPolicy(raw);
	}
}

function readBoolean(raw: unknown): boolean {
	if (typeof raw === "boolean") return raw;
	if (raw === "true" || raw === "1" || raw === "on") return true;
	if (raw === "false" || raw === "0" || raw === "off") return false;
	throw new CwlError("bad-enabled", `enabled is ${JSON.stringify(raw)}: use true or false.`);
}

/** @throws CwlError `bad-policy` naming the known ones. */
export function readPolicy(raw: unknown): string {
	const known = policyNames();
	if (typeof raw === "string" && known.includes(raw)) return raw;
	throw new CwlError("bad-policy", `policy is ${JSON.stringify(raw)}: known are ${known.join(", ")}.`);
}

/** The lowest and the highest low water: below, an agent sees too little; above, every other request is a pass. */
const LOW_WATER_RANGE = { least: 0.3, most: 0.9 };

/** @throws CwlError `bad-low-water` naming what is allowed. */
function readLowWater(raw: unknown): number {
	const named = Object.entries(lowWaters).find(([name]) => name === raw)?.[1];
	const share = named ?? (typeof raw === "string" && raw.trim() !== "" ? Number(raw) : raw);
	const { least, most } = LOW_WATER_RANGE;
	if (typeof share === "number" && share >= least && share <= most) return share;
	throw new CwlError(
		"bad-low-water",
		`lowWater is ${JSON.stringify(raw)}: use ${Object.keys(lowWaters).join(", ")}, ` +
			`or a share of the budget from ${least} to ${most}.`,
	);
}

function formatLowWater(share: number): string {
	return Object.entries(lowWaters).find(([, known]) => known === share)?.[0] ?? String(share);
}

/** The settings in force as plain values, for `--json` and for eyes. */
export function describeSettings(settings: Settings): Readonly<Record<Key, string>> {
	return {
		enabled: String(settings.enabled),
		budget: formatBudget(settings.budget),
		policy: settings.policy,
		lowWater: formatLowWater(settings.lowWater),
		goal: settings.goal === "" ? "none" : settings.goal,
		zones: formatZones(settings.zones),
		limits: formatLimits(settings.limits),
		otlpEndpoint: settings.otlpEndpoint === "" ? "none" : settings.otlpEndpoint,
	};
}
