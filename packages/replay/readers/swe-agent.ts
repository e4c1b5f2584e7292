/**
 * The trajectories of two agents, each one JSON document. Where a model writes its action as text and is shown the
 * outcome as a user's message, the action is read as a call and the outcome as its result.
 *
 * SWE-agent's `.traj` (github.com/SWE-agent/SWE-agent, docs/usage/trajectories.md): `history` holds the messages that the
 * model was sent, and `trajectory` has a step for each action. Demonstrations are no user's words.
 *
 * mini-swe-agent's `.traj.json` (github.com/SWE-agent/mini-swe-agent, docs/usage/output_files.md): `{info, messages,
 * trajectory_format: "mini-swe-agent-1.x"}`. Version 1 and text-based models of version 2 write commands into fenced text;
 * otherwise the messages are those of the Chat Completions API, or responses of the Responses API as a whole.
 * `extra.actions` holds the commands that ran.
 */
import type { Draft, SessionReader } from "./draft.ts";
import { type Fields, fieldsOf, isFields, listOf, recordsOf, textOf } from "./json.ts";
import {
	type Block,
	joinText,
	type Part,
	readParts,
	readSentThinking,
	says,
	toolCall,
} from "./message-parts.ts";
import { readItem, readToolCalls } from "./responses-items.ts";

export const sweAgentReader: SessionReader = {
	format: "swe-agent",
	lists: ["history", "trajectory"],
	/** Demonstrations have a history alone, whose messages say by which agent and of what kind they are. */
	recognise({ document }) {
		const { history, trajectory } = fieldsOf(document);
		const isStep = ({ action, observation }: Fields) =>
			typeof action === "string" && typeof observation === "string";
		const isMessage = ({ role, agent, message_type }: Fields) =>
			typeof role === "string" && (typeof agent === "string" || typeof message_type === "string");
		return recordsOf(trajectory).some(isStep) || recordsOf(history).some(isMessage);
	},
	async read(draft, entries, { document }) {
		const isHistory = listOf(fieldsOf(document).history).length > 0;
		for await (const entry of entries) {
			const place = draft.place();
			draft.turnTo(place, place);
			if (isHistory) addHistoryMessage(draft, entry);
			else addStep(draft, entry);
		}
	},
};

function addHistoryMessage(draft: Draft, message: Fields) {
	if (message.is_demo === true) draft.aside(readParts(message.content));
	else if (message.role === "assistant") addReply(draft, message);
	else if (message.role === "user") addTurn(draft, message);
	else if (message.role === "tool") {
		const [id] = listOf(message.tool_call_ids ?? [message.tool_call_id]).map(textOf);
		draft.result(id || (draft.openCall() ?? ""), readParts(message.content));
	} else if (message.role !== "system") {
		draft.noteUnknown("message of role", message.role);
	}
}

function addReply(draft: Draft, message: Fields) {
	const said = textOf(message.thought) || textOf(message.content);
	const made = readToolCalls(message, `c${draft.place()}`);
	const acted = made.length > 0 ? made : readAction(draft, message);
	draft.reply([...readSentThinking(message), ...says(said), ...acted]);
}

/** Commands that SWE-agent brings along; anything else is for the shell. */
const COMMANDS = new Set(
	(
		"open goto create edit scroll_up scroll_down find_file search_dir search_file submit exit_forfeit insert " +
		"str_replace_editor view_image filemap"
	).split(" "),
);

function readAction(draft: Draft, message: Fields): readonly Block[] {
	const action = textOf(message.action);
	if (action.trim() === "") return [];
	const word = action.trim().split(/\s/, 1)[0] ?? "";
	return [toolCall(`c${draft.place()}`, COMMANDS.has(word) ? word : "bash", { command: action })];
}

/** The user's message after an action is its outcome. */
function addTurn(draft: Draft, message: Fields) {
	const content = draft.parts(message.content);
	const call = draft.openCall();
	if (call !== undefined) draft.result(call, content);
	// Nobody is there to write once the agent has begun: the message says that a reply could not be read.
	else if (message.message_type === "demonstration" || draft.hasBegun()) draft.aside(content);
	else draft.user(content);
	draft.endCalls();
}

/** Files without a history hold the steps, and not what the user asked. */
function addStep(draft: Draft, step: Fields) {
	draft.reply([...says(textOf(step.thought) || textOf(step.response)), ...readAction(draft, step)]);
	const call = draft.openCall();
	if (call !== undefined && typeof step.observation === "string")
		draft.result(call, readParts(step.observation));
}

export const miniSweAgentReader: SessionReader = {
	format: "mini-swe-agent",
	lists: ["messages"],
	recognise({ document }) {
		if (!isFields(document) || !Array.isArray(document.messages)) return false;
		if (textOf(document.trajectory_format).startsWith("mini-swe-agent")) return true;
		const { model_stats, mini_version } = fieldsOf(document.info);
		return isFields(model_stats) || typeof mini_version === "string";
	},
	async read(draft, messages) {
		for await (const message of messages) addMessage(draft, message);
	},
};

function addMessage(draft: Draft, message: Fields) {
	const { timestamp, returncode, interrupt_type } = fieldsOf(message.extra);
	const place = draft.place();
	// Recorded in seconds.
	draft.turnTo(place, typeof timestamp === "number" ? timestamp * 1000 : place);
	const result = (callId: string, shown: readonly Part[]) => {
		const isFailure = /^\s*<returncode>\s*-?[1-9]/.test(joinText(shown));
		const isError = typeof returncode === "number" ? returncode !== 0 : isFailure;
		draft.result(callId, shown, isError, "bash");
	};
	if (Array.isArray(message.output)) {
		const items = recordsOf(message.output).map((item, i) => readItem(item, `c${place}-${i}`));
		return draft.reply(items.flatMap(({ blocks }) => blocks ?? []));
	}
	if (message.type === "function_call_output") {
		const { result: shown } = readItem(message, `c${place}`);
		return shown && result(shown.callId, shown.content);
	}
	const content = draft.parts(message.content);
	if (message.role === "assistant") draft.reply(readReply(message, joinText(content), place));
	else if (message.role === "tool") result(textOf(message.tool_call_id), content);
	else if (message.role === "user") {
		// After a command the message is its outcome; after a reply that could not be read, it says what was wrong.
		const callId = draft.openCall();
		if (textOf(interrupt_type).startsWith("User") || !draft.hasBegun()) draft.user(content);
		else if (callId !== undefined) result(callId, content);
		else draft.aside(content);
	} else if (message.role !== "system" && message.role !== "exit") {
		// The others are the prompt, and the last word of the program that ran the agent.
		draft.noteUnknown("message of role", message.role);
	}
}

function readReply(message: Fields, text: string, place: number): readonly Block[] {
	const calls = readToolCalls(message, `c${place}`);
	const acted = calls.length > 0 ? calls : readActions(message, text, place);
	return [...readSentThinking(message), ...says(text), ...acted];
}

/** Version 1 does not say what ran: the one fenced block of the reply did. */
function readActions(message: Fields, text: string, place: number): readonly Block[] {
	const { actions } = fieldsOf(message.extra);
	const ran = listOf(actions).map((action) => textOf(fieldsOf(action).command) || textOf(action));
	const fenced = [...text.matchAll(/```(?:bash|sh|mswea_bash_command)\s*\n(.*?)\n```/gs)];
	const commands = Array.isArray(actions) ? ran : fenced.length === 1 ? [fenced[0]?.[1] ?? ""] : [];
	return commands.map((command, i) => toolCall(`c${place}-${i}`, "bash", { command }));
}
