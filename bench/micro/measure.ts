/** What managing a session takes, part by part, beside two ways that know nothing from one request to the next. */
import { computeLedger, defaultToolTable, project } from "#core";
import { percentile } from "#lab";
import {
	type CountTokens,
	changesContext,
	createDiskCheck,
	createManagedSession,
	createTrafficMeter,
	type HostMessage,
	type ManagedSession,
	type RequestSettings,
	renderProjection,
} from "#pi";
import { createHeapGauge } from "../heap-gauge.ts";
import { timeNaively, timeOnce, timeWithin } from "./baselines.ts";
import { requestPoints } from "./generated-session.ts";

export interface Row {
	readonly name: string;
	readonly messages: number;
	readonly samples: number;
	readonly p50Ms: number;
	readonly p99Ms: number;
	/** What the session under management keeps in memory, the messages themselves left out; null for parts of it. */
	readonly heapMb: number | null;
	/** How many times longer recounting takes, in the same run. */
	readonly ratio: number;
	/** Whether it was cut short, and what all of it would take was reckoned from what it got done. */
	readonly isEstimate: boolean;
}

interface Sample {
	/** In ms; `ours` without the tokenizer. */
	readonly ours: number;
	readonly tokenizing: number;
	readonly isPass: boolean;
}

export interface MeasureSettings extends RequestSettings {
	/** How many of the last requests are timed, where `MAX_COPIED` allows it. */
	readonly timed: number;
	/** Ms that a baseline may take. */
	readonly limit: number;
	/** A clock in ms. */
	readonly now: () => number;
}

const RECOUNTS = 3;
/** What a pass takes grows with the session: those of its beginning tell nothing of its length. */
const LAST_PASSES = 20;
/** Messages copied for all timed requests together: a copy of 100,000 takes a second, and is not what is measured. */
const MAX_COPIED = 4_000_000;

/** Lead a session from its first request to its last. Rows of `request` and `pass` leave the tokenizer out. */
export function measureSession(
	messages: readonly HostMessage[],
	count: CountTokens,
	settings: MeasureSettings,
): readonly Row[] {
	const { now, fixed, budget } = settings;
	const timed = Math.min(settings.timed, Math.ceil(MAX_COPIED / messages.length));
	const empty = createHeapGauge()();
	const clock = createClock(count, now);
	const session = createManagedSession(clock.count, defaultToolTable);
	const samples = lead(session, messages, clock, { ...settings, timed });
	const heapMb = (createHeapGauge()() - empty) / 2 ** 20;
	const last = samples.slice(-timed);
	const time = (work: () => unknown) => Array.from({ length: timed }, () => timeOnce(work, now));
	const { graph, view, log } = session.state();
	const recountAll = () => {
		const anew = createManagedSession(count, defaultToolTable);
		anew.restore(log);
		anew.request(messages, settings);
	};
	const recounting = timeWithin(RECOUNTS, recountAll, settings);
	// All of the history: the session's own graph has let go of what was evicted.
	const whole = createManagedSession(count, defaultToolTable).follow(messages).graph;
	const naive = timeNaively(whole, budget, fixed, settings);
	const row = (name: string, values: readonly number[], heap: number | null = null): Row => {
		const p50Ms = percentile(values, 0.5) ?? 0;
		const ratio = (percentile(recounting, 0.5) ?? 0) / p50Ms;
		const p99Ms = percentile(values, 0.99) ?? 0;
		const about = { messages: messages.length, samples: values.length, isEstimate: false };
		return { name, ...about, p50Ms, p99Ms, heapMb: heap, ratio };
	};
	const ours = (of: readonly Sample[]) => of.map((sample) => sample.ours);
	const passes = samples.filter(({ isPass }) => isPass).slice(-LAST_PASSES);
	const tokenizing = last.map((sample) => sample.tokenizing);
	const projecting = time(() => renderProjection(project(graph, view), messages));
	return [
		row("request", ours(last), heapMb),
		row("tokenizing what is new", tokenizing),
		...(passes.length > 0 ? [row("request with a pass", ours(passes))] : []),
		row(
			"ledger by component",
			time(() => computeLedger(graph, view, fixed)),
		),
		row("projection anew", projecting),
		row("recounting all", recounting),
		{ ...row("Algorithm 1, naive", [naive.ms]), isEstimate: naive.isEstimate },
	];
}

/** pi hands over a deep copy for every request; what is not timed need not be one. */
function lead(
	session: ManagedSession,
	messages: readonly HostMessage[],
	clock: Clock,
	settings: MeasureSettings,
): readonly Sample[] {
	const sample = createSampler(session, clock, settings);
	const points = requestPoints(messages);
	// One list that grows: a slice for each request would copy the history once a request.
	const list: HostMessage[] = [];
	return points.map((point, index) => {
		for (const message of messages.slice(list.length, point)) list.push(message);
		return sample(points.length - index <= settings.timed ? structuredClone(list) : list);
	});
}

type Clock = ReturnType<typeof createClock>;

/** The tokenizer, with the time spent in it. */
function createClock(count: CountTokens, now: () => number) {
	let spent = 0;
	return {
		count: (text: string) => {
			const start = now();
			const tokens = count(text);
			spent += now() - start;
			return tokens;
		},
		spent: () => spent,
	};
}

/** One request as the extension makes it: what the last answer taught, the pass where one is due, the projection. */
function createSampler(
	session: ManagedSession,
	clock: Clock,
	settings: MeasureSettings,
): (messages: readonly HostMessage[]) => Sample {
	const { now } = settings;
	const meter = createTrafficMeter();
	return (messages) => {
		const start = now();
		const before = clock.spent();
		meter.learn(messages);
		const canRestore = createDiskCheck(process.cwd(), messages);
		const { pass } = session.request(messages, { ...settings, canRestore });
		meter.sent("generated", { ...session.state(), ...settings, isCold: false }, pass);
		const tokenizing = clock.spent() - before;
		const isPass = pass !== undefined && changesContext(pass);
		return { ours: now() - start - tokenizing, tokenizing, isPass };
	};
}
