import { describe, expect, it } from "vitest";
import { advanceProtocol, decideDelimiter, emptyProtocol, type ProtocolState } from "#core/annotation";
import type { ModelMessage } from "../model.ts";
import { makeCalls, readEpisodes } from "./episodes.ts";
import { ALL_TOOLS } from "./test-support/scratch-tools.ts";

const STEP = {
	task: "t",
	description: "found it",
	sources: [],
	actions: [{ type: "read", path: "a" }],
} as const;

/** The protocol state of a session that accepted these calls, none of which is visible any more. */
function sessionOf(...inputs: readonly Readonly<Record<string, unknown>>[]): ProtocolState {
	return inputs.reduce((state, input) => {
		const decision = decideDelimiter(state, input);
		if (decision.type === "rejected") throw new Error(decision.message);
		return advanceProtocol(state, decision.command);
	}, emptyProtocol);
}

/** Sends the work again, with only the last exchange visible, until no delimiter is refused. */
function settle(start: ProtocolState, type: "expl" | "act") {
	let state = start;
	let visible: readonly ModelMessage[] = [];
	for (let step = 1; step <= 5; step += 1) {
		const request = { system: "", tools: ALL_TOOLS, messages: visible };
		const calls = makeCalls(request, { ...STEP, stage: type === "expl" ? "read" : "change", step });
		let refusals = 0;
		const results = calls.map((call, index): ModelMessage => {
			const callId = `${step}-${index}`;
			if (call.name !== "delimiter") return { type: "result", callId, text: "text", isError: false };
			const decision = decideDelimiter(state, call.arguments);
			if (decision.type === "accepted") state = advanceProtocol(state, decision.command);
			else refusals += 1;
			const text = decision.type === "rejected" ? decision.message : "ok";
			return { type: "result", callId, text, isError: decision.type === "rejected" };
		});
		if (refusals === 0) return { state, step };
		const named = calls.map((call, index) => ({ ...call, id: `${step}-${index}` }));
		visible = [{ type: "assistant", thinking: "", text: "", calls: named }, ...results];
	}
	return { state, step: Number.POSITIVE_INFINITY };
}

const startExpl = (name: string) => ({ action: "start", name, type: "expl" });
const END_EXPL = { action: "end", description: "found" };

describe("annotation when the earlier session is evicted", () => {
	it("opens the episode that the work needs at once if none is open", () => {
		expect(settle(emptyProtocol, "expl")).toMatchObject({ step: 1, state: { open: { kind: "expl" } } });
		expect(settle(emptyProtocol, "act")).toMatchObject({ step: 1, state: { open: { kind: "act" } } });
	});

	it.each([
		["expl", "expl", 2],
		["expl", "act", 2],
		["act", "expl", 3],
		["act", "act", 3],
	] as const)("closes a forgotten %s before it opens an %s, in %i requests", (old, type, limit) => {
		const act = { action: "start", name: "old", type: "act", dependencies: ["seen"] };
		const begun = old === "expl" ? [startExpl("old")] : [startExpl("seen"), END_EXPL, act];
		const { state, step } = settle(sessionOf(...begun), type);
		expect(step).toBeLessThanOrEqual(limit);
		expect(state.open?.kind).toBe(type);
		expect(state.open?.name).not.toBe("old");
	});

	it("chooses another name if one is in use", () => {
		const { state } = settle(sessionOf(startExpl("find-t-1"), END_EXPL), "expl");
		expect(state.open?.name).toMatch(/^find-t-/);
		expect(state.open?.name).not.toBe("find-t-1");
	});
});

describe("readEpisodes", () => {
	it("reads the names of evicted episodes from marker lines, and the expls among them as possible dependencies", () => {
		const text = '[expl "find-a-1" evicted] a.ts\n[act "do-a-2" evicted]';
		const episodes = readEpisodes([{ type: "user", text }]);
		expect([...episodes.closed]).toEqual(["find-a-1"]);
		expect([...episodes.taken]).toEqual(["find-a-1", "do-a-2"]);
	});
});
