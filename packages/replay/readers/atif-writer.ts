/**
 * A pi session as a trajectory in the format of Harbor (ATIF v1.4, harbor docs/rfcs/0001-trajectory-format.md): a
 * person's turns, the agent's replies with the results of their calls, and each eviction pass as a step of the system.
 */

import { PASS_ENTRY } from "#pi";
import { type Fields, isFields } from "./json.ts";

export interface Trajectory {
	readonly schema_version: "ATIF-v1.4";
	readonly session_id: string;
	readonly agent: { readonly name: "cwl"; readonly version: string; readonly model_name?: string };
	readonly steps: readonly Step[];
	readonly final_metrics: {
		readonly total_prompt_tokens: number;
		readonly total_completion_tokens: number;
		readonly total_cached_tokens: number;
		readonly total_cost_usd: number;
		readonly total_steps: number;
	};
}

interface Step {
	/** From 1. */
	readonly step_id: number;
	readonly timestamp?: string;
	readonly source: "system" | "user" | "agent";
	readonly model_name?: string;
	readonly message: string;
	readonly reasoning_content?: string;
	readonly tool_calls?: readonly ToolCall[];
	readonly observation?: { readonly results: readonly Observation[] };
	readonly metrics?: Metrics;
	readonly extra?: Fields;
}

interface ToolCall {
	readonly tool_call_id: string;
	readonly function_name: string;
	readonly arguments: Fields;
}

interface Observation {
	readonly source_call_id: string;
	readonly content: string;
}

/** Tokens; the cached ones are among the prompt's. */
interface Metrics {
	readonly prompt_tokens: number;
	readonly completion_tokens: number;
	readonly cached_tokens: number;
	readonly cost_usd: number;
}

/**
 * The trajectory of a session's branch that ends at its last entry. `skip` leaves out the first entries of the file:
 * in a session that goes on from task to task, those of the tasks before.
 */
export function makeTrajectory(entries: readonly Fields[], version: string, skip = 0): Trajectory {
	const header = entries.find(({ type }) => type === "session");
	const own = new Set(entries.slice(skip));
	const branch = branchOf(entries).filter((entry) => own.has(entry));
	const results = resultsOf(branch);
	const steps = branch.flatMap((entry) => stepOf(entry, results) ?? []);
	const model = steps.findLast(({ model_name }) => model_name !== undefined)?.model_name;
	const total = (of: (metrics: Metrics) => number) =>
		steps.reduce((sum, { metrics }) => sum + (metrics ? of(metrics) : 0), 0);
	return {
		schema_version: "ATIF-v1.4",
		session_id: textOf(header?.id),
		agent: { name: "cwl", version, ...(model !== undefined && { model_name: model }) },
		steps: steps.map((step, index) => ({ step_id: index + 1, ...step })),
		final_metrics: {
			total_prompt_tokens: total((metrics) => metrics.prompt_tokens),
			total_completion_tokens: total((metrics) => metrics.completion_tokens),
			total_cached_tokens: total((metrics) => metrics.cached_tokens),
			total_cost_usd: total((metrics) => metrics.cost_usd),
			total_steps: steps.length,
		},
	};
}

/** From version 2 on entries form a tree; a list without ids is its own branch. */
function branchOf(entries: readonly Fields[]): readonly Fields[] {
	const byId = new Map(
		entries.flatMap((entry) => (typeof entry.id === "string" ? [[entry.id, entry] as const] : [])),
	);
	const last = entries.at(-1);
	if (typeof last?.parentId !== "string") return entries;
	const branch: Fields[] = [];
	for (let entry: Fields | undefined = last; entry; entry = byId.get(textOf(entry.parentId))) {
		branch.push(entry);
		// A file that somebody touched may lead in a circle.
		byId.delete(textOf(entry.id));
	}
	return branch.toReversed();
}

function resultsOf(branch: readonly Fields[]): ReadonlyMap<string, Fields> {
	const messages = branch.map(({ message }) => message).filter(isFields);
	return new Map(
		messages.filter(({ role }) => role === "toolResult").map((result) => [textOf(result.toolCallId), result]),
	);
}

type Draft = Omit<Step, "step_id">;

function stepOf(entry: Fields, results: ReadonlyMap<string, Fields>): Draft | undefined {
	const time = typeof entry.timestamp === "string" ? { timestamp: entry.timestamp } : {};
	switch (entry.type) {
		case "message":
			return isFields(entry.message) ? messageStep(entry.message, time, results) : undefined;
		case "custom_message":
			return {
				...time,
				source: "system",
				message: contentText(entry.content),
				extra: { custom_type: entry.customType },
			};
		case "compaction":
			return { ...time, source: "system", message: textOf(entry.summary), extra: { event: "compaction" } };
		case "custom":
			return entry.customType === PASS_ENTRY && isFields(entry.data) ? passStep(entry.data, time) : undefined;
		default:
			return undefined;
	}
}

function passStep({ policy, budget, before, after }: Fields, time: Pick<Step, "timestamp">): Draft {
	const show = (tokens: unknown) => (typeof tokens === "number" ? String(tokens) : "an unknown number of");
	const message = `Evicted from ${show(before)} to ${show(after)} tokens.`;
	return { ...time, source: "system", message, extra: { event: "eviction", policy, budget, before, after } };
}

function messageStep(
	message: Fields,
	time: Pick<Step, "timestamp">,
	results: ReadonlyMap<string, Fields>,
): Draft | undefined {
	if (message.role === "user") return { ...time, source: "user", message: contentText(message.content) };
	if (message.role !== "assistant") return undefined;
	const blocks = Array.isArray(message.content) ? message.content.filter(isFields) : [];
	const calls = blocks.filter(({ type }) => type === "toolCall");
	const reasoning = blocks.map(({ thinking }) => textOf(thinking)).join("");
	const observed = calls.map(({ id }) => results.get(textOf(id))).filter((result) => result !== undefined);
	const failed = observed
		.filter(({ isError }) => isError === true)
		.map(({ toolCallId }) => textOf(toolCallId));
	return {
		...time,
		source: "agent",
		model_name: `${textOf(message.provider)}/${textOf(message.model)}`,
		message: contentText(blocks.filter(({ type }) => type === "text")),
		...(reasoning !== "" && { reasoning_content: reasoning }),
		...(calls.length > 0 && { tool_calls: calls.map(callOf) }),
		...(observed.length > 0 && { observation: { results: observed.map(observationOf) } }),
		metrics: metricsOf(isFields(message.usage) ? message.usage : {}),
		...(failed.length > 0 && { extra: { failed_calls: failed } }),
	};
}

function callOf({ id, name, arguments: input }: Fields): ToolCall {
	return { tool_call_id: textOf(id), function_name: textOf(name), arguments: isFields(input) ? input : {} };
}

function observationOf({ toolCallId, content }: Fields): Observation {
	return { source_call_id: textOf(toolCallId), content: contentText(content) };
}

function metricsOf({ input, output, cacheRead, cacheWrite, cost }: Fields): Metrics {
	return {
		prompt_tokens: numberOf(input) + numberOf(cacheRead) + numberOf(cacheWrite),
		completion_tokens: numberOf(output),
		cached_tokens: numberOf(cacheRead),
		cost_usd: isFields(cost) ? numberOf(cost.total) : 0,
	};
}

/** Images have no text. */
function contentText(content: unknown): string {
	if (typeof content === "string") return content;
	return Array.isArray(content)
		? content
				.filter(isFields)
				.map(({ text }) => textOf(text))
				.join("\n")
		: "";
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const numberOf = (value: unknown): number => (typeof value === "number" ? value : 0);
