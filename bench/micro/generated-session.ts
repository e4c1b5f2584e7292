/**
 * Generates sessions of any length for measurements: the same for the same seed, annotated, and with the sizes of
 * recorded agent sessions (medians and tails of turns, calls and outputs; log-normal).
 */
import { seededRandom } from "#core";
import type { HostMessage } from "#pi";
import { assistantMessage } from "../assistant-message.ts";

type Reply = HostMessage & { readonly role: "assistant" };
type Block = Reply["content"][number];
/** Numbers from 0 up to 1. */
type Random = () => number;

interface Writer {
	readonly random: Random;
	readonly messages: HostMessage[];
	/** The length of this session's turns divided by those of recorded sessions. */
	readonly pace: number;
	calls: number;
	episodes: number;
	/** The open episode, and the exchanges that it still has. */
	open: { readonly name: string; readonly kind: "expl" | "act"; left: number } | undefined;
}

/**
 * Longer sessions have longer turns, not more of them: user turns are never evicted, and hundreds of them would fill
 * any budget.
 */
const USUAL_LENGTH = 5_000;

/** The first `length` messages of a seed's session. It ends where a request would be sent. */
export function generateSession(length: number, seed: number): readonly HostMessage[] {
	const start = { messages: [], calls: 0, episodes: 0, open: undefined };
	const writer: Writer = { random: seededRandom(seed), pace: Math.max(1, length / USUAL_LENGTH), ...start };
	while (writer.messages.length < length) writeTurn(writer);
	const { messages } = writer;
	const end = messages.findIndex(({ role }, index) => index >= length && role === "assistant");
	return messages.slice(0, end < 0 ? undefined : end);
}

/** The points of the requests: before each answer of the model. */
export function requestPoints(messages: readonly HostMessage[]): readonly number[] {
	const points = messages.flatMap(({ role }, index) => (role === "assistant" ? [index] : []));
	return [...points, messages.length];
}

function writeTurn(writer: Writer) {
	const { random } = writer;
	const isPasted = random() < 0.03;
	const tokens = isPasted ? heavyTailed(random, 1_500, 0.7, 6_000) : heavyTailed(random, 24, 1.1, 1_000);
	add(writer, { role: "user", content: prose(tokens), timestamp: 0 });
	if (random() < 0.4) {
		const content = `<git-status>\nmain\n M ${pathOf(random)}\n M ${pathOf(random)}\n</git-status>`;
		add(writer, { role: "custom", customType: "cwl.git", content, display: false, timestamp: 0 });
	}
	const exchanges = Math.ceil(writer.pace * heavyTailed(random, 5.5, 1.3, 150));
	for (let exchange = 0; exchange < exchanges; exchange += 1) writeExchange(writer);
	add(writer, reply([{ type: "text", text: prose(heavyTailed(random, 60, 0.8, 1_000)) }]));
}

/** An answer with its calls, in random parts, and their results. */
function writeExchange(writer: Writer) {
	const { random } = writer;
	const calls = [...marks(writer), ...Array.from({ length: random() < 0.8 ? 1 : 2 }, () => work(writer))];
	const thought: Block = { type: "thinking", thinking: prose(heavyTailed(random, 60, 1, 2_000)) };
	const text: Block = { type: "text", text: prose(heavyTailed(random, 25, 1, 500)) };
	add(
		writer,
		reply([
			...(random() < 0.3 ? [thought] : []),
			...(random() < 0.5 ? [text] : []),
			...calls.map(({ call }) => call),
		]),
	);
	for (const { call, output } of calls) {
		const isError = call.name === "bash" && random() < 0.05;
		const { id: toolCallId, name: toolName } = call;
		const content = [{ type: "text" as const, text: output }];
		add(writer, { role: "toolResult", toolCallId, toolName, content, isError, timestamp: 0 });
	}
}

interface Call {
	readonly call: Block & { readonly type: "toolCall" };
	readonly output: string;
}

