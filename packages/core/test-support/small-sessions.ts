/** Small sessions for policies, and what a policy evicts when such a session has to shrink. */

import type { Pass } from "../log/pass.ts";
import { viewOfLog } from "../log/view.ts";
import { removedBy } from "../log/whole-calls.ts";
import type { PlanInput, Policy } from "../planning/policy.ts";
import { paper } from "../policies/paper.ts";
import * as draft from "./message-builders.ts";
import { planInput, requestSize } from "./simulation.ts";

const { call, model, person, reasoning, result, text } = draft;
type Drafts = readonly draft.MessageDraft[];

/** Delimiter calls and their results cost 1 token each here, so that the work is what counts. */
export function mark(item: draft.ItemDraft): draft.ItemDraft {
	return { ...item, tokens: 1 };
}

export function expl(name: string, ...work: Drafts): Drafts {
	return [
		model(mark(draft.startExpl(`${name} start`, name))),
		result(`${name} start`, 1),
		...work,
		model(mark(draft.end(`${name} end`, "x"))),
		result(`${name} end`, 100),
	];
}

export function act(name: string, dependencies: readonly string[], ...work: Drafts): Drafts {
	return [
		model(mark(draft.startAct(`${name} start`, name, ...dependencies))),
		result(`${name} start`, 1),
		...work,
		model(mark(draft.end(`${name} end`))),
		result(`${name} end`, 1),
	];
}

/** One exchange: reasoning, a call and its result. */
export function use(tool: string, id: string): Drafts {
	return [model(reasoning(20), call(id, tool)), result(id, 90)];
}

/** The last pass over this session with a log, the items that are evicted then, and how the pass describes itself. */
export function passOver(
	policy: Policy,
	drafts: Drafts,
	settingsFor: (total: number) => Pick<PlanInput, "budget"> & Partial<PlanInput>,
	log: readonly Pass[] = [],
) {
	const graph = draft.fold(...drafts);
	const total = requestSize(graph, log);
	const { budget, ...change } = settingsFor(total);
	const pass = policy.plan({ ...planInput(graph, viewOfLog(log), { budget }), ...change });
	const passes = pass ? [...log, pass] : log;
	const { removed } = viewOfLog(passes);
	const gone = removedBy(graph, (id) => removed.has(id));
	const evicted = graph.messages.flatMap((message) => message.items.filter(gone)).map(draft.labelOf);
	const titles = new Map(graph.episodes.map((episode) => [episode.id, draft.titleOf(graph, episode)]));
	const levels = pass?.strips.map((strip) => [titles.get(strip.episode), strip.level]);
	return { graph, pass, total, evicted, log: passes, levels };
}

/** The pass when this session is to shrink by so many tokens. */
export function shrink(drafts: Drafts, tokens: number, log: readonly Pass[] = [], policy: Policy = paper) {
	return passOver(policy, drafts, (total) => ({ budget: total - tokens }), log);
}

export const lookAndFix: Drafts = [
	person(),
	...expl("look", ...use("grep", "g1"), ...use("read", "r1"), ...use("edit", "w1")),
	...act("fix", ["look"], ...use("grep", "g2"), ...use("read", "r2"), ...use("edit", "w2")),
	model(text(5)),
];
