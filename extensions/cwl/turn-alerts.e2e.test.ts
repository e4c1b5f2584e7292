/** Alerts on turns of each grade, in a real session: on screen, on the bus and in telemetry, with culprit and remedy. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ModelReply } from "#loopback";
import { readHeard, writeListener } from "./test-support/listener.ts";
import { attributesOf, pointsOf, startReceiver } from "./test-support/otlp-receiver.ts";
import { readState } from "./test-support/state.ts";
import { startTrial, until } from "./test-support/trial.ts";

type Call = NonNullable<ModelReply["calls"]>[number];

/** Lines that each show a name and a number of their own. */
const facts = Array.from({ length: 2_000 }, (_, at) => `LIMIT_${at} = ${7_919 * at}`).join("\n");
const read = (offset: number, limit: number): Call => ({
	name: "read",
	arguments: { path: "facts.txt", offset, limit },
});
const mark = (args: object): Call => ({ name: "delimiter", arguments: { ...args } });

interface Watched {
	readonly settings: Readonly<Record<string, unknown>>;
	/** The answers in their order; each prompt ends with the next one that makes no call. */
	readonly answers: readonly ModelReply[];
	readonly prompts: readonly string[];
	readonly contextWindow?: number;
}

/** Runs the prompts and answers the alert of this id as each of its three channels had it. */
async function watchFor(id: string, { settings, answers, prompts, contextWindow = 200_000 }: Watched) {
	const receiver = await startReceiver();
	let step = 0;
	const model = () => answers[step++] ?? { text: "done" };
	const trial = await startTrial({ model, settings: { cwl: settings }, contextWindow });
	await writeFile(join(trial.work, "facts.txt"), facts);
	const listener = await writeListener(trial, ["cwl:alert"]);
	const environment = { OTEL_METRIC_EXPORT_INTERVAL: "50", CWL_OTLP_ENDPOINT: receiver.url };
	const pi = trial.rpc({ args: ["-e", listener], environment });
	for (const prompt of prompts) await pi.prompt(prompt);
	const raised = async () => {
		const events = (await readHeard(pi)).map(({ data }) => data);
		return events.filter((event) => event.id === id);
	};
	const sent = () =>
		pointsOf(receiver.metrics().get("cwl.alerts"))
			.map(attributesOf)
			.filter((attributes) => attributes["cwl.alert.kind"] === id);
	await until(async () => (await raised()).length > 0 && sent().length > 0);
	const events = await raised();
	const { text, remedy } = events[0];
	const notices = pi.notices().filter((notice) => notice.text === `cwl: ${text}. What helps: ${remedy}.`);
	expect(events).toHaveLength(1);
	expect(notices).toHaveLength(1);
	expect(sent()).toEqual([{ "cwl.alert.kind": id, "cwl.alert.grade": events[0].grade }]);
	expect(trial.loopback.records().filter(({ refused }) => refused)).toEqual([]);
	return { kind: notices[0]?.kind, grade: events[0].grade, text, remedy, state: await readState(pi) };
}

const goOn = (times: number) => Array.from({ length: times }, () => "go on");

test("utilization: over 90 % of the model's window for three turns", async () => {
	// What the user wrote cannot leave, so that no budget holds.
	const pasted = `read this: ${"word ".repeat(27_500)}`;
	const { kind, grade, text, remedy } = await watchFor("utilization", {
		settings: { budget: "12k" },
		answers: [{ calls: [read(1, 5)] }],
		prompts: [pasted, ...goOn(3)],
		contextWindow: 30_000,
	});
	expect([kind, grade]).toEqual(["error", "critical"]);
	expect(text).toMatch(
		/^the context takes 9\d % of the model's window, over 90 % for 3 turns; most of it is "read .*facts\.txt"/,
	);
	expect(remedy).toBe("/cwl evict makes a pass now, /cwl settings budget lowers the budget below the window");
});

test("fidelity: less than 75 % of the facts in evicted text are in sight or can be recalled by name", async () => {
	// Algorithm 1 leaves no line for an act.
	const answers = Array.from({ length: 12 }, (_, at): ModelReply[] => [
		{ calls: [mark({ action: "start", name: `look-${at}`, type: "act" }), read(1 + 80 * at, 80)] },
		{ calls: [mark({ action: "end" })] },
		{ text: "done" },
	]).flat();
	const { kind, grade, text, remedy } = await watchFor("fidelity", {
		settings: { budget: "9k", policy: "paper" },
		answers,
		prompts: goOn(12),
	});
	expect([kind, grade]).toEqual(["warning", "warning"]);
	expect(text).toMatch(
		/^of the facts in evicted text \d+ % are in sight and \d+ % more can be recalled by name: less than 75 %; (the pass|\d+ passes) left no name for the rest$/,
	);
	expect(remedy).toContain("/cwl pin keeps an episode");
});

test("bloat: tool results over 30 % of the context for three turns", async () => {
	const { kind, grade, text, remedy } = await watchFor("tool-bloat", {
		settings: { budget: "20k" },
		answers: [{ calls: [read(1, 600)] }],
		prompts: goOn(4),
		contextWindow: 22_000,
	});
	expect([kind, grade]).toEqual(["info", "notice"]);
	expect(text).toMatch(
		/^tool results take \d+ % of the context, more than 30 %, for 3 turns; most of it is "read .*facts\.txt"/,
	);
	expect(remedy).toMatch(/^ask for parts of outputs: an offset and a limit/);
});