function makeCall(writer: Writer, name: string, args: Record<string, unknown>, output: string): Call {
	writer.calls += 1;
	return { call: { type: "toolCall", id: `call_${writer.calls}`, name, arguments: args }, output };
}

/** Ends the open episode when it is complete, and starts the next one. */
function marks(writer: Writer): readonly Call[] {
	const { open, random } = writer;
	if (open && open.left > 0) {
		open.left -= 1;
		return [];
	}
	const description = prose(30);
	const end = { action: "end", ...(open?.kind === "expl" && { description }) };
	const kind = open?.kind === "expl" ? "act" : "expl";
	writer.episodes += 1;
	const name = `step-${writer.episodes}`;
	writer.open = { name, kind, left: heavyTailed(random, 4, 0.6, 20) };
	const dependencies = open?.kind === "expl" ? [open.name] : [];
	const start = { action: "start", name, type: kind, ...(kind === "act" && { dependencies }) };
	const ended = open ? [makeCall(writer, "delimiter", end, "ended")] : [];
	return [...ended, makeCall(writer, "delimiter", start, "started")];
}

function work(writer: Writer): Call {
	const { random } = writer;
	const path = pathOf(random);
	const looks = writer.open?.kind === "expl" ? 0.75 : 0.35;
	const size = (median: number, spread: number) => heavyTailed(random, median, spread, 30_000);
	if (random() < looks) {
		if (random() < 0.45) return makeCall(writer, "grep", { pattern: "value_1" }, code(path, size(180, 1.7)));
		return makeCall(writer, "read", { path }, code(path, size(400, 1.5)));
	}
	if (random() < 0.5) return makeCall(writer, "bash", { command: "npm test" }, code("log", size(120, 1.8)));
	const edits = [{ oldText: code(path, 30), newText: code(pathOf(random), size(60, 1)) }];
	return makeCall(writer, "edit", { path, edits }, `changed ${path}`);
}

function reply(content: Block[]): Reply {
	return assistantMessage(content, { api: "openai-responses", provider: "openai", model: "generated" });
}

/** Appends a message some seconds after the last one. */
function add({ messages, random }: Writer, message: HostMessage) {
	const last = messages.at(-1)?.timestamp ?? 1_750_000_000_000;
	messages.push({ ...message, timestamp: last + 100 + Math.floor(random() * 9_000) });
}

const FILES = 80;

function pathOf(random: Random): string {
	// Some files are used far more often than others.
	return `src/part${Math.floor(FILES * random() ** 2)}.ts`;
}

/** Characters per token of such lines. */
const CODE_CHARACTERS = 3.3;
const PROSE_CHARACTERS = 5;

const lines = Array.from(
	{ length: 8_000 },
	(_, line) =>
		`export const value_${line} = compute(alpha${line % 37}, "${line * 7919}", beta.of(${line}));\n`,
);
const listing = lines.join("");

/** The beginning of a file: a second read shows the same lines. */
function code(path: string, tokens: number): string {
	const start = listing.indexOf("export", (Number(path.replace(/\D/g, "")) * 5_003) % (listing.length / 2));
	return listing.slice(start, start + Math.ceil(tokens * CODE_CHARACTERS));
}

const words =
	"look at how the parser treats an empty line and why the second pass then fails with a wrong offset ".repeat(
		400,
	);

function prose(tokens: number): string {
	return words.slice(0, Math.ceil(tokens * PROSE_CHARACTERS));
}

/** A whole number from 1 to `most` with this median; `spread` is the standard deviation of its logarithm. */
function heavyTailed(random: Random, median: number, spread: number, most: number): number {
	const radius = Math.sqrt(-2 * Math.log(1 - random()));
	const normal = radius * Math.cos(2 * Math.PI * random());
	return Math.max(1, Math.min(most, Math.round(median * Math.exp(spread * normal))));
}
