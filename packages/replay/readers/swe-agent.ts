/**
 * SWE-agent's `.traj` files: one JSON document, whose `history` holds the messages that the model was sent, and whose
 * `trajectory` has a step for each action (github.com/SWE-agent/SWE-agent, docs/usage/trajectories.md). Without
 * function calling the model writes its action as text and is shown the outcome as a user's message: such an action is
 * read as a call of the command that it begins with. Demonstrations are no person's words.
 */
import { type Block, type Draft, openDraft, says, thinks, toolCall } from "./composing.ts";
import { type Fields, isFields } from "./json.ts";
import { readToolCalls } from "./openai-chat.ts";
import { fieldsOf, listOf, textOf } from "./parts.ts";
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
	return draft.finish(sweAgentReader.format);
}

function readHistory(draft: Draft, history: readonly unknown[]) {
	// The calls of the last reply that have no result yet.
	let open: readonly string[] = [];
	for (const [place, value] of history.entries()) {
		const message = fieldsOf(value);
		if (message.is_demo === true) draft.aside(draft.parts(message.content), place);
		else if (message.role === "assistant") open = addReply(draft, message, place);
		else if (message.role === "tool") addResults(draft, message, open, place);
		else if (message.role === "user") open = addTurn(draft, message, open, place);
		else if (message.role !== "system") {
			draft.note(place, `message of role ${JSON.stringify(message.role)}: skipped`);
		}
	}
}

function addReply(draft: Draft, message: Fields, place: number): readonly string[] {
	const thought = textOf(message.thought) || (typeof message.content === "string" ? message.content : "");
	const said = readToolCalls(message, `c${place}`);
	const acted = said.length > 0 ? said : readAction(textOf(message.action), `c${place}`);
	draft.reply([...readThinking(message), ...says(thought), ...acted], place);
	return acted.flatMap((block) => (block.type === "toolCall" ? [block.id] : []));
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

function addResults(draft: Draft, message: Fields, open: readonly string[], place: number) {
	const ids = listOf(message.tool_call_ids ?? [message.tool_call_id]).map(textOf);
	draft.result(ids[0] || (open[0] ?? ""), draft.parts(message.content), place);
}

/** The user's message after an action tells what came of it. Answers the calls that are still open. */
function addTurn(draft: Draft, message: Fields, open: readonly string[], place: number): readonly string[] {
	const content = draft.parts(message.content, place);
	const [call] = open;
	if (call !== undefined) draft.result(call, content, place);
	// Nobody is there to write once the agent has begun: it is told that its reply could not be read.
	else if (message.message_type === "demonstration" || draft.hasBegun()) draft.aside(content, place);
	else draft.user(content, place);
	return [];
}

/** Files without a history tell the steps, and not what the person asked. */
function readSteps(draft: Draft, steps: readonly unknown[]) {
	for (const [place, value] of steps.entries()) {
		const step = fieldsOf(value);
		const acted = readAction(textOf(step.action), `c${place}`);
		const thought = textOf(step.thought) || textOf(step.response);
		draft.reply([...says(thought), ...acted], place);
		const [call] = acted;
		if (call?.type !== "toolCall" || typeof step.observation !== "string") continue;
		draft.result(call.id, draft.parts(step.observation), place);
	}
}
