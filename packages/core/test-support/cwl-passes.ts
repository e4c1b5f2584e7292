/** Passes of the default policy over small sessions in which a call with its result has 100 tokens. */
import { foldTranscript } from "../graph/fold.ts";
import { computeLedger } from "../ledger/ledger.ts";
import type { Pass } from "../log/pass.ts";
import { viewOfLog } from "../log/view.ts";
import { removedBy } from "../log/whole-calls.ts";
import type { PlanInput } from "../planning/policy.ts";
import { cwl } from "../policies/cwl.ts";
import { build, call, labelOf, type MessageDraft, model, person, result, text } from "./message-builders.ts";
import { planInput } from "./simulation.ts";
import { testTools } from "./tools.ts";

const fixed = { system: 0, tools: 0 };

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

/** A pass over this session, with what it evicted. Low water is at the budget unless given, so that it takes little. */
export function pass(
	drafts: readonly MessageDraft[],
	change: Partial<PlanInput> = {},
	log: readonly Pass[] = [],
) {
	const graph = foldTranscript(build(drafts), testTools);
	const { total } = computeLedger(graph, viewOfLog(log), fixed);
	const input = {
		...planInput(graph, viewOfLog(log), { budget: total - 1, fixed }),
		lowWater: 0.999,
		...change,
	};
	const made = cwl.plan(input);
	const view = viewOfLog(made ? [...log, made] : log);
	const gone = removedBy(graph, (id) => view.removed.has(id));
	const evicted = graph.messages.flatMap(({ items }) => items.filter(gone)).map(labelOf);
	return { made, total, evicted, log: made ? [...log, made] : log };
}

/** A last exchange that no pass may take. */
export const ending = [person(1), model(text(400))];
