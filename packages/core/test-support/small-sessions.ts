/** Small sessions for policies, and what a policy evicts when such a session has to shrink. */

import type { Pass } from "../log/pass.ts";
import { viewOfLog } from "../log/view.ts";
import { removedBy } from "../log/whole-calls.ts";
import type { PlanInput, Policy } from "../planning/policy.ts";
import { cwl } from "../policies/cwl.ts";
import { paper } from "../policies/paper.ts";
import * as draft from "./message-builders.ts";
import { planInput, requestSize } from "./simulation.ts";

const { answered, call, model, person, reasoning, text } = draft;
type Drafts = readonly draft.MessageDraft[];

/** Delimiter calls cost 1 token each here, and most of their results too, so that the work is what counts. */
export function mark(item: draft.ItemDraft): draft.ItemDraft {
	return { ...item, tokens: 1 };
}

/** The beginning of an expl that is still open. */
export function open(name: string, ...work: Drafts): Drafts {
	return [...answered(1, mark(draft.startExpl(`${name} start`, name))), ...work];
}

export function expl(name: string, ...work: Drafts): Drafts {
	return [...open(name, ...work), ...answered(100, mark(draft.end(`${name} end`, "x")))];
}

/** The beginning of an act that is still open. */
export function openAct(name: string, dependencies: readonly string[], ...work: Drafts): Drafts {
	return [...answered(1, mark(draft.startAct(`${name} start`, name, ...dependencies))), ...work];
}

export function act(name: string, dependencies: readonly string[], ...work: Drafts): Drafts {
	return [...openAct(name, dependencies, ...work), ...answered(1, mark(draft.end(`${name} end`)))];
}

/** One exchange: reasoning, a call and its result. */
export function use(tool: string, id: string): Drafts {
	return answered(90, reasoning(20), call(id, tool));
}

/** One exchange of 100 tokens without reasoning, about a file; its result shows these lines. */
export function useFile(tool: string, id: string, path = `${id}.ts`, lines: readonly number[] = []): Drafts {
	return [model(call(id, tool, { path }, 10, { paths: [path] })), draft.result(id, 90, { lines })];
}

/** A last exchange that no pass may take. */
export const ending: Drafts = [person(1), model(text(400))];

/** The last pass over this session with a log, the items that are evicted then, and how the pass describes itself. */
export function passOver(
	policy: Policy,
	drafts: Drafts,
	settingsFor: (total: number) => Pick<PlanInput, "budget"> & Partial<PlanInput>,
	log: readonly Pass[] = [],
) {
	const graph = draft.fold(...drafts);
	const total = requestSize(graph, log);
	const pass = policy.plan(planInput(graph, settingsFor(total), viewOfLog(log)));
	const passes = pass ? [...log, pass] : log;
	const { removed } = viewOfLog(passes);
	const gone = removedBy(graph, removed);
	const evicted = graph.messages.flatMap((message) => message.items.filter(gone)).map(draft.labelOf);
	const titles = new Map(graph.episodes.map((episode) => [episode.id, draft.titleOf(graph, episode)]));
	const levels = pass?.strips.map((strip) => `${titles.get(strip.episode)} ${strip.level}`);
	return { graph, pass, total, evicted, log: passes, levels };
}

/** The pass when this session is to shrink by so many tokens. */
export function shrink(drafts: Drafts, tokens: number, log: readonly Pass[] = [], policy: Policy = paper) {
	return passOver(policy, drafts, (total) => ({ budget: total - tokens }), log);
}

/** A pass of the default policy. Low water is at the budget unless given, so that it takes little. */
export function passOfCwl(drafts: Drafts, change: Partial<PlanInput> = {}, log: readonly Pass[] = []) {
	return passOver(cwl, drafts, (total) => ({ budget: total - 1, lowWater: 0.999, ...change }), log);
}

export const lookAndFix: Drafts = [
	person(),
	...expl("look", ...use("grep", "g1"), ...use("read", "r1"), ...use("edit", "w1")),
	...act("fix", ["look"], ...use("grep", "g2"), ...use("read", "r2"), ...use("edit", "w2")),
	model(text(5)),
];
