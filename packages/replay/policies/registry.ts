/** The policies that a replay compares, by name. A new one is one file and one line here. */
import {
	cwl,
	fifo,
	hybrid,
	lowWaters,
	lru,
	type PlanInput,
	type Policy,
	planFadePass,
	priority,
	semanticMerge,
	typeBased,
	withFading,
} from "#core/planning";
import { ANY_TOOL, CwlError, readValue } from "#pi";
import { clearToolUses } from "./clear-tool-uses.ts";
import { compaction } from "./compaction.ts";
import { contextFolding } from "./context-folding.ts";
import { coref } from "./coref.ts";
import { cwlMarks } from "./cwl-marks.ts";
import { dcp } from "./dcp.ts";
import { demandPaging } from "./demand-paging.ts";
import { enginePolicy } from "./engine.ts";
import { faded } from "./faded.ts";
import { defineKind, type PolicyKind } from "./knobs.ts";
import { masking } from "./masking.ts";
import { none } from "./none.ts";
import { paperKinds } from "./paper.ts";
import { recency, recencyLow } from "./recency.ts";
import { reference } from "./reference.ts";
import type { ReplayPolicy } from "./replay-policy.ts";
import { stride } from "./stride.ts";
import { trim } from "./trim.ts";
import { slidingWindow } from "./window.ts";

/** Seed 002 frees down to 60 % of the window once it acts at all (`_active_management`). */
const SEED_LOW = 0.6;

const kinds: readonly PolicyKind[] = [
	none,
	recency,
	recencyLow,
	slidingWindow,
	...[fifo, lru, priority, semanticMerge, typeBased, hybrid].map((policy) => batchDownTo(policy, SEED_LOW)),
	masking,
	clearToolUses,
	stride,
	demandPaging,
	batchDownTo(coref, SEED_LOW),
	dcp,
	trim,
	compaction,
	contextFolding,
	faded,
	reference,
	...paperKinds,
	cwlDownTo("cwl", lowWaters.balanced),
	cwlDownTo("cwl-economy", lowWaters.economy),
	cwlDownTo("cwl-quality", lowWaters.quality),
	cwlMarks,
];

/** The default policy under one of its settings; `low` is the share of the budget that a pass goes down to. */
function cwlDownTo(kind: string, lowWater: number): PolicyKind {
	return batchDownTo({ ...cwl, name: kind }, lowWater, true);
}

/**
 * A live policy of the engine; `low` as above, `outputs` is the limit for an output when it arrives, in tokens (0 for
 * none), `profile` names budgets by component, `fading` is the setting of that name or `only`, `zones` is done when the
 * context rises into any of the three zones above green.
 */
function batchDownTo(policy: Policy, lowWater: number, canRecall = false): PolicyKind {
	type Choice = readonly string[];
	const knobs: { low: number; outputs: number; profile: Choice; fading: Choice; zones: Choice } = {
		...{ low: lowWater, outputs: 0, profile: ["off"], fading: ["off"], zones: ["nothing"] },
	};
	return defineKind(policy.name, knobs, (name, { low, outputs, ...choices }) => {
		const [profile = "off"] = choices.profile;
		const [fading = "off"] = choices.fading;
		const [zones = "nothing"] = choices.zones;
		const own = { ...policy, name, plan: (input: PlanInput) => policy.plan({ ...input, lowWater: low }) };
		return enginePolicy(
			name,
			() => (fading === "only" ? fadingOnly(own) : withFading(own, readValue("fading", fading))),
			{
				canRecall,
				outputLimits: { [ANY_TOOL]: outputs },
				componentBudgets: readValue("componentBudgets", profile),
				zoneActions: readValue("zoneActions", { yellow: zones, orange: zones, red: zones }),
			},
		);
	});
}

/** Fading without eviction, as long as that keeps to the budget. */
function fadingOnly(policy: Policy): Policy {
	return {
		...policy,
		plan(input) {
			const due = policy.plan(input);
			if (!due || due.strips.length === 0) return due;
			const faded = planFadePass(policy, input);
			return faded && faded.after <= input.budget ? faded : withFading(policy, "on").plan(input);
		},
	};
}

/**
 * The contenders of a comma-separated list of names, each once; `all` stands for every one.
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
