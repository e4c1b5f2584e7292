/** `npm run strict`: recorded sessions, replayed under each policy and judged by the rules of four providers. */
import { setImmediate as yieldToEvents } from "node:timers/promises";
import type { FixedTokens } from "#core/ledger";
import { CwlError } from "#pi";
import { type HostMessage, loadTokenCounter } from "#pi/codec";
import { loadPolicies } from "#replay/policies";
import { findSessionFiles, readSession } from "#replay/readers";
import { openRecording, type Recording } from "#replay/recording";
import { markdownTable } from "#replay/report";
import { type Arm, armsUnder, createReplayPrompt, replaySession } from "#replay/run";
import { count, defineBench, forEachStep, text, toggle } from "../bench.ts";
import { loadLibrary } from "../pi-host.ts";
import { sendAsAgents } from "./agents.ts";
import { type Excuses, judge } from "./verdict.ts";
import { type Sender, type Wire, wires } from "./wires.ts";

/** Refusals that are shown in full. */
const MAX_EXAMPLES = 20;

export const bench = defineBench({
	positionals: "PATH...",
	flags: {
		policies: text("all", "a list of policies"),
		budget: count("80000", "tokens"),
		agents: toggle("through the proxy, as three agents with good and bad habits"),
	},
	notes: "PATH is a recorded session or a folder of them. Exit code 1 if a request is refused.",
	async run({ values: { policies, budget, agents }, positionals, signal }) {
		if (positionals.length === 0)
			throw new CwlError("no-sessions", "name recorded sessions: files or folders of them.");
		const arms = agents ? [] : armsUnder(budget, await loadPolicies(policies));
		const tokenizer = await loadTokenCounter();
		const { fixed } = createReplayPrompt(tokenizer);
		const totals = new Map<string, { sessions: number; requests: number; refusals: number }>();
		const examples: object[] = [];
		const add = (session: string, policy: string, { requests, refusals }: Checked) => {
			const total = totals.get(policy) ?? { sessions: 0, requests: 0, refusals: 0 };
			totals.set(policy, {
				sessions: total.sessions + 1,
				requests: total.requests + requests,
				refusals: total.refusals + refusals.length,
			});
			for (const refusal of refusals.slice(0, MAX_EXAMPLES - examples.length))
				examples.push({ session, policy, ...refusal });
		};
		const { places, problems } = await findSessionFiles(positionals);
		for (const { message } of problems) console.error(message);
		await forEachStep(places, "sessions", signal, async ({ path, line }) => {
			const session = await readSession(path, line);
			if (agents) add(path, "agents", sendAsAgents(session.messages, budget));
			const recording = openRecording(session, tokenizer);
			for (const arm of arms) {
				add(path, arm.name, checkSession(recording, arm, fixed));
				await yieldToEvents();
			}
			return `${examples.length} refusals`;
		});
		const { VERSION: pi } = await loadLibrary();
		const rows = [...totals].map(([name, total]) => [name, ...Object.values(total).map(String)]);
		return {
			figures: { pi, budget, policies: Object.fromEntries(totals), examples },
			lines: () => [
				`pi ${pi}, budget ${budget} tokens`,
				...markdownTable([["policy", "sessions", "requests", "refusals"], ...rows]),
				...examples.map((example) => JSON.stringify(example)),
			],
			hasFailed: examples.length > 0,
		};
	},
});

interface Checked {
	/** Requests of the replay; each goes to all four providers. */
	readonly requests: number;
	readonly refusals: readonly object[];
}

function checkSession(recording: Recording, arm: Arm, fixed: FixedTokens): Checked {
	const refusals: object[] = [];
	const excuses: Excuses = new Map();
	let requests = 0;
	for (const { index, history, messages } of replaySession(recording, { ...arm, fixed })) {
		requests += 1;
		for (const wire of wires) {
			const verdict = judge(wire, messages, history, senderOf(wire, history), excuses);
			if (verdict) refusals.push({ request: index, wire: verdict.wire, refusal: verdict.refusal });
		}
	}
	return { requests, refusals };
}

/** The model that recorded the session if it speaks this API, so that its signatures are sent back unchanged. */
function senderOf({ api, sender }: Wire, history: readonly HostMessage[]): Sender {
	const last = history.findLast((message) => message.role === "assistant");
	return last?.role === "assistant" && last.api === api ? last : sender;
}
