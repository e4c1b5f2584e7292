import { expect, test } from "vitest";
import { totalTokens, uncalibrated } from "#core/ledger";
import { type Policy, planEpisode } from "#core/planning";
import { cwl } from "#core/policies";
import { passWith } from "../../core/test-support/passes.ts";
import { flatPrices } from "../../core/test-support/prices.ts";
import type { HostMessage } from "../codec/host-message.ts";
import { describeNextPass } from "../screen/answers.ts";
import { createSizes } from "../screen/sizes.ts";
import * as say from "../test-support/host-messages.ts";
import { fixed, open } from "../test-support/host-runs.ts";
import { exchangesOf, type Task, taskOver } from "../test-support/tasks.ts";
import {
	describePass,
	type NextPass,
	type PlannedPass,
	planNextPasses,
	reportNextPasses,
} from "./next-passes.ts";
import { outputWorths } from "./output-worth.ts";

const sizes = createSizes(uncalibrated);

/** Returns what is announced once four tasks are done and a fifth is asked for, and the pass that comes when that begins with this mark and these reads. */
function announceAndBegin(files: readonly string[], start?: Record<string, unknown> | null) {
	const session = open();
	const settings = { policy: cwl, budget: 36_000, fixed, prices: flatPrices({}), isCold: false };
	const done = [
		["k", "a"],
		["h", "b"],
		["c", "d"],
		["e", "f"],
	].flatMap((each, at) => taskOver(each, at));
	const [asked = [], begun = []] = taskOver(files, 4, start);
	let messages: readonly HostMessage[] = [];
	for (const exchange of [...done, asked]) {
		messages = say.inOrder(...messages, ...exchange);
		if (exchange[0]?.role === "user" || exchange.length > 1) session.request(messages, settings);
	}
	const input = session.planInput(messages, settings);
	const planned = planNextPasses(cwl, input, () => undefined);
	const [next] = reportNextPasses(planned, cwl, input, sizes);
	const { pass } = session.request(say.inOrder(...messages, ...begun), settings);
	return { next, made: pass ? pass.before - pass.after : 0 };
}

test("a pass over finished work comes as announced when the model marks an expl that reads nothing again, and else not: this is said", () => {
	const fresh = announceAndBegin(["y", "z"]);
	const again = announceAndBegin(["c", "d"]);
	expect(again.next).toEqual(fresh.next);
	expect(fresh.next?.at).toBe("next expl");
	expect(fresh.next?.freed).toBe(fresh.made);
	expect(again.made).toBe(0);
	// Only the mark of an expl is the event: neither an act brings the pass nor work without a mark.
	for (const start of [{ name: "fix-4", type: "act" }, null]) {
		const other = announceAndBegin(["y", "z"], start);
		expect([other.next, other.made]).toEqual([fresh.next, 0]);
	}
	const said = fresh.next && describeNextPass(fresh.next, true);
	expect(said).toMatch(/^when the model marks its next expl: likely \S+ tokens leave$/);
});

test("a pass is certain for the next message where a large message has it take the same, and else likely", () => {
	const policy: Policy = {
		name: "in two ways",
		plan(input) {
			const over = totalTokens(input) - input.budget;
			const name = over > 0 && over < 400 ? "fix-1" : "find-0";
			const episode = input.graph.episodes.find((each) => each.name === name);
			return episode && planEpisode(input, episode);
		},
	};
	const nextAt = (room: number) => {
		const tasks = [say.user("do it"), ...taskOver(["a"], 0).flat(), ...taskOver(["b"], 1).flat()];
		const settings = (budget: number) => ({ policy, budget, fixed, prices: flatPrices({}) });
		const size = totalTokens(open().planInput(say.inOrder(...tasks), settings(0)));
		const input = open().planInput(say.inOrder(...tasks), settings(size + room));
		const planned = planNextPasses(policy, input, () => undefined);
		const [next] = reportNextPasses(planned, policy, input, sizes);
		return [next?.at, next?.strips.map(({ episode }) => episode).join(), next?.effect?.outputs];
	};
	// Of both passes the likely one is that which frees less.
	expect(nextAt(500)).toEqual(["next message", "fix-1", undefined]);
	// A message of another length than an empty and a large one may have it take the other thing, too.
	expect(nextAt(100)).toEqual(["next message", "fix-1", undefined]);
	expect(nextAt(700)).toEqual(["next message", "find-0", 1]);
});

