/** The policies that a session may run under, by the name that settings and commands use. */

import { seedPolicies } from "#core/add-ons";
import type { Policy } from "#core/planning";
import { cwl, paper, paperAdapted } from "#core/policies";

const policies: readonly Policy[] = [cwl, paper, paperAdapted, ...seedPolicies];

export function policyNames(): readonly string[] {
	return policies.map((policy) => policy.name);
}

/** The policy of that name; names come from checked settings, so an unknown one falls back to the first. */
export function policyByName(name: string): Policy {
	return policies.find((policy) => policy.name === name) ?? cwl;
}
