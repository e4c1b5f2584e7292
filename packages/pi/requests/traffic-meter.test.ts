import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changesContext, type Pass } from "#core/log";
import { cwl } from "#core/policies";
import type { HostMessage } from "../codec/host-message.ts";
import { loadTokenCounter } from "../codec/tokens.ts";
import { PASS_ENTRY, STEERING_ENTRY } from "../session/log-entries.ts";
import { createManagedSession, type ManagedSession } from "../session/managed-session.ts";
import { planRelease } from "../session/release.ts";
import { readHistory } from "../session/session-history.ts";
import { calls, type ModelMessage, reply, result, user } from "../test-support/host-messages.ts";
import { createTrafficMeter, type TrafficMeter } from "./traffic-meter.ts";

const count = await loadTokenCounter();

const fixed = { system: 300, tools: 580 };
const BUDGET = 8_000;
const settings = { policy: cwl, budget: 1_000_000, fixed };

/** A provider that counts in its own way and caches the common prefix in steps of 128. */
interface Provider {
	readonly factor: number;
	readonly framing: number;
}

/** Where each pass stands: in front of the message of this index. */
const passAt = new WeakMap<Pass, number>();

/** Sessions of one read after the other, sent, answered and metered. Answers what was settled. */
function run(provider: Provider, sizes: readonly number[], meter: TrafficMeter = createTrafficMeter()) {
	const session = createManagedSession(count);
	const history: HostMessage[] = [user("go", 1)];
	const settled: NonNullable<ReturnType<TrafficMeter["learn"]>>[] = [];
	sizes.forEach((size, at) => {
		const request = meter.learn(history);
		if (request) settled.push(request);
		const { pass, tokens } = session.request(history, { policy: cwl, budget: BUDGET, fixed });
		const made = pass && changesContext(pass) ? pass : undefined;
		if (made) passAt.set(made, history.length);
		meter.sent("openai/test", { ...session.state(), fixed, isCold: false }, made ? [made] : []);
		const input = Math.round(provider.framing + provider.factor * tokens);
		history.push(answer(`c${at}`, input, at + 2), result(`c${at}`, "word ".repeat(size), at + 2));
	});
	return { settled, history, session };
}

/** A branch of a session file: its messages, each behind the passes that were made in front of it. */
const branchOf = (history: readonly HostMessage[], passesAt: (at: number) => readonly Pass[] = () => []) =>
	history.flatMap((message, at) => [
		...passesAt(at).map((data) => ({ type: "custom", customType: PASS_ENTRY, data })),
		{ type: "message", message },
	]);

/** A meter of a new process that learned from a branch. */
function resume(
	session: ManagedSession,
	branch: Parameters<typeof readHistory>[0],
	history: readonly HostMessage[],
) {
	const fresh = createTrafficMeter();
	fresh.relearn(
		session.recount(readHistory(branch, history), () => fixed),
		history,
	);
	return fresh;
}

function answer(callId: string, input: number, timestamp: number): ModelMessage {
	const message = reply(calls(callId), timestamp);
	return { ...message, usage: { ...message.usage, input, cacheRead: 0, cacheWrite: 0 } };
}

const providers = fc.record({
	factor: fc.double({ min: 0.7, max: 1.35, noNaN: true }),
	framing: fc.integer({ min: 0, max: 15 }),
});

