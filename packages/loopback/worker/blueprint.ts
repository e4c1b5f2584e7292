/** The facts of the scratch repository: its files are rendered from them, and the tasks are about them. */

import { createRandom, type Random } from "./random.ts";

export type Operator = "<" | "<=" | ">" | ">=";

export interface ConstantFact {
	readonly name: string;
	readonly description: string;
	readonly value: number;
	readonly module: string;
}

export interface FunctionFact {
	readonly name: string;
	readonly noun: string;
	readonly module: string;
	readonly operator: Operator;
	/** The constant that the function compares with. */
	readonly bound: string;
	/** The local that holds a fixed number until a task reads it from the settings. */
	readonly local: string;
	readonly fixed: number;
}

interface SettingFact {
	readonly name: string;
	readonly value: number;
}

export interface ModuleFact {
	readonly name: string;
	readonly constants: readonly ConstantFact[];
	readonly functions: readonly FunctionFact[];
	readonly settings: readonly SettingFact[];
}

export interface Blueprint {
	readonly modules: readonly ModuleFact[];
}

const NOUNS: Readonly<Record<string, readonly string[]>> = {
	billing: ["Invoice", "Refund", "Voucher", "Ledger", "Surcharge", "Payout", "Dunning"],
	orders: ["Order", "Basket", "Backorder", "Quote", "Bundle", "Checkout", "Reservation"],
	shipping: ["Parcel", "Carrier", "Pallet", "Route", "Customs", "Pickup", "Manifest"],
	catalog: ["Product", "Variant", "Price", "Category", "Review", "Listing", "Attribute"],
	accounts: ["Profile", "Consent", "Login", "Membership", "Address", "Mandate", "Referral"],
	inventory: ["Stock", "Shelf", "Supplier", "Recount", "Shortage", "Transfer", "Pledge"],
	notify: ["Message", "Template", "Digest", "Bounce", "Recipient", "Campaign", "Receipt"],
	reports: ["Summary", "Export", "Chart", "Snapshot", "Forecast", "Audit", "Metric"],
};
const VERBS = [
	"settle",
	"collect",
	"review",
	"filter",
	"prepare",
	"balance",
	"rank",
	"merge",
	"trim",
	"tally",
];
const TOPICS = ["RETRY", "BATCH", "PAGE", "CACHE", "QUEUE", "SESSION", "UPLOAD", "REMINDER", "ARCHIVE"];
const MEASURES = ["LIMIT", "SECONDS", "SIZE", "THRESHOLD"];
const LOCALS = ["waitMs", "chunkSize", "maxDepth", "graceDays", "sampleRate"];
const KNOBS = ["timeout", "interval", "window", "quota", "depth", "weight", "share", "delay"];
const MODULE_COUNT = 6;
const CONSTANT_COUNT = 34;
const SETTING_COUNT = 60;

/** The facts of a seed's repository before any task. */
export function describeRepository(seed: number): Blueprint {
	const random = createRandom(seed);
	const names = random.shuffle(Object.keys(NOUNS)).slice(0, MODULE_COUNT);
	return { modules: names.map((name) => describeModule(random, name)) };
}

function describeModule(random: Random, module: string): ModuleFact {
	const constants = describeConstants(random, module);
	const bounds = constants.map((constant) => constant.name);
	const functions = (NOUNS[module] ?? []).map(
		(noun): FunctionFact => ({
			name: `${random.pick(VERBS)}${noun}`,
			noun,
			module,
			operator: random.pick(["<", "<=", ">", ">="]),
			bound: random.pick(bounds),
			local: random.pick(LOCALS),
			fixed: random.between(2, 90) * 10,
		}),
	);
	return { name: module, constants, functions, settings: describeSettings(random) };
}

function describeConstants(random: Random, module: string): readonly ConstantFact[] {
	const pairs = TOPICS.flatMap((topic) => MEASURES.map((measure) => ({ topic, measure })));
	return random
		.shuffle(pairs)
		.slice(0, CONSTANT_COUNT)
		.map(({ topic, measure }) => ({
			name: `${module.toUpperCase()}_${topic}_${measure}`,
			description: `The ${topic.toLowerCase()} ${measure.toLowerCase()} of ${module}`,
			value: random.between(2, 400),
			module,
		}));
}

function describeSettings(random: Random): readonly SettingFact[] {
	const pairs = TOPICS.flatMap((topic) => KNOBS.map((knob) => ({ topic: topic.toLowerCase(), knob })));
	return random
		.shuffle(pairs)
		.slice(0, SETTING_COUNT)
		.map(({ topic, knob }) => ({
			name: `${topic}${knob.charAt(0).toUpperCase()}${knob.slice(1)}`,
			value: random.between(1, 900),
		}));
}
