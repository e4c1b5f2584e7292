/** What managing a session takes, part by part, beside two ways that know nothing from one request to the next. */
import { computeLedger } from "../../packages/core/ledger.ts";
import { project } from "../../packages/core/projection.ts";
import { defaultToolTable } from "../../packages/core/tool-table.ts";
import { createDiskCheck } from "../../packages/host/disk-recovery.ts";
import type { HostMessage } from "../../packages/host/host-message.ts";
import {
	changesContext,
	createManagedSession,
	type ManagedSession,
	type RequestSettings,
} from "../../packages/host/managed-session.ts";
import { renderProjection } from "../../packages/host/rendering.ts";
import type { CountTokens } from "../../packages/host/tokens.ts";
import { createTrafficMeter } from "../../packages/host/traffic-meter.ts";
import { createHeapGauge } from "../heap-gauge.ts";
import { percentile } from "../metrics/percentile.ts";
import { requestPoints } from "./generated-session.ts";
import { runNaively } from "./naive-algorithm.ts";

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
}

interface Sample {
	/** In ms; `ours` without the tokenizer. */
	readonly ours: number;
	readonly tokenizing: number;
	readonly isPass: boolean;
}

export interface MeasureSettings extends RequestSettings {
	/** How many of the last requests are timed. */
	readonly timed: number;
	/** A clock in ms. */
	readonly now: () => number;
}

const RECOUNTS = 3;
/** Beyond this a request of the naive algorithm takes minutes; in messages. */
const MOST_NAIVE = 12_000;

/** Lead a session from its first request to its last. Rows of `request` and `pass` leave the tokenizer out. */
export function measureSession(
	messages: readonly HostMessage[],
	count: CountTokens,
	settings: MeasureSettings,
): readonly Row[] {
	const { now, timed, fixed, budget } = settings;
	const empty = createHeapGauge()();
	const clock = createClock(count, now);
	const session = createManagedSession(clock.count, defaultToolTable);
	const samples = lead(session, messages, clock, settings);
	const heapMb = (createHeapGauge()() - empty) / 2 ** 20;
	const last = samples.slice(-timed);
	const time = (times: number, work: () => unknown) =>
		Array.from({ length: times }, () => timeOnce(work, now));
	const { graph, view } = session.state();
	const recounting = time(RECOUNTS, () => {
		createManagedSession(count, defaultToolTable).request(messages, settings);
	});
	const row = (name: string, values: readonly number[], heap: number | null = null): Row => {
		const p50Ms = percentile(values, 0.5) ?? 0;
		const ratio = (percentile(recounting, 0.5) ?? 0) / p50Ms;
		const p99Ms = percentile(values, 0.99) ?? 0;
		return { name, messages: messages.length, samples: values.length, p50Ms, p99Ms, heapMb: heap, ratio };
	};
	const passes = samples.filter(({ isPass }) => isPass).map(({ ours }) => ours);
	const isSmall = messages.length <= MOST_NAIVE;
	return [
		row(
			"request",
			last.map(({ ours }) => ours),
			heapMb,
		),
		row(
			"tokenizing what is new",
			last.map(({ tokenizing }) => tokenizing),
		),
		...(passes.length > 0 ? [row("request with a pass", passes)] : []),
		row(
			"ledger by component",
			time(timed, () => computeLedger(graph, view, fixed)),
		),
		row(
			"projection anew",
			time(timed, () => renderProjection(project(graph, view), messages)),
		),
		row("recounting all", recounting),
		...(isSmall
			? [
					row(
						"Algorithm 1, naive",
						time(1, () => runNaively(graph, budget, fixed, defaultToolTable)),
					),
				]
			: []),
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
	return points.map((point, index) => {
		const list = messages.slice(0, point);
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

function timeOnce(work: () => unknown, now: () => number): number {
	const start = now();
	work();
	return now() - start;
}
