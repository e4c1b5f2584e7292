/** Runs a crowded session request by request: the passes it makes, and the time of each request without the tokenizer. */
import { changesContext } from "#core";
import { percentile } from "#lab";
import {
	type CountTokens,
	createManagedSession,
	defaultToolTable,
	type HostMessage,
	policyByName,
} from "#pi";
import type { CrowdedSession } from "./sessions.ts";

export interface Row {
	readonly name: string;
	readonly policy: string;
	/** Tokens. */
	readonly budget: number;
	readonly requests: number;
	readonly overBudget: number;
	readonly passes: number;
	/** Tokens that the median pass freed; null without passes. */
	readonly freed: number | null;
	readonly p50Ms: number;
	readonly p99Ms: number;
	/** Of the last tenth of the requests, which shows growth. */
	readonly lastMs: number;
	/** The time of reading and planning the whole session anew, divided by the median of the last tenth. */
	readonly ratio: number;
	/** Of the passes in the log, as JSON. */
	readonly logBytes: number;
}

/** The size of a typical system prompt and tools, in tokens. */
const FIXED = { system: 400, tools: 500 };

interface Sample {
	readonly ms: number;
	readonly isOver: boolean;
	/** Tokens; undefined without a pass. */
	readonly freed: number | undefined;
}

/** Runs one session. `now` is a clock in ms. */
export function measureCrowded(session: CrowdedSession, count: CountTokens, now: () => number): Row {
	const { name, budget, messages, pinned } = session;
	const policy = policyByName(session.policy);
	const settings = { policy, budget, fixed: FIXED, pinned };
	let tokenizing = 0;
	const counted: CountTokens = (text) => {
		const start = now();
		const tokens = count(text);
		tokenizing += now() - start;
		return tokens;
	};
	const managed = createManagedSession(counted, defaultToolTable);
	const request = (list: readonly HostMessage[]): Sample => {
		tokenizing = 0;
		const start = now();
		const { pass, tokens } = managed.request(list, settings);
		const ms = now() - start - tokenizing;
		const freed = pass && changesContext(pass) ? pass.before - pass.after : undefined;
		return { ms, isOver: tokens > budget, freed };
	};
	const points = requestPoints(session);
	managed.sync(messages.slice(0, points[0]));
	const samples = growing(messages, points).map(request);
	const anew = createManagedSession(counted, defaultToolTable);
	anew.restore(managed.state().log);
	tokenizing = 0;
	const start = now();
	anew.request(messages, settings);
	const anewMs = now() - start;
	const times = (of: readonly Sample[]) => of.map(({ ms }) => ms);
	const lastMs = percentile(times(samples.slice(-Math.ceil(samples.length / 10))), 0.5) ?? 0;
	const freed = samples.flatMap((sample) => sample.freed ?? []);
	return {
		...{ name, policy: session.policy, budget, requests: samples.length },
		overBudget: samples.filter(({ isOver }) => isOver).length,
		passes: freed.length,
		freed: percentile(freed, 0.5) ?? null,
		p50Ms: percentile(times(samples), 0.5) ?? 0,
		p99Ms: percentile(times(samples), 0.99) ?? 0,
		lastMs,
		ratio: anewMs / lastMs,
		logBytes: Buffer.byteLength(JSON.stringify(managed.state().log)),
	};
}

/** Before each answer of the model, from the session's start on. */
function requestPoints({ messages, start }: CrowdedSession): readonly number[] {
	const first = start * messages.length;
	return messages.flatMap(({ role }, index) => (role === "assistant" && index >= first ? [index] : []));
}

/** The list of messages at each point. The list is the same one: a copy for each request would take longest of all. */
function growing(messages: readonly HostMessage[], points: readonly number[]) {
	const list: HostMessage[] = [];
	return {
		map<T>(visit: (list: readonly HostMessage[]) => T): readonly T[] {
			return points.map((point) => {
				for (let index = list.length; index < point; index += 1) {
					const message = messages[index];
					if (message) list.push(message);
				}
				return visit(list);
			});
		},
	};
}
