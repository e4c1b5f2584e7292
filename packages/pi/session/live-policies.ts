/** The policies that a session may run under, by the name that settings and commands use. */

import type { Policy } from "#core/planning";
import {
	cwl,
	fifo,
	hybrid,
	lru,
	paper,
	paperAdapted,
	priority,
	semanticMerge,
	typeBased,
} from "#core/policies";

const policies: readonly Policy[] = [
	...[cwl, paper, paperAdapted],
	...[fifo, lru, priority, typeBased, semanticMerge, hybrid],
];

export function policyNames(): readonly string[] {
	return policies.map((policy) => policy.name);
}

/** The policy of that name; names come from checked settings, so an unknown one falls back to the first. */
export function policyByName(name: string): Policy {
	return policies.find((policy) => policy.name === name) ?? cwl;
}
