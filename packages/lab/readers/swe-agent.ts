/**
 * SWE-agent's `.traj` files: one JSON document, whose `history` holds the messages that the model was sent, and whose
 * `trajectory` has a step for each action (github.com/SWE-agent/SWE-agent, docs/usage/trajectories.md). Without
 * function calling the model writes its action as text and is shown the outcome as a user's message: such an action is
 * read as a call of the command that it begins with. Demonstrations are no person's words.
 */
import {
	type Block,
	type Draft,
	finishDraft,
	hostNote,
	modelReply,
	openDraft,
	says,
	thinks,
	toolCall,
	toolResult,
	userMessage,
} from "./composing.ts";
import { type Fields, isFields } from "./json.ts";
import { readToolCalls } from "./openai-chat.ts";
import { fieldsOf, listOf, readParts, textOf } from "./parts.ts";
import type { Opening, RecordedSession, SessionReader } from "./session-reader.ts";

export const sweAgentReader: SessionReader = {
	format: "swe-agent",
	recognise,
	read,
	telltale: /"(trajectory|history)"\s*:\s*\[/,
};

/** Demonstrations have a history alone, whose messages say by which agent and of what kind they are. */
function recognise({ document }: Opening): boolean {
	if (!isFields(document)) return false;
	const { history, trajectory } = document;
	const isStep = (step: Fields) => typeof step.action === "string" && typeof step.observation === "string";
	const isMessage = ({ role, agent, message_type }: Fields) =>
		typeof role === "string" && (typeof agent === "string" || typeof message_type === "string");
	return (
		listOf(trajectory).some((step) => isStep(fieldsOf(step))) ||
		listOf(history).some((each) => isMessage(fieldsOf(each)))
	);
}

async function read({ path, document }: Opening): Promise<RecordedSession> {
	const draft = openDraft(path, "#");
	const { history, trajectory } = fieldsOf(document);
	const messages = listOf(history);
	if (messages.length > 0) readHistory(draft, messages);
	else readSteps(draft, listOf(trajectory));
	return finishDraft(draft, path, sweAgentReader.format);
}

interface Call {
	readonly id: string;
	readonly name: string;
}

function readHistory(draft: Draft, history: readonly unknown[]) {
	// The calls of the last reply that have no result yet.
	let open: readonly Call[] = [];
	for (const [place, value] of history.entries()) {
		const message = fieldsOf(value);
		if (message.is_demo === true)
			draft.messages.push(
				hostNote(
					readParts(message.content, () => {}),
					place,
				),
			);
		else if (message.role === "assistant") open = addReply(draft, message, place);
		else if (message.role === "tool") addResults(draft, message, open, place);
		else if (message.role === "user") open = addTurn(draft, message, open, place);
		else if (message.role !== "system") {
			draft.note(place, `message of role ${JSON.stringify(message.role)}: skipped`);
		}
	}
}

function addReply(draft: Draft, message: Fields, place: number): readonly Call[] {
	const thought = textOf(message.thought) || (typeof message.content === "string" ? message.content : "");
	const said = readToolCalls(message, `c${place}`);
	const acted = said.length > 0 ? said : readAction(textOf(message.action), `c${place}`);
	draft.messages.push(modelReply([...readThinking(message), ...says(thought), ...acted], place));
	return acted.flatMap((block) => (block.type === "toolCall" ? [{ id: block.id, name: block.name }] : []));
}

function readThinking({ thinking_blocks: blocks, reasoning_content: reasoning }: Fields): readonly Block[] {
	if (typeof reasoning === "string") return thinks(reasoning);
	return listOf(blocks).flatMap((block) => thinks(textOf(fieldsOf(block).thinking)));
}

/** Commands that SWE-agent brings along; anything else is for the shell. */
const COMMANDS = new Set(
	(
		"open goto create edit scroll_up scroll_down find_file search_dir search_file submit exit_forfeit insert " +
		"str_replace_editor view_image filemap"
	).split(" "),
);

function readAction(action: string, id: string): readonly Block[] {
	if (action.trim() === "") return [];
	const word = action.trim().split(/\s/, 1)[0] ?? "";
	return [toolCall(id, COMMANDS.has(word) ? word : "bash", { command: action })];
}

function addResults(draft: Draft, message: Fields, open: readonly Call[], place: number) {
	const ids = listOf(message.tool_call_ids ?? [message.tool_call_id]).map(textOf);
	const content = readParts(message.content, () => {});
	const callId = ids[0] || (open[0]?.id ?? "");
	const tool = open.find(({ id }) => id === callId)?.name ?? "unknown";
	draft.messages.push(toolResult({ callId, tool, content, isError: false, timestamp: place }));
}

/** The user's message after an action tells what came of it. Answers the calls that are still open. */
function addTurn(draft: Draft, message: Fields, open: readonly Call[], place: number): readonly Call[] {
	const content = readParts(message.content, (kind) => draft.note(place, `part of kind ${kind}: left out`));
	const [call] = open;
	if (call) {
		draft.messages.push(
			toolResult({ callId: call.id, tool: call.name, content, isError: false, timestamp: place }),
		);
		return [];
	}
	// Nobody is there to write once the agent has begun: it is told that its reply could not be read.
	const isTask =
		message.message_type !== "demonstration" && !draft.messages.some(({ role }) => role === "assistant");
	draft.messages.push(isTask ? userMessage(content, place) : hostNote(content, place));
	return [];
}

/** Files without a history tell the steps, and not what the person asked. */
function readSteps(draft: Draft, steps: readonly unknown[]) {
	for (const [place, value] of steps.entries()) {
		const step = fieldsOf(value);
		const acted = readAction(textOf(step.action), `c${place}`);
		const thought = textOf(step.thought) || textOf(step.response);
		draft.messages.push(modelReply([...says(thought), ...acted], place));
		const [call] = acted;
		if (call?.type !== "toolCall" || typeof step.observation !== "string") continue;
		const content = readParts(step.observation, () => {});
		const { id: callId, name: tool } = call;
		draft.messages.push(toolResult({ callId, tool, content, isError: false, timestamp: place }));
	}
}
