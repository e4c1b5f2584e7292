/**
 * mini-swe-agent's `.traj.json` files (github.com/SWE-agent/mini-swe-agent, docs/usage/output_files.md): one JSON
 * document, `{info, messages, trajectory_format: "mini-swe-agent-1.x"}`. Version 1 and text-based models of version 2
 * write commands into fenced text and see outcomes as a user's message; otherwise the messages are those of the Chat
 * Completions API, or responses of the Responses API as a whole. `extra.actions` holds the commands that ran.
 */
import { type Block, type Draft, openDraft, type Part, says, thinks, toolCall } from "./composing.ts";
import { type Fields, isFields } from "./json.ts";
import { readToolCalls } from "./openai-chat.ts";
import { fieldsOf, joinText, listOf, textOf } from "./parts.ts";
import { readItem } from "./responses-items.ts";
import type { Opening, RecordedSession, SessionReader } from "./session-reader.ts";

export const miniSweAgentReader: SessionReader = {
	format: "mini-swe-agent",
	recognise,
	read,
	telltale: /"(trajectory_format|model_stats|mini_version)"\s*:/,
};

function recognise({ document }: Opening): boolean {
	if (!isFields(document) || !Array.isArray(document.messages)) return false;
	if (textOf(document.trajectory_format).startsWith("mini-swe-agent")) return true;
	const { model_stats, mini_version } = fieldsOf(document.info);
	return isFields(model_stats) || typeof mini_version === "string";
}

interface Reading {
	readonly draft: Draft;
	/** Calls of the last reply without a result yet, oldest first. */
	readonly open: Set<string>;
}

async function read({ path, document }: Opening): Promise<RecordedSession> {
	const reading: Reading = { draft: openDraft(path, "#"), open: new Set() };
	for (const [place, message] of listOf(fieldsOf(document).messages).entries()) {
		addMessage(reading, fieldsOf(message), place);
	}
	return reading.draft.finish(miniSweAgentReader.format);
}

function addMessage(reading: Reading, message: Fields, place: number) {
	// In seconds.
	const { timestamp } = fieldsOf(message.extra);
	const time = typeof timestamp === "number" ? timestamp * 1000 : place;
	if (Array.isArray(message.output)) return addReply(reading, readOutput(message, place), time);
	if (message.type === "function_call_output") {
		const item = readItem(message, `c${place}`);
		if (item.type === "result") addResult(reading, item.callId, item.content, message, time);
		return;
	}
	const content = reading.draft.parts(message.content, place);
	switch (message.role) {
		case "assistant":
			return addReply(reading, readReply(message, content, place), time);
		case "tool":
			return addResult(reading, textOf(message.tool_call_id), content, message, time);
		case "user":
			return addTurn(reading, content, message, time);
		// The prompt, and the last word of the program that ran the agent.
		case "system":
		case "exit":
			return;
		default:
			reading.draft.note(place, `message of role ${JSON.stringify(message.role)}: skipped`);
	}
}

function readOutput({ output }: Fields, place: number): readonly Block[] {
	return listOf(output).flatMap((item, index) => {
		const read = readItem(fieldsOf(item), `c${place}-${index}`);
		return read.type === "model" ? read.blocks : [];
	});
}

function readReply(message: Fields, content: readonly Part[], place: number): readonly Block[] {
	const calls = readToolCalls(message, `c${place}`);
	const reasoning = thinks(textOf(message.reasoning_content));
	const acted = calls.length > 0 ? calls : readActions(message, joinText(content), place);
	return [...reasoning, ...says(joinText(content)), ...acted];
}

/** Version 1 does not say what ran: the one fenced block of the reply did. */
function readActions(message: Fields, text: string, place: number): readonly Block[] {
	const { actions } = fieldsOf(message.extra);
	const ran = listOf(actions).map((action) => textOf(fieldsOf(action).command) || textOf(action));
	const fenced = [...text.matchAll(/```(?:bash|sh|mswea_bash_command)\s*\n(.*?)\n```/gs)].map(
		([, code]) => code,
	);
	const commands = Array.isArray(actions) ? ran : fenced.length === 1 ? fenced : [];
	return commands.map((command, i) => toolCall(`c${place}-${i}`, "bash", { command: command ?? "" }));
}

function addReply(reading: Reading, blocks: readonly Block[], time: number) {
	reading.open.clear();
	for (const block of blocks) if (block.type === "toolCall") reading.open.add(block.id);
	reading.draft.reply(blocks, time);
}

function addResult(
	reading: Reading,
	callId: string,
	content: readonly Part[],
	message: Fields,
	time: number,
) {
	reading.open.delete(callId);
	const { returncode } = fieldsOf(message.extra);
	const isError = typeof returncode === "number" ? returncode !== 0 : isFailure(joinText(content));
	reading.draft.result(callId, content, time, isError, "bash");
}

function isFailure(text: string): boolean {
	return /^\s*<returncode>\s*-?[1-9]/.test(text);
}

/** After a command the user's message tells what came of it; after a reply that could not be read, what was wrong. */
function addTurn(reading: Reading, content: readonly Part[], message: Fields, time: number) {
	const { draft, open } = reading;
	const [callId] = open;
	const isInterruption = textOf(fieldsOf(message.extra).interrupt_type).startsWith("User");
	if (isInterruption || !draft.hasBegun()) draft.user(content, time);
	else if (callId !== undefined) addResult(reading, callId, content, message, time);
	else draft.aside(content, time);
}