describe("the traffic meter", () => {
	test("from the fourth request on estimates are within 1 % of what is then reported, passes included", () => {
		const sizes = fc.array(fc.integer({ min: 300, max: 900 }), { minLength: 12, maxLength: 30 });
		fc.assert(
			fc.property(providers, sizes, (provider, reads) => {
				const { settled } = run(provider, reads);
				expect(settled.length).toBe(reads.length - 1);
				for (const { estimated, reported } of settled.slice(3)) {
					expect(Math.abs(estimated - reported) / reported).toBeLessThan(0.01);
				}
			}),
			{ numRuns: 40 },
		);
	});

	test("is not misled by an answer to a request that was not projected", () => {
		const meter = createTrafficMeter();
		const { history } = run({ factor: 1, framing: 0 }, [100, 100], meter);
		meter.learn(history);
		const known = meter.calibration("openai/test");
		history.push(answer("late", 90_000, 50), result("late", "x", 51));
		expect(meter.learn(history)).toBeUndefined();
		expect(meter.calibration("openai/test")).toBe(known);
	});

	test("learns again from the session itself what an earlier process had learnt", () => {
		const first = createTrafficMeter();
		const { history, session } = run({ factor: 1.3, framing: 9 }, Array(20).fill(700), first);
		first.learn(history);
		expect(session.state().log.length).toBeGreaterThan(0);
		const { log } = session.state();
		const branch = branchOf(history, (at) => log.filter((pass) => passAt.get(pass) === at));
		const fresh = resume(session, branch, history);
		expect(fresh.calibration("openai/test")).toEqual(first.calibration("openai/test"));
	});

	test("what it learns while CWL is off holds only until that is on, in a resumed session too", () => {
		const meter = createTrafficMeter();
		const { history, session } = run({ factor: 1, framing: 0 }, [100, 100], meter);
		meter.learn(history);
		const known = meter.calibration("openai/test");
		session.sync(history);
		meter.sent("openai/test", { ...session.state(), fixed, isCold: false }, [], false);
		history.push(answer("off", 2_000, 50), result("off", "x", 51));
		expect(meter.learn(history)?.reported).toBe(2_000);
		expect(meter.calibration("openai/test", false).samples).toBe(known.samples + 1);
		expect(meter.calibration("openai/test")).toBe(known);
		const off = { type: "custom", customType: STEERING_ENTRY, data: { enabled: false } };
		const branch = [...branchOf(history.slice(0, -2)), off, ...branchOf(history.slice(-2))];
		const fresh = resume(session, branch, history);
		expect(fresh.calibration("openai/test")).toEqual(known);
		expect(fresh.calibration("openai/test", false)).toEqual(meter.calibration("openai/test", false));
	});

	test("in a resumed session, takes no answer of before for one to a request that failed", () => {
		const { history, session } = run({ factor: 1, framing: 0 }, [100, 100]);
		const fresh = createTrafficMeter();
		fresh.relearn([], history);
		fresh.sent("openai/test", { ...session.state(), fixed, isCold: false }, []);
		expect(fresh.learn(history)).toBeUndefined();
		expect(fresh.calibration("openai/test").samples).toBe(0);
	});

	test.each(["compaction", "context_edit"])("learns nothing from answers that came before a %s", (type) => {
		const { history, session } = run({ factor: 1.3, framing: 9 }, Array(4).fill(700));
		const branch = branchOf(history);
		const samplesOf = (entries: Parameters<typeof readHistory>[0]) =>
			resume(session, entries, history).calibration("openai/test").samples;
		expect([samplesOf([...branch, { type }]), samplesOf([{ type }, ...branch])]).toEqual([0, 4]);
	});

	test("learns from the answers in front of a message that the host edits, and behind the edit", () => {
		const { history, session } = run({ factor: 1.3, framing: 9 }, Array(4).fill(700));
		const entries = branchOf(history).map((entry, at) => ({ ...entry, id: `${at}` }));
		const samplesOf = (target: number, at: number) => {
			const edit = { type: "context_edit", id: "edit", targetId: `${target}`, replacement: null };
			const branch = [...entries.slice(0, at), edit, ...entries.slice(at)];
			return resume(session, branch, history).calibration("openai/test").samples;
		};
		// The answers are the second message and every other one after it.
		expect([samplesOf(8, 9), samplesOf(3, 9), samplesOf(2, 4)]).toEqual([4, 2, 3]);
	});

	test("after a move to an older point of the tree, no older answer is taken for that of the last request", () => {
		const meter = createTrafficMeter();
		const { history } = run({ factor: 1, framing: 0 }, [100, 100, 100], meter);
		const known = meter.calibration("openai/test");
		expect(meter.learn(history.slice(0, 3))).toBeUndefined();
		expect(meter.calibration("openai/test")).toBe(known);
	});

	test("a fork learns from the answers of its own branch, and from none that its parent had later", () => {
		const { history, session } = run({ factor: 1.3, framing: 9 }, Array(8).fill(700));
		const forked = history.slice(0, 9);
		const fresh = resume(session, branchOf(history), forked);
		const { samples, factor, doubted } = fresh.calibration("openai/test");
		expect([samples, doubted]).toEqual([4, undefined]);
		expect(factor).toBeCloseTo(1.3, 1);
		// Its last answer is the parent's, and answers nothing that the fork sends.
		fresh.sent("openai/test", { ...session.state(), fixed, isCold: false }, []);
		expect(fresh.learn(forked)).toBeUndefined();
	});

	test("a change of the model begins with nothing learned, and each model keeps its own tokenizer", () => {
		const { history, session } = run({ factor: 1.3, framing: 9 }, Array(8).fill(700));
		const changed = history.map((message, at) => {
			if (message.role !== "assistant" || at < 8) return message;
			const { usage } = message;
			return {
				...message,
				model: "other",
				usage: { ...usage, input: Math.round((usage.input * 2.6) / 1.3) },
			};
		});
		const fresh = resume(session, [], changed);
		expect(fresh.calibration("openai/test").factor).toBeCloseTo(1.3, 1);
		expect(fresh.calibration("openai/other").factor).toBeCloseTo(2.6, 0);
		expect(fresh.calibration("openai/new").samples).toBe(0);
	});

	test("a model begins with what the last one showed of sealed thinking, whose size nothing but reports tells", () => {
		/** A provider that counts 0.6 tokens for each that we estimate of sealed thinking. */
		const answered = (model: string, at: number, tokens: number, sent: number) => ({
			answer: { ...answer(`c${at}`, tokens - 0.4 * sent, at), model },
			tokens,
			sealed: { sent, unsent: 0 },
			isManaged: true,
			isSuperseded: false,
		});
		const meter = createTrafficMeter();
		const first = Array.from({ length: 20 }, (_, at) =>
			answered("test", at, 8_000 + 300 * at, 400 * (at % 7)),
		);
		meter.relearn(first, []);
		const { sealedFactor } = meter.calibration("openai/test");
		expect(sealedFactor).toBeCloseTo(0.6, 1);
		const fresh = meter.calibration("openai/other");
		expect([fresh.samples, fresh.sealedFactor]).toEqual([0, sealedFactor]);
		meter.relearn([answered("other", 20, 9_000, 1_000)], []);
		const { factor } = meter.calibration("openai/other");
		expect(factor).toBeCloseTo(1, 1);
		expect(meter.calibration("openai/other").sealedFactor).toBeCloseTo(sealedFactor, 2);
	});

	test("a message that a user released is counted as it is sent, from the request after it on", () => {
		const session = createManagedSession(count);
		const meter = createTrafficMeter();
		const history: HostMessage[] = [user("a line of a log\n".repeat(4_000), 1)];
		const released: { data: Pass; at: number }[] = [];
		const errors: number[] = [];
		for (let at = 2; at < 30; at += 2) {
			const settled = meter.learn(history);
			if (settled) errors.push(Math.abs(settled.estimated - settled.reported) / settled.reported);
			if (at === 16) {
				const pass = planRelease(history, session.planInput(history, settings), count);
				if (!pass) throw new Error("a long message can be released");
				session.append(pass);
				released.push({ data: pass, at: history.length });
			}
			const { tokens } = session.request(history, settings);
			meter.sent("openai/test", { ...session.state(), fixed, isCold: false }, []);
			history.push(answer(`c${at}`, Math.round(1.3 * tokens), at), user("word ".repeat(300), at + 1));
		}
		meter.learn(history);
		expect(Math.max(...errors.slice(3))).toBeLessThan(0.01);
		expect(meter.calibration("openai/test").doubted).toBeUndefined();
		const branch = branchOf(history, (at) => released.flatMap((each) => (each.at === at ? each.data : [])));
		const fresh = resume(session, branch, history);
		expect(fresh.calibration("openai/test")).toEqual(meter.calibration("openai/test"));
	});

	test("a time in which the session was sent without the extension does not move what was learned before", () => {
		const { history, session } = run({ factor: 1, framing: 0 }, Array(8).fill(700));
		const counted = [...session.recount(readHistory([], history), () => fixed)];
		const before = counted.slice(0, 4);
		const whole = counted.slice(4).map((each) => {
			const usage = { ...each.answer.usage, input: 30_000 + each.tokens };
			return { ...each, answer: { ...each.answer, usage } };
		});
		const fresh = createTrafficMeter();
		fresh.relearn([...before, ...whole], history);
		const { factor, offset, doubted } = fresh.calibration("openai/test");
		expect([Math.abs(factor - 1) < 0.1, Math.abs(offset) < 500, doubted !== undefined]).toEqual([
			true,
			true,
			true,
		]);
	});

	test.each([
		["of 0", answer("c0", 0, 2)],
		["that is no number", answer("c0", Number.NaN, 2)],
		["below 0", answer("c0", -100, 2)],
		["of an answer that failed", { ...answer("c0", 5_000, 2), stopReason: "error" as const }],
	])("learns nothing from a usage %s", (_what, answered) => {
		const meter = createTrafficMeter();
		const { history } = run({ factor: 1, framing: 0 }, [100], meter);
		history.splice(1, 1, answered);
		meter.learn(history);
		expect(meter.calibration("openai/test").samples).toBe(0);
	});
});