test("a pass that comes with a message of some length, and not with an empty one, is a likely one", () => {
	const tasks = say.inOrder(say.user("do it"), ...taskOver(["a"], 0).flat(), ...taskOver(["b"], 1).flat());
	const atLength = (least: number) => {
		let empty = Infinity;
		const policy: Policy = {
			name: "at a length",
			plan(input) {
				const [done] = input.graph.episodes;
				return done && totalTokens(input) >= empty + least ? planEpisode(input, done) : undefined;
			},
		};
		const input = open().planInput(tasks, { policy, budget: 1e6, fixed, prices: flatPrices({}) });
		empty = totalTokens(input);
		const planned = planNextPasses(policy, input, () => undefined);
		return reportNextPasses(planned, policy, input, sizes).map(({ at, effect }) => [at, effect]);
	};
	expect(atLength(100)[0]).toEqual(["next message", null]);
	expect(atLength(600)[0]).toEqual(["next message", null]);
	expect(atLength(0)[0]).toEqual(["next message", expect.anything()]);
	expect(atLength(700).map(([at]) => at)).not.toContain("next message");
});

test("a pass is announced for the next mark only where a large message in front of it leaves the pass worth it", () => {
	const tasks = say.inOrder(...taskOver(["a"], 0).flat(), ...taskOver(["b"], 1).flat());
	const nextAt = (room: number) => {
		let most = Infinity;
		const policy: Policy = {
			name: "at a mark",
			plan(input) {
				const { episodes } = input.graph;
				const isBegun = episodes.at(-1)?.kind === "expl" && episodes.at(-1)?.state === "open";
				const done = episodes.find(({ name }) => name === "find-0");
				return isBegun && done && totalTokens(input) <= most ? planEpisode(input, done) : undefined;
			},
		};
		const input = open().planInput(tasks, { policy, budget: 90_000, fixed, prices: flatPrices({}) });
		most = totalTokens(input) + room;
		return planNextPasses(policy, input, () => undefined).map(({ at }) => at);
	};
	expect(nextAt(500)).toEqual([]);
	expect(nextAt(900)).toEqual(["next expl"]);
});

test("the outputs of a pass are those of tools that worked for the task: what answers a mark is none", () => {
	const task: Task = { outputs: [8_000, 8_000], isMarked: true, isEnded: true, before: "nothing" };
	const exchanges = exchangesOf(task, 1, false).flat();
	const messages = say.inOrder(say.user("do 1"), ...exchanges);
	const session = open();
	const input = session.planInput(messages, { policy: cwl, budget: 40_000, fixed, prices: flatPrices({}) });
	const [planned] = planNextPasses(cwl, input, () => undefined);
	const answers = exchanges.filter(({ role }) => role === "toolResult").length;
	// Two files, a command and its second run; the others answer the marks of an expl and an act.
	expect([planned && outputsOf(planned), answers]).toEqual([4, 8]);
});

const outputsOf = (planned: PlannedPass) =>
	describePass({ ...planned, at: "next request" }, sizes).effect?.outputs;

