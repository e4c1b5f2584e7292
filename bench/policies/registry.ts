/** The policies that a replay compares, by name. A new one is one file and one line here. */
import type { Policy } from "../../packages/core/plan.ts";
import { paper } from "../../packages/core/policies/paper.ts";
import { CwlError } from "../../packages/host/errors.ts";
import { none } from "./none.ts";

const policies: readonly Policy[] = [none, paper];

/** The policies of a comma-separated list of names, each once. Throws a `CwlError` that lists the known names. */
export function parsePolicies(list: string): readonly Policy[] {
	const names = new Set(list.split(",").map((name) => name.trim()));
	return [...names].map((name) => {
		const policy = policies.find((candidate) => candidate.name === name);
		if (policy) return policy;
		const known = policies.map((candidate) => candidate.name).join(", ");
		throw new CwlError("unknown-policy", `policy is ${JSON.stringify(name)}: use one or more of ${known}.`);
	});
}
