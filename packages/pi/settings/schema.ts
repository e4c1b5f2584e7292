/** Every setting of the extension, each declared once. A new setting is one more entry here and its row in docs/settings.md. */
import { type Dial, dials } from "#core/planning";
import { addOnSettings } from "../add-ons/index.ts";
import { MAX_GOAL_LENGTH, parseGoal } from "../brief/goal-and-constraints.ts";
import { refusal } from "../errors.ts";
import { formatOutputLimits, noOutputLimits, parseOutputLimits } from "../outputs/output-limits.ts";
import { policyNames } from "../session/live-policies.ts";
import {
	defineChoice,
	defineSetting,
	defineSwitch,
	readSetting,
	type Setting,
	variableOf,
} from "../setting.ts";
import {
	budgetAllowed,
	DEFAULT_CAP,
	formatBudget,
	parseBudgetText,
	parseSize,
	sizeAllowed,
} from "./budget.ts";

/** The standard variable that every OpenTelemetry program reads. */
const STANDARD_ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";
/** The origin that settings name for its value. */
export const STANDARD_ORIGIN = `environment ${STANDARD_ENDPOINT}`;

/** A pass that stops lower leaves an agent too little; one that stops higher is followed by the next after a few requests. */
const LOW_WATER = { minimum: 0.3, maximum: 0.9 };

export const settingsSchema = {
	enabled: defineSwitch({ default: true }),
	budget: defineSetting({
		default: { type: "auto" },
		allowed: budgetAllowed,
		parse: parseBudgetText,
		format: formatBudget,
		flag: { name: "cwl-budget", description: "Context budget: auto, tokens (80000, 80k) or 40%" },
	}),
	attentionCap: defineSetting({
		default: DEFAULT_CAP,
		allowed: sizeAllowed,
		parse: parseSize,
		format: formatBudget,
	}),
	policy: defineChoice(policyNames(), {
		default: "cwl",
		flag: { name: "cwl-policy", description: "Eviction policy" },
	}),
	lowWater: defineSetting<Dial | number>({
		default: "balanced",
		allowed: `${dials.join(", ")}, or a share of the budget from ${LOW_WATER.minimum} to ${LOW_WATER.maximum}`,
		parse: parseLowWater,
		choices: [...dials],
	}),
	prompt: defineChoice(["cwl", "pi"], { default: "cwl" }),
	goal: defineSetting({
		default: "",
		allowed: `a text of at most ${MAX_GOAL_LENGTH} characters, such as "ship the release"; put the rest into a file and name it`,
		parse: parseGoal,
		format: orNone,
	}),
	zones: addOnSettings.zones,
	componentBudgets: addOnSettings.componentBudgets,
	fading: addOnSettings.fading,
	outputLimits: defineSetting({
		default: noOutputLimits,
		allowed: 'off, tokens such as 8000, or tokens by tool such as "8k,bash=4k,webfetch=off"',
		parse: parseOutputLimits,
		format: formatOutputLimits,
	}),
	memory: defineSwitch({ default: false, isPersonal: true }),
	projectSettings: defineSwitch({ default: true, isPersonal: true }),
	otlpEndpoint: defineSetting({
		default: "",
		allowed: 'an address such as "http://127.0.0.1:4318", or "none"',
		parse: parseOtlpEndpoint,
		format: orNone,
		variables: [STANDARD_ENDPOINT],
		isPersonal: true,
	}),
};

export type SettingKey = keyof typeof settingsSchema;

/** The settings in force, each of them checked. */
export type Settings = {
	readonly [K in SettingKey]: (typeof settingsSchema)[K] extends Setting<infer T> ? T : never;
};

/** The keys in the order in which settings are shown. */
export const settingKeys = Object.keys(settingsSchema) as readonly SettingKey[];

const settingByKey: { readonly [K in SettingKey]: Setting<Settings[K]> } = settingsSchema;

/** @throws CwlError when the value is not allowed for its key. */
export function readValue<K extends SettingKey>(key: K, raw: unknown): Settings[K] {
	return readSetting(key, settingByKey[key], raw);
}

/** The environment variables of a key; a later one wins. */
export function variablesOf(key: SettingKey): readonly string[] {
	return [...(settingByKey[key].variables ?? []), variableOf(key)];
}

/** The value of a key as people write it. */
export function formatValue<K extends SettingKey>(key: K, settings: Settings): string {
	return (settingByKey[key].format ?? String)(settings[key]);
}

export type Flag = NonNullable<Setting<unknown>["flag"]>;

/** The flags of pi that set a setting, by its key. */
export const flags: Partial<Readonly<Record<SettingKey, Flag>>> = Object.fromEntries(
	settingKeys.flatMap((key) => {
		const { flag } = settingByKey[key];
		return flag ? [[key, flag]] : [];
	}),
);

/** Returns the budget that a person wrote, such as `80k` or `40%`. @throws CwlError */
export function parseBudget(input: unknown): Settings["budget"] {
	return readValue("budget", input);
}

function parseLowWater(raw: unknown): Dial | number | undefined {
	const share = typeof raw === "string" && raw.trim() !== "" ? Number(raw) : raw;
	const isShare = typeof share === "number" && share >= LOW_WATER.minimum && share <= LOW_WATER.maximum;
	return isShare ? share : dials.find((dial) => dial === raw);
}

/**
 * The base address of an OTLP/HTTP receiver without slashes at its end, "" for none; undefined for another kind of address.
 * @throws CwlError for one with a password, which no message may show
 */
function parseOtlpEndpoint(raw: unknown): string | undefined {
	if (raw === "" || raw === "none") return "";
	const url = typeof raw === "string" && URL.canParse(raw) ? new URL(raw) : undefined;
	if (url?.username || url?.password) {
		throw refusal(
			"otlpEndpoint has a name or password, which settings would show: put them into OTEL_EXPORTER_OTLP_HEADERS.",
		);
	}
	const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
	return isWeb ? url.href.replace(/\/+$/, "") : undefined;
}

function orNone(text: string): string {
	return text === "" ? "none" : text;
}
