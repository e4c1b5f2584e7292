/** Forecasts against what really happens: sessions go on, and each pass is compared with the one that was announced for it. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { uncalibrated } from "#core/ledger";
import { changesContext, type Pass } from "#core/log";
import { largestArrival } from "#core/planning";
import { cwl } from "#core/policies";
import { flatPrices } from "../../core/test-support/prices.ts";
import type { HostMessage } from "../codec/host-message.ts";
import { createSizes } from "../screen/sizes.ts";
import * as say from "../test-support/host-messages.ts";
import { fixed, open } from "../test-support/host-runs.ts";
import { type Moment, planNextPasses, reportNextPasses } from "./next-passes.ts";

/** A task of the user: outputs in characters, whether the model marks its work, and what comes before it. */
const anyTask = fc.record({
	outputs: fc.array(fc.integer({ min: 50, max: 4_000 }), { minLength: 1, maxLength: 3 }),
	isMarked: fc.boolean(),
	/** Without an end, the next task ends the act. */
	isEnded: fc.boolean(),
	/** A pause after which the cache is cold, a resume, or a note of ours. */
	before: fc.constantFrom("nothing", "nothing", "nothing", "pause", "resume", "note"),
});
type Task = typeof anyTask extends fc.Arbitrary<infer T> ? T : never;

const anySession = fc.record({
	tasks: fc.array(anyTask, { minLength: 4, maxLength: 14 }),
	budget: fc.integer({ min: 9_000, max: 40_000 }),
});

/** The exchanges of a task: each an answer of the model and the results of its calls. */
function exchangesOf({ outputs, isMarked, isEnded }: Task, at: number, isOpen: boolean) {
	const mark = (id: string, args: Record<string, unknown>) =>
		isMarked || id === "close" ? [say.calls(`${id}${at}`, "delimiter", args)] : [];
	const exchange = (calls: readonly say.ModelBlock[], length: number) => [
		say.reply([say.says("I go on."), ...calls]),
		...calls.map((block) => {
			const { id, name } = block.type === "toolCall" ? block : { id: "", name: "" };
			return say.result(id, [say.words(name === "delimiter" ? "ok" : `${id}\n`.repeat(length / 8))]);
		}),
	];
	const reads = outputs.map((_, file) =>
		say.calls(`read${at}.${file}`, "read", { path: `src/${at}-${file}.ts` }),
	);
	const expl = { action: "start", name: `find-${at}`, type: "expl" };
	const act = { action: "start", name: `fix-${at}`, type: "act", dependencies: [`find-${at}`] };
	const found = mark("found", { action: "end", description: `read ${at}` });
	const run = [say.calls(`run${at}`, "bash", { command: `make ${at}` })];
	return [
		exchange(
			[...(isOpen ? mark("close", { action: "end" }) : []), ...mark("start", expl), ...reads],
			outputs[0] ?? 0,
		),
		exchange([...found, ...mark("act", act), ...run], outputs.at(-1) ?? 0),
		...(isEnded
			? [
					exchange(
						[...run.map((call) => ({ ...call, id: `check${at}` })), ...mark("end", { action: "end" })],
						60,
					),
				]
			: []),
		[say.reply([say.says(`Task ${at} is done.`)])],
	];
}

interface Comparison {
	readonly at: Moment | "none";
	readonly announced: Pass | undefined;
	readonly made: Pass | undefined;
	/** Tokens that came between, and the largest arrival that the forecast reckoned with. */
	readonly arrived: number;
	readonly reckoned: number;
}

