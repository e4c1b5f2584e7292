/**
 * Lets the scripted worker work through the tools of an agent that is not pi: its calls are spelled as the agent's tools
 * want them, and the agent's history is read back in the worker's terms. Nothing is added that the request does not hold.
 */
import {
	type ModelCall,
	type ModelMessage,
	type ModelRequest,
	type NewCall,
	readAction,
	type ScriptedModel,
	spellAction,
	type ToolDefinition,
} from "#loopback";
import { SUMMARY_PROMPT } from "../single-session/summariser.ts";
import { IN_PROGRESS, isOwnSummary, summarizeTasks } from "./summary.ts";

type Arguments = Readonly<Record<string, unknown>>;

export interface ToolResult {
	readonly text: string;
	readonly isError: boolean;
}

/** The tools of one agent, compared with those that the worker knows. */
export interface Dialect {
	/** The worker's tools that the agent has in some form; bash replaces the others. Undefined if they are the same. */
	readonly tools: readonly ToolDefinition[] | undefined;
	/** Put in front of the names of the tools of `cwl mcp`. */
	readonly ownPrefix: string;
	/** True for requests that ask for a summary of the conversation. */
	readonly isSummary: (request: ModelRequest) => boolean;
	/** The agent's call for a call of the worker that is none of our own tools. */
	readonly spell: (call: NewCall, request: ModelRequest) => NewCall;
	/** The worker's call for a call of the agent. */
	readonly read: (call: ModelCall) => ModelCall;
	/** A result as the worker's tool would have given it. */
	readonly readResult: (call: ModelCall, result: ToolResult) => ToolResult;
}

export const tool = (name: string, parameters: unknown = {}): ToolDefinition => ({
	name,
	description: name,
	parameters,
});

export const textAt = (values: Arguments, key: string): string => {
	const value = values[key];
	return typeof value === "string" ? value : "";
};

const OWN_TOOLS = ["delimiter", "recall"];

/** Side requests, such as those for titles, offer no tools. */
const SIDE_REPLY = "Small changes in a repository";

/** The worker as the model of an agent with this dialect. */
export function speakDialect(worker: ScriptedModel, dialect: Dialect): ScriptedModel {
	return (request) => {
		if (dialect.isSummary(request)) {
			worker({ system: SUMMARY_PROMPT, tools: [], messages: [] });
			return { text: summarizeTasks(request) };
		}
		if (request.tools.length === 0) return { text: SIDE_REPLY };
		const reply = worker(readRequest(request, dialect));
		const calls = reply.calls?.map((call) =>
			OWN_TOOLS.includes(call.name)
				? { ...call, name: `${dialect.ownPrefix}${call.name}` }
				: dialect.spell(call, request),
		);
		return { ...reply, ...(calls && { calls }) };
	};
}

/** The same request in the worker's terms. */
export function readRequest(request: ModelRequest, dialect: Dialect): ModelRequest {
	const own = request.tools.flatMap(({ name }) => plainName(name, dialect) ?? []).map((name) => tool(name));
	const tools = dialect.tools ? [...dialect.tools, ...own] : request.tools;
	const calls = new Map<string, ModelCall>();
	const messages = request.messages.flatMap((message): readonly ModelMessage[] => {
		switch (message.type) {
			case "user":
				return splitSummary(message.text).map((text) => ({ type: "user", text }));
			case "assistant": {
				for (const call of message.calls) calls.set(call.id, call);
				return [{ ...message, calls: message.calls.map((call) => readCall(call, dialect)) }];
			}
			case "result":
				return readResult(message, calls.get(message.callId), dialect);
			case "system":
				return [message];
			default:
				return message satisfies never;
		}
	});
	return { system: request.system, tools, messages };
}

function plainName(name: string, { ownPrefix }: Dialect): string | undefined {
	const plain = name.startsWith(ownPrefix) ? name.slice(ownPrefix.length) : "";
	return OWN_TOOLS.includes(plain) ? plain : undefined;
}

function readCall(call: ModelCall, dialect: Dialect): ModelCall {
	const own = plainName(call.name, dialect);
	return own ? { ...call, name: own } : dialect.read(call);
}

/** The lines that the proxy adds to a result become a message of their own, as the worker knows them from pi. */
function readResult(
	message: Extract<ModelMessage, { type: "result" }>,
	call: ModelCall | undefined,
	dialect: Dialect,
): readonly ModelMessage[] {
	const { text, lines } = splitLines(message.text);
	const given = { text, isError: message.isError };
	const read = call && !plainName(call.name, dialect) ? dialect.readResult(call, given) : given;
	const result: ModelMessage = { ...message, ...read };
	return lines === "" ? [result] : [result, { type: "user", text: lines }];
}

const LINES = /\n\n((?:\[[^\n]*\bevicted\b[^\n]*(?:\n|$))+)$/;

function splitLines(text: string): { readonly text: string; readonly lines: string } {
	const found = LINES.exec(text);
	return found ? { text: text.slice(0, found.index), lines: found[1] ?? "" } : { text, lines: "" };
}

/** A summary holds many tasks: the one that is in progress is the last that the user asked for. */
function splitSummary(text: string): readonly string[] {
	if (!isOwnSummary(text)) return [text];
	const [before = "", after = ""] = text.split(`${IN_PROGRESS}\n`);
	const [task = "", ...rest] = after.split("\n");
	return [`${before}\n${rest.join("\n")}`, ...(task === "" ? [] : [task])];
}

/** A call of the worker as one of its shell commands. */
export function asCommand(call: NewCall): string {
	const action = readAction({ ...call, id: "" });
	if (!action) return textAt(call.arguments, "command");
	const [spelled] = action.type === "change" ? [] : spellAction(action, []);
	return spelled ? textAt(spelled.arguments, "command") : "";
}
