/** Sends a whole session through the engine, request by request, as an agent would. */
import { createHash } from "node:crypto";
import { defaultToolTable } from "#pi";
import type { HostMessage } from "#pi/codec";
import type { ProjectorOptions } from "../enforce/projector.ts";
import { findEndpoint } from "../formats/formats.ts";
import { type ConversationStore, createMemoryStore } from "../pass-store.ts";
import type { Fields } from "./recorded-words.ts";
import { smallProjector } from "./small-requests.ts";
import { type AgentHabits, createWireAgent } from "./wire-agent.ts";
import type { WireApi } from "./wire-answers.ts";

export { createMemoryStore };

export type SentSession = ReturnType<typeof sendSession>;

export interface Habits extends AgentHabits {
	/** Repeats some requests, cancels others, and compacts the history at a user message now and then. */
	readonly isUnsteady?: boolean;
	readonly store?: ConversationStore;
	/** Parts that the engine has of its host, where they are not those of small tests. */
	readonly host?: Partial<ProjectorOptions>;
	/** Takes each body as the agent made it, and as it was sent. */
	readonly onRequest?: (asked: Buffer, sent: Buffer) => void;
}

/** One request in so many is sent twice, or never answered. */
const REPEATED = 5;
const CANCELLED = 7;
/** Requests between two compactions. */
const COMPACTED = 30;

/** `budget` in tokens of four characters. */
export function sendSession(
	api: WireApi,
	model: string,
	messages: readonly HostMessage[],
	budget: number,
	{ isUnsteady = false, store = createMemoryStore(), host, onRequest, ...habits }: Habits = {},
) {
	const agent = createWireAgent(api, model, habits);
	const endpoint = findEndpoint(agent.path);
	if (!endpoint) throw new Error("no endpoint");
	const refusals: string[] = [];
	const warn = (line: string) => refusals.push(line);
	const { project } = smallProjector(budget, store, { tools: defaultToolTable, ...host, warn });
	const hash = createHash("sha256");
	let requests = 0;
	let edited = 0;
	let passes = 0;
	let prefixBreaks = 0;
	let silent = 0;
	let compacted = 0;
	let before: readonly string[] = [];
	let asked: readonly string[] = [];
	let last = Buffer.alloc(0);

	const request = (): Fields => {
		const body = agent.body();
		last = Buffer.from(JSON.stringify(body));
		const projection = project(endpoint, last);
		requests += 1;
		if (projection.body !== last) edited += 1;
		hash.update(projection.body);
		onRequest?.(last, projection.body);
		const sent: Fields = JSON.parse(projection.body.toString());
		const refusal = agent.judge(sent);
		if (refusal !== undefined) refusals.push(`request ${requests}: ${refusal}`);
		const texts = textsOf(sent);
		const whole = textsOf(body);
		if (projection.pass) passes += 1;
		else if (startsWith(whole, asked) && !startsWith(texts, before)) prefixBreaks += 1;
		if (projection.pass?.strips.some(({ level }) => level > 1) && !/, evicted /.test(texts.join("")))
			silent += 1;
		before = texts;
		asked = whole;
		if (isUnsteady && requests % REPEATED === 0) {
			const again = project(endpoint, last);
			if (!again.body.equals(projection.body))
				refusals.push(`request ${requests}: sent otherwise when it came again`);
		}
		return sent;
	};

	for (const message of messages) {
		if (message.role === "assistant") {
			let sent = request();
			if (isUnsteady && requests % CANCELLED === 0) {
				agent.add({ role: "user", content: "Stop. Go on differently.", timestamp: 0 });
				sent = request();
			}
			agent.add(message, sent);
			continue;
		}
		if (isUnsteady && message.role === "user" && requests >= compacted + COMPACTED) {
			compacted = requests;
			agent.compact(request);
		}
		agent.add(message);
	}
	return {
		/** Those whose bytes were changed are `edited`. */
		requests,
		edited,
		passes,
		/** Requests that do not begin with the one before, although no pass was made and the agent changed nothing. */
		prefixBreaks,
		/** Requests after which a pass has taken calls, and that have no line about it. */
		silent,
		/** Reasons of strict providers, with the request's number. */
		refusals,
		/** A hash of all bodies as they were sent. */
		digest: hash.digest("hex"),
	};
}

function startsWith(texts: readonly string[], beginning: readonly string[]): boolean {
	return beginning.every((text, index) => texts[index] === text);
}

/** The messages of a body without the cache marker, which moves to the end of every request. */
function textsOf(body: Fields): readonly string[] {
	const list = Array.isArray(body.messages) ? body.messages : Array.isArray(body.input) ? body.input : [];
	return list.map((message: unknown) =>
		JSON.stringify(message, (key, value) => (key === "cache_control" ? undefined : value)),
	);
}
