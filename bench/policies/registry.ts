/** The policies that a replay compares, by name. A new one is one file and one line here. */
import type { Policy } from "../../packages/core/plan.ts";
import { cwl, lowWaters } from "../../packages/core/policies/cwl.ts";
import { paper } from "../../packages/core/policies/paper.ts";
import { CwlError } from "../../packages/host/errors.ts";
import type { Contender } from "./contender.ts";
import { engineContender } from "./engine.ts";
import { masking } from "./masking.ts";
import { none } from "./none.ts";
import { recency, recencyLow } from "./recency.ts";

const contenders: readonly Contender[] = [
	none,
	engineContender(recency),
	engineContender(recencyLow),
	masking,
	engineContender(paper),
	engineContender(cwl),
	engineContender(cwlDownTo("economy")),
	engineContender(cwlDownTo("quality")),
];

/** The default policy under another of its settings, by the name `cwl-SETTING`. */
function cwlDownTo(setting: "economy" | "quality"): Policy {
	const lowWater = lowWaters[setting];
	return { name: `cwl-${setting}`, plan: (input) => cwl.plan({ ...input, lowWater }) };
}

/** The policies of a comma-separated list of names, each once. Throws a `CwlError` that lists the known names. */
export function parsePolicies(list: string): readonly Contender[] {
	const names = new Set(list.split(",").map((name) => name.trim()));
	return [...names].map((name) => {
		const contender = contenders.find((candidate) => candidate.name === name);
		if (contender) return contender;
		const known = contenders.map((candidate) => candidate.name).join(", ");
		throw new CwlError("unknown-policy", `policy is ${JSON.stringify(name)}: use one or more of ${known}.`);
	});
}
