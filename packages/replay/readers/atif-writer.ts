/**
 * A pi session as a trajectory in the format of Harbor (ATIF v1.4, harbor docs/rfcs/0001-trajectory-format.md): a
 * user's turns, the agent's replies with the results of their calls, and each eviction pass as a step of the system.
 */
import { sum } from "#basics";
import { PASS_ENTRY } from "#pi/session";
import { traceBranch } from "./branch.ts";
import { amountOf, type Fields, fieldsOf, isFields, recordsOf, textOf } from "./json.ts";
import { joinText, readParts } from "./message-parts.ts";

/** `model_name` and `metrics` are those of an agent's step. */
interface Step extends Fields {
	readonly message: string;
	readonly model_name?: string;
	readonly metrics?: ReturnType<typeof metricsOf>;
}

/**
 * The trajectory of a session's branch that ends at its last entry. `skip` leaves out the first entries of the file: in a
 * session that continues from task to task, those of the tasks before.
 */
export function makeTrajectory(entries: readonly Fields[], version: string, skip = 0) {
	const header = entries.find(({ type }) => type === "session");
	const nodes = entries.map((entry, place) => {
		// In version 1 of the session file each entry follows the one before it.
		const parent = entry.parentId === null ? null : textOf(entry.parentId) || undefined;
		return { place, id: textOf(entry.id), parent, entry };
	});
	const newestFirst = [...traceBranch(nodes, nodes.length - 1)].filter(({ place }) => place >= skip);
	const branch = newestFirst.map(({ entry }) => entry).reverse();
	const results = new Map(
		recordsOf(branch.map(({ message }) => message))
			.filter(({ role }) => role === "toolResult")
			.map((result) => [textOf(result.toolCallId), result]),
	);
	const steps = branch.map((entry) => stepOf(entry, results)).filter((step) => step !== undefined);
	const model = steps.findLast(({ model_name }) => model_name !== undefined)?.model_name;
	const total = (name: keyof ReturnType<typeof metricsOf>) =>
		sum(steps, ({ metrics }) => metrics?.[name] ?? 0);
	return {
		schema_version: "ATIF-v1.4",
		session_id: textOf(header?.id),
		agent: { name: "cwl", version, ...(model !== undefined && { model_name: model }) },
		steps: steps.map((step, index) => ({ step_id: index + 1, ...step })),
		final_metrics: {
			total_prompt_tokens: total("prompt_tokens"),
			total_completion_tokens: total("completion_tokens"),
			total_cached_tokens: total("cached_tokens"),
			total_cost_usd: total("cost_usd"),
			total_steps: steps.length,
		},
	};
}

function stepOf(entry: Fields, results: ReadonlyMap<string, Fields>): Step | undefined {
	const time = typeof entry.timestamp === "string" ? { timestamp: entry.timestamp } : {};
	const system = (message: string, extra: Fields): Step => ({ ...time, source: "system", message, extra });
	if (entry.type === "message" && isFields(entry.message)) {
		const step = messageStep(entry.message, results);
		return step && { ...time, ...step };
	}
	if (entry.type === "custom_message")
		return system(contentText(entry.content), { custom_type: entry.customType });
	if (entry.type === "compaction") return system(textOf(entry.summary), { event: "compaction" });
	if (entry.type !== "custom" || entry.customType !== PASS_ENTRY || !isFields(entry.data)) return undefined;
	const { policy, budget, before, after } = entry.data;
	const show = (tokens: unknown) => (typeof tokens === "number" ? String(tokens) : "an unknown number of");
	const message = `Evicted from ${show(before)} to ${show(after)} tokens.`;
	return system(message, { event: "eviction", policy, budget, before, after });
}

function messageStep(message: Fields, results: ReadonlyMap<string, Fields>): Step | undefined {
	if (message.role === "user") return { source: "user", message: contentText(message.content) };
	if (message.role !== "assistant") return undefined;
	const blocks = recordsOf(message.content);
	const calls = blocks.filter(({ type }) => type === "toolCall");
	const reasoning = blocks.map(({ thinking }) => textOf(thinking)).join("");
	const observed = calls.map(({ id }) => results.get(textOf(id))).filter((result) => result !== undefined);
	const failed = observed.flatMap(({ isError, toolCallId }) =>
		isError === true ? [textOf(toolCallId)] : [],
	);
	return {
		source: "agent",
		model_name: `${textOf(message.provider)}/${textOf(message.model)}`,
		message: contentText(blocks.filter(({ type }) => type === "text")),
		...(reasoning !== "" && { reasoning_content: reasoning }),
		...(calls.length > 0 && {
			tool_calls: calls.map(({ id, name, arguments: input }) => ({
				tool_call_id: textOf(id),
				function_name: textOf(name),
				arguments: fieldsOf(input),
			})),
		}),
		...(observed.length > 0 && {
			observation: {
				results: observed.map(({ toolCallId, content }) => ({
					source_call_id: textOf(toolCallId),
					content: contentText(content),
				})),
			},
		}),
		metrics: metricsOf(fieldsOf(message.usage)),
		...(failed.length > 0 && { extra: { failed_calls: failed } }),
	};
}

/** Tokens; the cached ones are among the prompt's. */
function metricsOf({ input, output, cacheRead, cacheWrite, cost }: Fields) {
	return {
		prompt_tokens: amountOf(input) + amountOf(cacheRead) + amountOf(cacheWrite),
		completion_tokens: amountOf(output),
		cached_tokens: amountOf(cacheRead),
		cost_usd: amountOf(fieldsOf(cost).total),
	};
}

/** Images have no text. */
const contentText = (content: unknown): string => joinText(readParts(content));
