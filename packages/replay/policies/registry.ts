/** The policies that a replay compares, by name, and those from files that a user wrote. */

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isRecord, type UnknownRecord } from "#basics";
import type { Dial, Policy } from "#core/planning";
import { cwl } from "#core/policies";
import { CwlError, messageOf } from "#pi";
import { layersOf } from "#pi/add-ons";
import { ANY_TOOL } from "#pi/outputs";
import { policyByName } from "#pi/session";
import { readValue } from "#pi/settings";
import { compaction } from "./compaction.ts";
import { enginePolicy } from "./engine.ts";
import { defineKind, type PolicyKind } from "./policy-kind.ts";
import type { ReplayPolicy } from "./replay-policy.ts";
import { slidingWindow } from "./window.ts";

/** Nothing ever leaves: what a session costs without context management. */
const none = defineKind("none", {}, (name) => ({
	name,
	exempt: [],
	open: () => (messages) => ({ messages, pass: undefined }),
}));

const SEED_POLICIES = "fifo lru priority semantic-merge type hybrid".split(" ");
/** Seed 002 frees down to 60 % of the window once it acts at all (`_active_management`). */
const SEED_LOW = 0.6;

const kinds: readonly PolicyKind[] = [
	none,
	slidingWindow,
	...SEED_POLICIES.map((name) => liveKind(name, policyByName(name), SEED_LOW)),
	compaction,
	...["paper", "paper-adapted"].map((kind) =>
		defineKind(kind, {}, (name) => enginePolicy(name, () => policyByName(kind))),
	),
	liveKind("cwl", cwl, "balanced"),
	liveKind("cwl-economy", cwl, "economy"),
	liveKind("cwl-quality", cwl, "quality"),
];

/**
 * A policy that live sessions have. `low` is the share of the budget that a pass goes down to (0: as the dial says), `outputs` the limit for an
 * output when it arrives, in tokens (0 for none), `profile` names budgets by component, `fading` is the setting of that
 * name.
 */
function liveKind(kind: string, policy: Policy, lowWater: Dial | number): PolicyKind {
	const low = typeof lowWater === "number" ? lowWater : 0;
	const knobs = { low, outputs: 0, profile: "off", fading: "off" };
	return defineKind(kind, knobs, (name, chosen) => {
		return enginePolicy(name, () => ({ ...policy, name }), {
			lowWater: chosen.low > 0 ? chosen.low : lowWater,
			outputLimits: { [ANY_TOOL]: chosen.outputs },
			layers: layersOf({
				fading: readValue("fading", chosen.fading),
				componentBudgets: readValue("componentBudgets", chosen.profile),
			}),
			passesBelowBudget: chosen.profile !== "off",
		});
	});
}

/**
 * The policies of a comma-separated list of names, each once; `all` stands for every one.
 * @throws CwlError `unknown-policy` with the known names, `bad-knob`
 */
export function parsePolicies(list: string): readonly ReplayPolicy[] {
	const names = list.split(",").flatMap((text) => {
		const name = text.trim();
		return name === "all" ? kinds.map((kind) => kind.name) : [name];
	});
	return [...new Set(names)].map(parsePolicy);
}

function parsePolicy(text: string): ReplayPolicy {
	const [name, ...settings] = text.split(":");
	const kind = kinds.find((candidate) => candidate.name === name);
	if (kind) return kind.make(text, settings);
	const known = kinds.map((candidate) => candidate.name).join(", ");
	throw new CwlError(
		"unknown-policy",
		`policy is ${JSON.stringify(name)}: use one or more of ${known}, or all.`,
	);
}

/**
 * The policies of a comma-separated list of names, and of files that export a `baseline` (docs/replay.md has an
 * example) or a `policy` of the engine.
 * @throws CwlError `unknown-policy`, `bad-knob`, `bad-policy-file`
 */
export async function loadPolicies(list: string): Promise<readonly ReplayPolicy[]> {
	const byName = new Map<string, ReplayPolicy>();
	// One after the other: jiti hands two files that share a module and load at once a module that has not run yet.
	for (const name of list.split(",").map((part) => part.trim())) {
		const found = /\.[cm]?[jt]s$/.test(name) ? [await loadFile(name)] : parsePolicies(name);
		for (const policy of found) byName.set(policy.name, policy);
	}
	return [...byName.values()];
}

async function loadFile(file: string): Promise<ReplayPolicy> {
	const refuse = (reason: string) =>
		new CwlError("bad-policy-file", `${file}: ${reason}; docs/replay.md has an example.`);
	const exported: UnknownRecord = await import(pathToFileURL(resolve(file)).href).catch((error: unknown) => {
		throw refuse(`cannot be loaded (${messageOf(error)})`);
	});
	const { baseline, policy } = exported;
	if (isBaseline(baseline)) return baseline;
	if (isPolicy(policy)) return enginePolicy(policy.name, () => policy);
	throw refuse("exports neither a `baseline` nor a `policy`");
}

function isBaseline(value: unknown): value is ReplayPolicy {
	return isNamed(value) && Array.isArray(value.exempt) && typeof value.open === "function";
}

function isPolicy(value: unknown): value is Policy {
	return isNamed(value) && typeof value.plan === "function";
}

function isNamed(value: unknown): value is UnknownRecord {
	return isRecord(value) && typeof value.name === "string";
}