test("a recalled note counts as an output where it leaves, is named where it stays", () => {
	const task: Task = { outputs: [4_000, 4_000], isMarked: false, isEnded: true, before: "nothing" };
	const note = say.custom("cwl.recall", "recalled\n".repeat(400));
	const begun = [say.user("do 1"), ...exchangesOf(task, 1, false).flat(), say.user("do 2")];
	const messages = say.inOrder(...begun, ...exchangesOf(task, 2, false).flat(), note);
	const planAt = (budget: number) => {
		const settings = { policy: cwl, budget, fixed, prices: flatPrices({}), lowWater: 0.8 };
		const input = open().planInput(messages, settings);
		const planned = planNextPasses(cwl, input, () => undefined);
		return { planned, reported: reportNextPasses(planned, cwl, input, sizes) };
	};
	const noteOf = (kept: NextPass["kept"] = []) =>
		kept.find(({ output }) => output.startsWith("note unmarked-"));
	const far = noteOf(planAt(40_000).reported[0]?.kept);
	expect(far).toMatchObject({ did: "added", turns: 1, tokens: 3_604, leaves: null });
	const { planned, reported } = planAt(13_000);
	const near = noteOf(reported[0]?.kept);
	expect(near?.leaves?.at).toBe("full");
	expect(reported[1]?.strips.map(({ episode }) => `note ${episode}`)).toContain(near?.output);
	// The command of the second task, its second run and that of the first task, and the note.
	expect(planned.map(outputsOf)).toEqual([5, 4]);
});

test("a file of which an output leaves is not named among what stays", () => {
	const read = say.reply(say.calls("read", "read", { path: "a.ts" }));
	const diff = say.reply(say.calls("diff", "bash", { command: "git diff a.ts" }));
	const work = [say.user("look"), read, say.result("read", "const a = 1;\n".repeat(900)), diff];
	const shown = say.result("diff", "+const a = 1;\n-const a = 2;", 0, false, "bash");
	const turns = ["one", "two", "three"].flatMap((text) => [say.user(text), say.reply("ok")]);
	const messages = say.inOrder(...work, shown, say.reply("done"), ...turns);
	const settings = { policy: cwl, budget: 36_000, fixed, prices: flatPrices({}), isCold: false };
	const input = open().planInput(messages, settings);
	const [call] = input.graph.messages.flatMap(({ items }) => items.filter(({ type }) => type === "call"));
	const [episode] = input.graph.episodes;
	const strips = [{ episode: episode?.id ?? "", level: 2 as const, items: [call?.id ?? ""], tokens: 9_000 }];
	const planned = { at: "next message", dueIn: 0, idle: 0, pass: passWith({ strips }), input } as const;
	const [next] = reportNextPasses([planned], cwl, input, sizes);
	expect(outputWorths(cwl, input, sizes).map(({ worth }) => worth.output)).toEqual(["a.ts", "a.ts"]);
	expect(next?.kept).toEqual([]);
});

test("an output that the user pinned or brought back is kept because of that, and the others have the worth that the pass goes by", () => {
	const files = ["a", "b", "c", "a", "a"];
	const messages = say.inOrder(...files.flatMap((file, at) => taskOver([file], at).flat()));
	const settings = { policy: cwl, budget: 36_000, fixed, prices: flatPrices({}), isCold: false };
	const input = open().planInput(messages, settings);
	const idOf = (name: string) => input.graph.episodes.find((episode) => episode.name === name)?.id ?? "";
	const worthsOf = (pinned: readonly string[], spared: readonly string[]) => {
		const decided = { pinned: new Set(pinned.map(idOf)), spared: new Set(spared.map(idOf)) };
		return outputWorths(cwl, { ...input, ...decided }, sizes);
	};
	const reasons = (worths: ReturnType<typeof worthsOf>, name: string) =>
		worths.filter(({ episode }) => episode === idOf(name)).map(({ worth }) => worth.keptBy);
	const decided = worthsOf(["find-0"], ["find-1", "find-4"]);
	expect(["find-0", "find-1", "find-4"].map((name) => reasons(decided, name))).toEqual([
		["pinned"],
		["spared"],
		["spared"],
	]);
	expect(reasons(worthsOf([], []), "find-3")).toEqual([null]);
	// No younger output that a pass may take shows it.
	expect(reasons(decided, "find-3")).toEqual(["chance"]);
});