/** Drives a session, and compares each request with the last forecast before it. */
function drive({
	tasks,
	budget,
}: typeof anySession extends fc.Arbitrary<infer T> ? T : never): readonly Comparison[] {
	const compared: Comparison[] = [];
	let session = open();
	let messages: readonly HostMessage[] = [];
	let isOpen = false;
	const settings = (isCold: boolean) => ({ policy: cwl, budget, fixed, prices: flatPrices({}), isCold });
	const look = (isCold: boolean) => {
		const input = session.planInput(messages, settings(isCold));
		return { planned: planNextPasses(cwl, input, () => undefined), input };
	};
	const add = (...added: readonly HostMessage[]) => {
		messages = say.inOrder(...messages, ...added);
	};
	const send = (isCold: boolean) => {
		const { pass } = session.request(messages, settings(isCold));
		return pass && changesContext(pass) ? pass : undefined;
	};
	tasks.forEach((task, at) => {
		const isCold = task.before === "pause";
		if (task.before === "resume") session = open(JSON.parse(JSON.stringify(session.state().log)));
		if (task.before === "note") add(say.custom("cwl.git", `${at} files changed`));
		const { planned, input } = look(isCold);
		const find = (moment: Moment) => planned.find((each) => each.at === moment)?.pass;
		const start = input.graph.tokens;
		const reckoned = largestArrival(input.graph);
		const compare = (moment: Comparison["at"], announced: Pass | undefined, made: Pass | undefined) => {
			const arrived = session.state().graph.tokens - start;
			compared.push({ at: moment, announced, made, arrived, reckoned });
		};
		add(say.user(`do ${at}`));
		compare("next message", find("next message"), send(isCold));
		let waits = true;
		for (const [index, exchange] of exchangesOf(task, at, isOpen).entries()) {
			add(...exchange);
			if (index === 0 && task.isMarked) {
				const made = send(false);
				const isSeam = made?.decision?.reason !== "over budget";
				compare(isSeam ? "next piece of work" : "full", find(isSeam ? "next piece of work" : "full"), made);
				if (made) waits = false;
			} else if (exchange.length > 1) {
				const made = send(false);
				if (made && waits) compare("full", find("full"), made);
				if (made) waits = false;
			}
		}
		if (task.isMarked) isOpen = !task.isEnded;
	});
	return compared;
}

const itemsOf = (pass: Pass | undefined) => pass?.strips.flatMap(({ items }) => items).toSorted() ?? [];
const rewrittenBy = ({ decision }: Pass) => decision?.rewritten ?? 0;
const freedBy = ({ before, after }: Pass) => before - after;

test("what is announced for the next message, the next piece of work and the budget is what leaves then", () => {
	const kept = new Map<string, number>();
	fc.assert(
		fc.property(anySession, (session) => {
			for (const { at, announced, made, arrived, reckoned } of drive(session)) {
				if (announced && made) kept.set(at, (kept.get(at) ?? 0) + 1);
				// What arrives may itself break the budget, and the pass then takes more.
				const isForced = (pass: Pass | undefined) => pass?.decision?.reason === "over budget";
				if (at === "full") {
					if (announced && made)
						expect(Math.abs(freedBy(made) - freedBy(announced))).toBeLessThanOrEqual(arrived + 4_000);
				} else if (isForced(announced) === isForced(made) && (at === "next message" || arrived <= reckoned)) {
					// The seam is reckoned with a large arrival: a smaller one may let a pass pay that was not announced.
					if (announced || at === "next message") expect(itemsOf(made)).toEqual(itemsOf(announced));
					if (!made || !announced) continue;
					expect(freedBy(made)).toBe(freedBy(announced));
					expect(Math.abs(rewrittenBy(made) - rewrittenBy(announced))).toBeLessThanOrEqual(arrived);
				}
			}
		}),
		{ numRuns: 15 },
	);
	for (const at of ["next message", "next piece of work", "full"])
		expect(kept.get(at), at).toBeGreaterThan(0);
});

test("the outputs of a pass are those of tools that worked for the task: what answers a mark is none", () => {
	const task: Task = { outputs: [8_000, 8_000], isMarked: true, isEnded: true, before: "nothing" };
	const exchanges = exchangesOf(task, 1, false).flat();
	const messages = say.inOrder(say.user("do 1"), ...exchanges);
	const session = open();
	const input = session.planInput(messages, { policy: cwl, budget: 40_000, fixed, prices: flatPrices({}) });
	const planned = planNextPasses(cwl, input, () => undefined);
	const [next] = reportNextPasses(planned, cwl, createSizes(uncalibrated));
	const answers = exchanges.filter(({ role }) => role === "toolResult").length;
	// Two files, a command and its second run; the others answer the marks of an expl and an act.
	expect([next?.outputs, answers]).toEqual([4, 8]);
});
