import { describe, expect, test } from "vitest";
import { startLoopback } from "#testing/server";
import {
	type BreakpointMemory,
	noBreakpoints,
	placeBreakpoints,
	resumeBreakpoints,
} from "./cache-breakpoints.ts";

const mark = { type: "ephemeral" };
type Message = { role: string; content: Record<string, unknown>[] };

const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
const calls = (...ids: string[]): Message => ({
	role: "assistant",
	content: ids.map((id) => ({ type: "tool_use", id, name: "read", input: {} })),
});
const results = (...ids: string[]): Message => ({
	role: "user",
	content: ids.map((id) => ({ type: "tool_result", tool_use_id: id, content: "x" })),
});

/** A body as pi makes it: marks on the system prompt, the last tool and the last block. */
function body(...messages: readonly Message[]) {
	const copy = structuredClone(messages);
	Object.assign(copy.at(-1)?.content.at(-1) ?? {}, { cache_control: mark });
	return {
		system: [{ type: "text", text: "prompt", cache_control: mark }],
		tools: [{ name: "read", cache_control: mark }],
		messages: copy,
	};
}

/** Indices of the messages that carry a mark. */
function marked(payload: unknown): readonly number[] {
	const { messages } = payload as { messages: Message[] };
	return messages.flatMap(({ content }, index) =>
		content.some((block) => block.cache_control !== undefined) ? [index] : [],
	);
}

/** Send bodies one after the other; answers what goes out for the last. */
function send(...bodies: readonly unknown[]): unknown {
	let memory: BreakpointMemory = noBreakpoints;
	let payload: unknown;
	for (const next of bodies) ({ payload, memory } = placeBreakpoints(next, memory));
	return payload;
}

const first = [user("go")];
const second = [...first, calls("a", "b"), results("a", "b")];
const third = [...second, calls("c"), results("c")];

describe("placeBreakpoints", () => {
	test("marks the end of the request before as well as the last block, and leaves the first as it is", () => {
		const payload = body(...first);
		expect(send(payload)).toBe(payload);
		expect(marked(send(body(...first), body(...second)))).toEqual([0, 2]);
		expect(marked(send(body(...first), body(...second), body(...third)))).toEqual([2, 4]);
	});

	test("marks the same where pi ends the body and begins each old answer with the effort", () => {
		const effort = (messages: readonly Message[]) => {
			const { messages: sent, ...rest } = body(...messages);
			const said = sent.flatMap((each) => (each.role === "assistant" ? [system, each] : [each]));
			return { ...rest, messages: [...said, system] };
		};
		const system = { role: "system", content: [], output_config: { effort: "medium" } };
		expect(marked(send(...[first, second, third].map(effort)))).toEqual([3, 6]);
		const cut = [user("go"), calls("c"), results("c"), calls("d"), results("d")];
		expect(marked(send(...[first, second, third, cut].map(effort)))).toEqual([0, 6]);
	});

	test("after a resume, marks what it would have marked", () => {
		expect(send(body(...third))).toEqual(send(body(...first), body(...second), body(...third)));
	});

	test("after a resume and a pass, marks the last end in front of the cut, which a request before the resume had", () => {
		const cut = [...first, calls("c"), results("c"), calls("d"), results("d")];
		expect(marked(send(body(...third), body(...cut)))).toEqual([0, 4]);
	});

	test("changes nothing but the marks", () => {
		const bare = (value: unknown) =>
			JSON.stringify(value).replaceAll(`,"cache_control":{"type":"ephemeral"}`, "");
		expect(bare(send(body(...first), body(...second)))).toBe(bare(body(...second)));
	});

	test("after a pass, marks the last end in front of the cut", () => {
		const cut = [...second, calls("d"), results("d")];
		const fourth = [...third, calls("d"), results("d")];
		expect(
			marked(send(body(...first), body(...second), body(...third), body(...fourth), body(...cut))),
		).toEqual([2, 4]);
	});

	test("marks the end of a request also where a pass took the last result of the request before", () => {
		const cut = [...second, calls("d"), results("d")];
		expect(marked(send(body(...first), body(...second), body(...third), body(...cut)))).toEqual([2, 4]);
	});

	test("marks the last end of before a pass again when the pass is taken back", () => {
		const cut = [user("go"), calls("c"), results("c"), calls("d"), results("d")];
		const back = [...third, calls("d"), results("d"), calls("e"), results("e")];
		expect(
			marked(send(body(...first), body(...second), body(...third), body(...cut), body(...back))),
		).toEqual([4, 8]);
	});

	test("does not take an end for the same when an output in front of it was another one", () => {
		const reduced = structuredClone(third);
		Object.assign(reduced[2]?.content[0] ?? {}, { content: "less" });
		const more = [calls("d"), results("d")];
		const back = body(...third, ...more, calls("e"), results("e"));
		expect(marked(send(body(...second), body(...third), body(...reduced, ...more), back))).toEqual([4, 8]);
	});

	test("does not take an end for the same when something in front of it left", () => {
		const cut = [user("go"), calls("c"), results("c"), calls("d"), results("d")];
		expect(marked(send(body(...first), body(...second), body(...third), body(...cut)))).toEqual([0, 4]);
	});

	test("moves the mark from a block that does not stay to the one before it", () => {
		const note = (n: number) => user(`note ${n}`);
		const sent = send(
			body(...second, note(1)),
			body(...third, note(2)),
			body(...third, calls("d"), results("d"), note(3)),
		);
		expect(marked(sent)).toEqual([4, 6]);
	});

	test("keeps to four marks, and leaves a body without any alone", () => {
		const payload = { messages: second };
		expect(send({ messages: first }, payload)).toBe(payload);
		const full = body(...second);
		const oauth = { ...full, system: [...full.system, { type: "text", text: "more", cache_control: mark }] };
		expect(send(body(...first), oauth)).toBe(oauth);
	});

	test.each([undefined, null, "text", {}, { messages: "none" }, { messages: [null, 3] }, { messages: [] }])(
		"leaves a body of another shape alone: %j",
		(payload) => {
			expect(placeBreakpoints(payload, noBreakpoints)).toEqual({ payload, memory: noBreakpoints });
		},
	);
});

