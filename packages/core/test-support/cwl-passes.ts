import type { Pass } from "../log/pass.ts";
import type { PlanInput } from "../planning/policy.ts";
import { cwl } from "../policies/cwl.ts";
import { call, type MessageDraft, model, person, result, text } from "./message-builders.ts";
import { passOver } from "./small-sessions.ts";

/** One exchange: a call and its result, 100 tokens. */
export function use(
	tool: string,
	id: string,
	path = `${id}.ts`,
	lines: readonly number[] = [],
): readonly MessageDraft[] {
	const asked = { ...call(id, tool, { path }), digest: { lines: [], paths: [path] } };
	const answered = result(id, 90);
	return [
		model(asked),
		{ ...answered, items: answered.items.map((item) => ({ ...item, digest: { lines, paths: [] } })) },
	];
}

/** A pass over this session. Low water is at the budget unless given, so that it takes little. */
export function pass(
	drafts: readonly MessageDraft[],
	change: Partial<PlanInput> = {},
	log: readonly Pass[] = [],
) {
	return passOver(cwl, drafts, (total) => ({ budget: total - 1, lowWater: 0.999, ...change }), log);
}

/** A last exchange that no pass may take. */
export const ending = [person(1), model(text(400))];
