/** What managing a session adds to each of its requests, beside counting the whole history anew. */

import { defaultToolTable } from "../../packages/core/tool-table.ts";
import { createDiskCheck } from "../../packages/host/disk-recovery.ts";
import type { HostMessage } from "../../packages/host/host-message.ts";
import {
	changesContext,
	createManagedSession,
	type ManagedSession,
	type RequestSettings,
} from "../../packages/host/managed-session.ts";
import type { CountTokens } from "../../packages/host/tokens.ts";
import { createTrafficMeter } from "../../packages/host/traffic-meter.ts";
import { percentile } from "../metrics/percentile.ts";
import { requestPoints } from "./generated-session.ts";

/** All times in ms; those of requests without what the tokenizer took. */
export interface Figures {
	readonly messages: number;
	/** Requests timed, the last ones of the session, and passes of the whole session. */
	readonly timed: number;
	readonly passes: number;
	readonly request: Spread;
	/** Requests that made a pass; undefined when none was due among all those of the session. */
	readonly pass: Spread | undefined;
	/** The tokenizer's share of a timed request: proportional to what is new. */
	readonly tokenizing: Spread;
	/** One request by a session that knows nothing yet: all is read, counted and folded anew. */
	readonly recounting: number;
}

interface Spread {
	readonly median: number;
	readonly p99: number;
}

interface Sample {
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

/** Lead a session from its first request to its last. */
export function measureSession(
	messages: readonly HostMessage[],
	count: CountTokens,
	settings: MeasureSettings,
): Figures {
	const { now } = settings;
	const clock = createClock(count, now);
	const sampler = createSampler(createManagedSession(clock.count, defaultToolTable), clock, settings);
	const points = requestPoints(messages);
	const samples = points.map((point, index) => {
		const list = messages.slice(0, point);
		// pi hands over a deep copy for every request; what is not timed need not be one.
		return sampler(points.length - index <= settings.timed ? structuredClone(list) : list);
	});
	const timed = samples.slice(-settings.timed);
	const passes = samples.filter(({ isPass }) => isPass);
	return {
		messages: messages.length,
		timed: timed.length,
		passes: passes.length,
		request: spread(timed.map(({ ours }) => ours)),
		pass: passes.length > 0 ? spread(passes.map(({ ours }) => ours)) : undefined,
		tokenizing: spread(timed.map(({ tokenizing }) => tokenizing)),
		recounting: timeRecount(messages, count, settings),
	};
}

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
	clock: ReturnType<typeof createClock>,
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

function timeRecount(
	messages: readonly HostMessage[],
	count: CountTokens,
	settings: MeasureSettings,
): number {
	const start = settings.now();
	createManagedSession(count, defaultToolTable).request(messages, settings);
	return settings.now() - start;
}

function spread(values: readonly number[]): Spread {
	return { median: percentile(values, 0.5) ?? 0, p99: percentile(values, 0.99) ?? 0 };
}
