/** Measures what managing a session adds to a request, against a recount that keeps nothing between requests. */
import { changesContext } from "#core/log";
import {
	type CountTokens,
	createDiskCheck,
	createManagedSession,
	createTrafficMeter,
	defaultToolTable,
	type HostMessage,
	type RequestSettings,
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
	/** Memory of the managed session without the messages themselves; null for other rows. */
	readonly heapMb: number | null;
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
	const session = createManagedSession(countTimed, defaultToolTable);
	const meter = createTrafficMeter();
	const points = requestPoints(messages);
	// One growing list: a slice for each request would copy the history each time.
	const list: HostMessage[] = [];
	const samples = points.map((point, index) => {
		for (const message of messages.slice(list.length, point)) list.push(message);
		// pi passes a deep copy for every request; untimed requests do without one.
		const sent = points.length - index <= timed ? structuredClone(list) : list;
		const [start, before] = [now(), tokenizing];
		meter.learn(sent);
		const canRestore = createDiskCheck(process.cwd(), sent);
		const { pass } = session.request(sent, { ...settings, canRestore });
		meter.sent("generated", { ...session.state(), ...settings, isCold: false }, pass);
		const isPass = pass !== undefined && changesContext(pass);
		return { ms: now() - start - (tokenizing - before), isPass };
	});
	const heapMb = (measureHeap() - empty) / 2 ** 20;
	const { log } = session.state();
	const recounting = Array.from({ length: RECOUNTS }, () => {
		const start = now();
		const fresh = createManagedSession(count, defaultToolTable);
		fresh.restore(log);
		fresh.request(messages, settings);
		return { ms: now() - start };
	});
	const row = (name: string, of: readonly { readonly ms: number }[], heap: number | null = null): Row => {
		const [p50Ms = 0, p99Ms = 0] = [0.5, 0.99].map((share) =>
			percentile(
				of.map(({ ms }) => ms),
				share,
			),
		);
		return { name, messages: messages.length, samples: of.length, p50Ms, p99Ms, heapMb: heap };
	};
	const passes = samples.filter(({ isPass }) => isPass).slice(-LAST_PASSES);
	return [
		row("request", samples.slice(-timed), heapMb),
		...(passes.length > 0 ? [row("request with a pass", passes)] : []),
		row("recounting all", recounting),
	];
}
