/** Measures the parts of managing a session, against a recount that keeps nothing between requests. */
import { computeLedger } from "#core/ledger";
import { changesContext } from "#core/log";
import { project } from "#core/projection";
import {
	type CountTokens,
	createDiskCheck,
	createManagedSession,
	createTrafficMeter,
	defaultToolTable,
	type HostMessage,
	type ManagedSession,
	type RequestSettings,
	renderProjection,
} from "#pi";
import { percentile } from "../bench.ts";
import { measureHeap } from "../surroundings.ts";
import { requestPoints } from "./generated-session.ts";

export interface Row {
	readonly name: string;
	readonly messages: number;
	readonly samples: number;
	readonly p50Ms: number;
	readonly p99Ms: number;
	/** Memory of the managed session without the messages themselves; null for a part of it. */
	readonly heapMb: number | null;
	/** The time of recounting divided by this time, in the same run. */
	readonly ratio: number;
}

interface Sample {
	/** Ms; `ours` excludes the tokenizer. */
	readonly ours: number;
	readonly tokenizing: number;
	readonly isPass: boolean;
}

export interface MeasureSettings extends RequestSettings {
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
	const { now, fixed } = settings;
	const timed = Math.min(settings.timed, Math.ceil(MAX_COPIED / messages.length));
	const empty = measureHeap();
	const clock = createClock(count, now);
	const session = createManagedSession(clock.count, defaultToolTable);
	const samples = lead(session, messages, clock, { ...settings, timed });
	const heapMb = (measureHeap() - empty) / 2 ** 20;
	const last = samples.slice(-timed);
	const time = (times: number, work: () => unknown) =>
		Array.from({ length: times }, () => timeOnce(work, now));
	const { graph, view, log } = session.state();
	const recounting = time(RECOUNTS, () => {
		const fresh = createManagedSession(count, defaultToolTable);
		fresh.restore(log);
		fresh.request(messages, settings);
	});
	const row = (name: string, values: readonly number[], heap: number | null = null): Row => {
		const p50Ms = percentile(values, 0.5) ?? 0;
		const ratio = (percentile(recounting, 0.5) ?? 0) / p50Ms;
		const p99Ms = percentile(values, 0.99) ?? 0;
		return { name, messages: messages.length, samples: values.length, p50Ms, p99Ms, heapMb: heap, ratio };
	};
	const ours = (of: readonly Sample[]) => of.map((sample) => sample.ours);
	const passes = samples.filter(({ isPass }) => isPass).slice(-LAST_PASSES);
	const tokenizing = last.map((sample) => sample.tokenizing);
	return [
		row("request", ours(last), heapMb),
		row("tokenizing what is new", tokenizing),
		...(passes.length > 0 ? [row("request with a pass", ours(passes))] : []),
		row(
			"ledger by component",
			time(timed, () => computeLedger(graph, view, fixed)),
		),
		row(
			"projection from the log",
			time(timed, () => renderProjection(project(graph, view), messages)),
		),
		row("recounting all", recounting),
	];
}

/** Ms of one run of `work`. */
function timeOnce(work: () => unknown, now: () => number): number {
	const start = now();
	work();
	return now() - start;
}

/** pi passes a deep copy for every request; untimed requests do without one. */
function lead(
	session: ManagedSession,
	messages: readonly HostMessage[],
	clock: Clock,
	settings: MeasureSettings,
): readonly Sample[] {
	const sample = createSampler(session, clock, settings);
	const points = requestPoints(messages);
	// One growing list: a slice for each request would copy the history each time.
	const list: HostMessage[] = [];
	return points.map((point, index) => {
		for (const message of messages.slice(list.length, point)) list.push(message);
		return sample(points.length - index <= settings.timed ? structuredClone(list) : list);
	});
}

type Clock = ReturnType<typeof createClock>;

/** The tokenizer, with a count of the time spent in it. */
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

/** One request as the extension makes it: learn from the last answer, make a pass if one is due, project. */
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
