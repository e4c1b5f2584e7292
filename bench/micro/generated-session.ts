/**
 * Generates sessions of any length for measurements: the same for the same seed, annotated, and with the sizes of
 * recorded agent sessions (medians and tails of turns, calls and outputs; log-normal).
 */
import { seededRandom } from "#loopback/worker";
import type { HostMessage } from "#pi/codec";
import { modelReply } from "#replay/readers";

type Block = (HostMessage & { readonly role: "assistant" })["content"][number];
type Call = readonly [call: Block & { readonly type: "toolCall" }, output: string];

/**
 * Longer sessions have longer turns, not more of them: user turns are never evicted, and hundreds of them would fill
 * any budget.
 */
const USUAL_LENGTH = 5_000;
const FILES = 80;

/** The points of the requests: before each answer of the model. */
export function requestPoints(messages: readonly HostMessage[]): readonly number[] {
	const points = messages.flatMap(({ role }, index) => (role === "assistant" ? [index] : []));
	return [...points, messages.length];
}

/** The first `length` messages of a seed's session. It ends where a request would be sent. */
export function generateSession(length: number, seed: number): readonly HostMessage[] {
	const random = seededRandom(seed);
	const messages: HostMessage[] = [];
	let [calls, episodes] = [0, 0];
	/** The open episode, and the exchanges that it still has. */
	let open: { readonly name: string; readonly kind: "expl" | "act"; left: number } | undefined;

	/** A whole number from 1 to `most` with this median; `spread` is the standard deviation of its logarithm. */
	function heavyTailed(median: number, spread: number, most: number): number {
		const radius = Math.sqrt(-2 * Math.log(1 - random()));
		const normal = radius * Math.cos(2 * Math.PI * random());
		return Math.max(1, Math.min(most, Math.round(median * Math.exp(spread * normal))));
	}

	/** Appends a message some seconds after the last one. */
	function add(message: HostMessage) {
		const last = messages.at(-1)?.timestamp ?? 1_750_000_000_000;
		messages.push({ ...message, timestamp: last + 100 + Math.floor(random() * 9_000) });
	}

	const say = (...content: Block[]) =>
		add({ ...modelReply(content, 0), api: "openai-responses", provider: "openai", model: "generated" });
	const text = (median: number, spread: number, most: number) => prose(heavyTailed(median, spread, most));
	// Some files are used far more often than others.
	const path = () => `src/part${Math.floor(FILES * random() ** 2)}.ts`;
	const makeCall = (name: string, args: Record<string, unknown>, output: string): Call => {
		calls += 1;
		return [{ type: "toolCall", id: `call_${calls}`, name, arguments: args }, output];
	};

	function writeTurn() {
		const content = random() < 0.03 ? text(1_500, 0.7, 6_000) : text(24, 1.1, 1_000);
		add({ role: "user", content, timestamp: 0 });
		if (random() < 0.4) {
			const status = `<git-status>\nmain\n M ${path()}\n M ${path()}\n</git-status>`;
			add({ role: "custom", customType: "cwl.git", content: status, display: false, timestamp: 0 });
		}
		const pace = Math.max(1, length / USUAL_LENGTH);
		const exchanges = Math.ceil(pace * heavyTailed(5.5, 1.3, 150));
		for (let exchange = 0; exchange < exchanges; exchange += 1) writeExchange();
		say({ type: "text", text: text(60, 0.8, 1_000) });
	}

	/** An answer with its calls, in random parts, and their results. */
	function writeExchange() {
		const made = [...marks(), ...Array.from({ length: random() < 0.8 ? 1 : 2 }, work)];
		const thought: Block = { type: "thinking", thinking: text(60, 1, 2_000) };
		const words: Block = { type: "text", text: text(25, 1, 500) };
		const parts = [...(random() < 0.3 ? [thought] : []), ...(random() < 0.5 ? [words] : [])];
		say(...parts, ...made.map(([call]) => call));
		for (const [{ id: toolCallId, name: toolName }, output] of made) {
			const isError = toolName === "bash" && random() < 0.05;
			const content = [{ type: "text" as const, text: output }];
			add({ role: "toolResult", toolCallId, toolName, content, isError, timestamp: 0 });
		}
	}

	/** Ends the open episode when it is complete, and starts the next one. */
	function marks(): readonly Call[] {
		if (open && open.left > 0) {
			open.left -= 1;
			return [];
		}
		const ending = open;
		const end = { action: "end", ...(ending?.kind === "expl" && { description: prose(30) }) };
		const kind = ending?.kind === "expl" ? "act" : "expl";
		episodes += 1;
		const name = `step-${episodes}`;
		open = { name, kind, left: heavyTailed(4, 0.6, 20) };
		const dependencies = ending?.kind === "expl" ? [ending.name] : [];
		const start = { action: "start", name, type: kind, ...(kind === "act" && { dependencies }) };
		const ended = ending ? [makeCall("delimiter", end, "ended")] : [];
		return [...ended, makeCall("delimiter", start, "started")];
	}

	function work(): Call {
		const file = path();
		const lines = (median: number, spread: number) => code(file, heavyTailed(median, spread, 30_000));
		if (random() < (open?.kind === "expl" ? 0.75 : 0.35)) {
			if (random() < 0.45) return makeCall("grep", { pattern: "value_1" }, lines(180, 1.7));
			return makeCall("read", { path: file }, lines(400, 1.5));
		}
		if (random() < 0.5) return makeCall("bash", { command: "npm test" }, lines(120, 1.8));
		const edits = [{ oldText: code(file, 30), newText: code(path(), heavyTailed(60, 1, 30_000)) }];
		return makeCall("edit", { path: file, edits }, `changed ${file}`);
	}

	while (messages.length < length) writeTurn();
	const end = messages.findIndex(({ role }, index) => index >= length && role === "assistant");
	return messages.slice(0, end < 0 ? undefined : end);
}

const listing = Array.from({ length: 8_000 }, (_, line) => {
	return `export const value_${line} = compute(alpha${line % 37}, "${line * 7919}", beta.of(${line}));\n`;
}).join("");

/** The beginning of a file, of 3.3 characters per token: a second read shows the same lines. */
function code(path: string, tokens: number): string {
	const start = listing.indexOf("export", (Number(path.replace(/\D/g, "")) * 5_003) % (listing.length / 2));
	return listing.slice(start, start + Math.ceil(tokens * 3.3));
}

const words =
	"look at how the parser treats an empty line and why the second pass then fails with a wrong offset ";

/** Text of five characters per token. */
const prose = (tokens: number): string => words.repeat(400).slice(0, tokens * 5);