const starts = (id: string, type: "expl" | "act"): Message => ({
	role: "assistant",
	content: [{ type: "tool_use", id, name: "delimiter", input: { action: "start", name: id, type } }],
});

/** A message as pi holds it. */
function inSession({ role, content }: Message) {
	const held = content.map(({ type, id, name, input, ...rest }) =>
		type === "tool_use" ? { type: "toolCall", id, name, arguments: input } : { type, ...rest },
	);
	return { role, content: held };
}

const look = [starts("look", "expl"), results("look")];
const older = [starts("old", "expl"), results("old"), user("an older task ".repeat(2_000))];

interface Before {
	readonly old?: readonly Message[];
	readonly leaving?: readonly Message[];
	/** The session is resumed in the middle of the work. */
	readonly isResumed?: boolean;
}

test.each<[string, Before]>([
	["after work that has left", {}],
	["behind an expl whose act has left, as of a pin or an undo", { old: older }],
	["behind an expl whose act has left, after a resume", { old: older, isResumed: true }],
	["that began with an expl which leaves soon", { leaving: [starts("before", "expl"), results("before")] }],
])(
	"what stands before the work in progress stays in the provider's cache, however long the work takes: work %s",
	async (_, { old = [], leaving = [], isResumed = false }) => {
		let time = 0;
		const server = await startLoopback({ model: () => ({ text: "ok" }), now: () => time });
		const long = { role: "user", content: [{ type: "text", text: "an earlier task ".repeat(2_000) }] };
		const post = async (payload: unknown) => {
			time += 60_000;
			const body = JSON.stringify({ model: "m", max_tokens: 9, ...(payload as object) });
			await fetch(`${server.url}/v1/messages`, { method: "POST", body });
			return server.records().at(-1);
		};
		const tools = ["delimiter", "read"].map((name) => ({ name, input_schema: { type: "object" } }));
		const bodyOf = (...messages: readonly Message[]) => {
			const made = body(...messages);
			return {
				...made,
				tools: tools.map((tool, at) => (at === 1 ? { ...tool, cache_control: mark } : tool)),
			};
		};
		let memory: BreakpointMemory = noBreakpoints;
		const send = (...messages: readonly Message[]) => {
			const placed = placeBreakpoints(bodyOf(...messages), memory);
			memory = placed.memory;
			return post(placed.payload);
		};
		const done = [starts("done", "act"), results("done")];
		await send(long, ...old, ...done);
		await send(long, ...old, ...leaving, ...look);
		let session: readonly Message[] = [long, ...old, ...look];
		for (const id of ["a", "b", "c", "d", "e", "f", "g", "h"]) {
			if (isResumed && id === "c")
				memory = resumeBreakpoints([long, ...old, ...done, ...session.slice(1 + old.length)].map(inSession));
			session = [...session, calls(id), results(id)];
			expect((await send(...session))?.refused).toBeUndefined();
		}
		// The work is evicted when the next begins: only what stood before it is sent again.
		const after = await send(long, ...old, starts("next", "expl"), results("next"));
		await server.close();
		expect(after?.refused).toBeUndefined();
		expect(after?.cachedTokens).toBeGreaterThan(0.95 * (after?.promptTokens ?? 0));
	},
);
