/** `npm run endurance`: one session of many requests, to compare the last tenth with the first. */
import { changesContext } from "#core/log";
import type { HostMessage } from "#pi/codec/host-message.ts";
import { loadTokenCounter } from "#pi/codec/tokens.ts";
import { policyByName } from "#pi/session/live-policies.ts";
import { createManagedSession } from "#pi/session/managed-session.ts";
import { defaultToolTable } from "#pi/tool-profiles.ts";
import { markdownTable } from "#replay/report/tables.ts";
import { defineBench, forEachStep, percentile, readCount } from "../bench.ts";
import { measureHeap } from "../surroundings.ts";
import { generateSession, requestPoints } from "./generated-session.ts";

const TENTHS = 10;
const BUDGET = 80_000;
const FIXED = { system: 900, tools: 1_500 };
/** A generated session has fewer messages per request than this. */
const MESSAGES_PER_REQUEST = 4;

/** Figures of one tenth of the run. */
const FIGURES = [
	/** Ms per request. */
	"medianMs",
	"worstMs",
	/** Heap of the managed session at the end of the tenth, without the messages, which belong to the host. */
	"heapMegabytes",
	/** Size of the session so far, as JSON. */
	"historyMegabytes",
	/** Size of the passes of this tenth in the session file. */
	"logKilobytes",
	"passes",
	/** Tokens of the largest request. */
	"tokens",
] as const;

type Tenth = Readonly<Record<(typeof FIGURES)[number], number>>;

export const bench = defineBench({
	flags: {
		requests: { type: "string", default: "20000", about: `at least ${TENTHS}` },
		policy: { type: "string", default: "cwl", about: "the policy of the session" },
	},
	async run({ values: { requests: number, policy }, signal }) {
		const requests = readCount("requests", number, TENTHS);
		const tenths = await runSession(requests, policy, signal);
		const [first, last] = [tenths[0], tenths.at(-1)];
		const ratio = (name: keyof Tenth) =>
			Math.round((100 * (last?.[name] ?? 0)) / Math.max(first?.[name] ?? 0, 0.001)) / 100;
		const lastToFirst = Object.fromEntries(FIGURES.map((name) => [name, ratio(name)]));
		const cells = (row: Readonly<Record<string, number>>) =>
			FIGURES.map((name) => String(Number((row[name] ?? 0).toPrecision(4))));
		return {
			figures: { requests, policy, lastToFirst, tenths },
			text: () =>
				`${markdownTable([
					["tenth", ...FIGURES],
					...tenths.map((tenth, index) => [String(index + 1), ...cells(tenth)]),
					["last to first", ...cells(lastToFirst)],
				]).join("\n")}\n`,
		};
	},
});

async function runSession(requests: number, policy: string, signal: AbortSignal): Promise<readonly Tenth[]> {
	const session = createManagedSession(await loadTokenCounter(), defaultToolTable);
	const settings = { policy: policyByName(policy), budget: BUDGET, fixed: FIXED };
	const whole = generateSession(MESSAGES_PER_REQUEST * requests, 1);
	const points = requestPoints(whole).slice(0, requests);
	const messages: HostMessage[] = [];
	const empty = measureHeap();
	const tenths: Tenth[] = [];
	const ends = Array.from({ length: TENTHS }, (_, tenth) => Math.floor(((tenth + 1) * requests) / TENTHS));
	let [historyBytes, done] = [0, 0];
	await forEachStep(ends, "tenths", signal, (end) => {
		const times: number[] = [];
		let [logBytes, passes, tokens] = [0, 0, 0];
		for (; done < end; done++) {
			for (const message of whole.slice(messages.length, points[done])) {
				messages.push(message);
				historyBytes += JSON.stringify(message).length;
			}
			const started = performance.now();
			const sent = session.request(messages, settings);
			times.push(performance.now() - started);
			tokens = Math.max(tokens, sent.tokens);
			if (!sent.pass || !changesContext(sent.pass)) continue;
			passes += 1;
			logBytes += JSON.stringify(sent.pass).length;
		}
		tenths.push({
			medianMs: percentile(times, 0.5) ?? 0,
			worstMs: Math.max(...times),
			heapMegabytes: (measureHeap() - empty) / 1e6,
			historyMegabytes: historyBytes / 1e6,
			logKilobytes: logBytes / 1e3,
			...{ passes, tokens },
		});
	});
	return tenths;
}
