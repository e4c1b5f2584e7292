/** `npm run bench -- micro`: the time that managing a session adds to a request as the session grows, against the first request of a process, which counts everything. */

import type { CountTokens } from "#basics";
import { changesContext } from "#core/log";
import { cwl } from "#core/policies";
import { type HostMessage, loadTokenCounter } from "#pi/codec";
import { createTrafficMeter } from "#pi/requests";
import { createManagedSession, type RequestSettings } from "#pi/session";
import { markdownTable } from "#replay/report";
import { requestPoints } from "../../packages/pi/test-support/host-runs.ts";
import { defineBench, forEachStep, readCount, text } from "../bench.ts";
import { describeDay, describeMachine, measureHeap, today } from "../surroundings.ts";
import { generateSession } from "./generated-session.ts";

/** Tokens; all but the shortest session exceed it. The fixed ones are those of a typical system prompt and tools. */
const SIZES = { budget: 80_000, fixed: { system: 400, tools: 500 } };
/** The last requests of each session are timed. */
const TIMED = 200;

export const bench = defineBench({
	flags: { messages: text("100,1000,10000,100000", "messages of each session") },
	notes: "The time of a request is without the tokenizer, and pi's own copy of the messages is not counted.",
	async run({ values: { messages }, signal }) {
		const about = { version: 4, date: today(), machine: describeMachine() };
		const lengths = messages.split(",").map((length) => readCount("messages", length.trim()));
		const settings = { ...SIZES, policy: cwl, timed: TIMED, now: () => performance.now() };
		const tokenizer = await loadTokenCounter();
		const rows: Row[] = [];
		const shortestFirst = lengths.toSorted((a, b) => a - b);
		await forEachStep(shortestFirst, "sessions", signal, (length) => {
			rows.push(...measureSession(generateSession(length), tokenizer, settings));
		});
		const { budget } = SIZES;
		return {
			figures: { ...about, policy: cwl.name, budget, rows },
			lines: () => [
				describeDay(about.machine),
				`Policy ${cwl.name}, budget ${budget} tokens. A request: all that is added to it; a later one without the tokenizer. Log: its passes on disk, for each 1,000 requests.`,
				"",
				...formatRows(rows),
			],
		};
	},
});

function formatRows(rows: readonly Row[]): readonly string[] {
	const head = ["", "messages", "episodes", "timed", "p50 ms", "p99 ms", "heap MB", "log kB"];
	const milliseconds = (value: number) => value.toFixed(value < 10 ? 2 : 0);
	const cells = rows.map(({ name, messages, episodes, samples, p50Ms, p99Ms, heapMb, logKb }) => [
		name,
		String(messages),
		String(episodes),
		String(samples),
		milliseconds(p50Ms),
		milliseconds(p99Ms),
		heapMb?.toFixed(1) ?? "",
		logKb?.toFixed(1) ?? "",
	]);
	return markdownTable([head, ...cells]);
}

interface Row {
	readonly name: string;
	readonly messages: number;
	readonly episodes: number;
	readonly samples: number;
	readonly p50Ms: number;
	readonly p99Ms: number;
	/** Memory of the managed session without the messages themselves; null for other rows. */
	readonly heapMb: number | null;
	/** Its passes in the session file, for each 1,000 requests; null for other rows. */
	readonly logKb: number | null;
}

interface MeasureSettings extends RequestSettings {
	/** The number of last requests to time, if `MAX_COPIED` allows it. */
	readonly timed: number;
	/** A clock in ms. */
	readonly now: () => number;
}

const RECOUNTS = 3;
/** Passes cost more as the session grows, so only the last ones count. */
const LAST_PASSES = 20;
/** Messages to copy for all timed requests together: a copy of 100,000 takes a second, and is not measured. */
const MAX_COPIED = 4_000_000;

/** Runs a session from its first request to its last. The rows of requests and passes exclude the tokenizer. */
export function measureSession(
	messages: readonly HostMessage[],
	count: CountTokens,
	settings: MeasureSettings,
): readonly Row[] {
	const { now } = settings;
	const timed = Math.min(settings.timed, Math.ceil(MAX_COPIED / messages.length));
	const empty = measureHeap();
	let tokenizing = 0;
	const countTimed = (text: string) => {
		const start = now();
		const tokens = count(text);
		tokenizing += now() - start;
		return tokens;
	};
	const session = createManagedSession(countTimed);
	const meter = createTrafficMeter();
	const points = requestPoints(messages);
	// One growing list: a slice for each request would copy the history each time.
	const list: HostMessage[] = [];
	const samples = points.map((point, index) => {
		for (const message of messages.slice(list.length, point)) list.push(message);
		// pi passes a deep copy for every request; untimed requests do without one.
		const sent = points.length - index <= timed ? structuredClone(list) : list;
		const start = now();
		const before = tokenizing;
		meter.learn(sent);
		const { pass } = session.request(sent, settings);
		meter.sent("generated", { ...session.state(), ...settings, isCold: false }, pass ? [pass] : []);
		const isPass = pass !== undefined && changesContext(pass);
		return { ms: now() - start - (tokenizing - before), isPass };
	});
	const heapMb = (measureHeap() - empty) / 2 ** 20;
	const { log, graph } = session.state();
	const logKb = JSON.stringify(log).length / points.length;
	const firstRequests = (kept: typeof log) =>
		Array.from({ length: RECOUNTS }, () => {
			const start = now();
			const fresh = createManagedSession(count);
			fresh.restore(kept);
			fresh.request(messages, settings);
			return { ms: now() - start };
		});
	const row = (name: string, timings: readonly { readonly ms: number }[]): Row => {
		const sorted = timings.map(({ ms }) => ms).toSorted((a, b) => a - b);
		const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
		return {
			name,
			messages: messages.length,
			episodes: graph.episodes.length,
			samples: timings.length,
			p50Ms: at(0.5),
			p99Ms: at(0.99),
			heapMb: null,
			logKb: null,
		};
	};
	const passes = samples.filter(({ isPass }) => isPass).slice(-LAST_PASSES);
	return [
		{ ...row("request", samples.slice(-timed)), heapMb, logKb },
		...(passes.length > 0 ? [row("request with a pass", passes)] : []),
		row("first request of a resumed session", firstRequests(log)),
		row("first request of a session that had no cwl", firstRequests([])),
	];
}
