import fc from "fast-check";
import { expect, test } from "vitest";
import { createFold } from "../graph/fold.ts";
import type { Graph } from "../graph/graph.ts";
import type { Pass } from "../log/pass.ts";
import { viewOfLog } from "../log/view.ts";
import { planManualPass } from "../planning/manual-pass.ts";
import { planPass } from "../planning/plan.ts";
import type { Policy } from "../planning/policy.ts";
import { isPrefixChange, planPrefixChange, thinkingOnly } from "../planning/thinking.ts";
import { cwl } from "../policies/cwl.ts";
import { type ProjectedPart, project } from "../projection/projection.ts";
import { writeSession } from "../test-support/session-writer.ts";
import { anySettings, thinkingSession } from "../test-support/sessions.ts";
import { everyPolicy, planInput, type Settings } from "../test-support/simulation.ts";
import { createThinkingCheck } from "../test-support/thinking-check.ts";
import { testTools } from "../test-support/tools.ts";
import type { TranscriptMessage } from "../transcript/transcript.ts";

/** An event between two requests. */
type Event = "nothing" | "undo" | "pass" | "off" | "on" | "resume";

const events = fc.array(
	fc.oneof(
		{ weight: 8, arbitrary: fc.constant<Event>("nothing") },
		{ weight: 3, arbitrary: fc.constantFrom<Event>("undo", "pass", "off", "on", "resume") },
	),
	{ minLength: 1, maxLength: 40 },
);

interface State {
	log: Pass[];
	isOn: boolean;
}

type Plan = typeof planPass;

/** One session request by request; answers the stale blocks of each. */
function staleBlocks(
	messages: readonly TranscriptMessage[],
	settings: Settings,
	policy: Policy,
	happenings: readonly Event[],
	plan: Plan = planPass,
): readonly string[] {
	const check = createThinkingCheck();
	const stale: string[] = [];
	const state: State = { log: [], isOn: true };
	let sent: readonly ProjectedPart[] = [];
	let request = 0;
	let fold = createFold(testTools);
	for (let index = 0; index <= messages.length; index++) {
		const next = messages[index];
		const last = messages[index - 1];
		if (last) fold.append(last);
		if (next && next.author !== "model") continue;
		const past = messages.slice(0, index);
		const event = happenings[request % happenings.length] ?? "nothing";
		if (event === "resume") {
			fold = createFold(testTools);
			for (const message of past) fold.append(message);
		}
		sent = sendRequest(fold.read(), settings, policy, state, event, plan);
		request += 1;
		stale.push(...check.stale(sent, past));
		if (next) check.answer(sent, messages.slice(0, index + 1));
	}
	return stale;
}

function sendRequest(
	graph: Graph,
	settings: Settings,
	policy: Policy,
	state: State,
	event: Event,
	plan: Plan,
): readonly ProjectedPart[] {
	const input = () => planInput(graph, settings, viewOfLog(state.log));
	const shown = () => (state.isOn ? viewOfLog(state.log) : thinkingOnly(graph, viewOfLog(state.log)));
	const before = shown();
	if (event === "off" || event === "on") state.isOn = event === "on";
	if (event === "pass" && state.isOn)
		state.log.push(...[planManualPass(policy, input())].filter((pass) => !!pass));
	if (event === "undo") {
		const last = state.log.findLastIndex((pass) => !isPrefixChange(pass));
		if (last >= 0) state.log.splice(last, 1);
	}
	if (event === "resume") state.log = JSON.parse(JSON.stringify(state.log));
	if (event === "off" || event === "on" || event === "undo") {
		const change = planPrefixChange({ ...input(), view: shown() }, before);
		if (change) state.log.push(change);
	}
	if (state.isOn) {
		const pass = plan(policy, input());
		if (pass) state.log.push(pass);
	}
	return project(graph, shown());
}

test("rule 19: no request sends thinking whose prefix has changed, whatever happens between two requests", () => {
	for (const policy of everyPolicy) {
		fc.assert(
			fc.property(thinkingSession, anySettings, events, (session, settings, happenings) => {
				expect(staleBlocks(writeSession(session), settings, policy, happenings)).toEqual([]);
			}),
		);
	}
});

test("rule 19: the check notices a pass that leaves the thinking behind its first change", () => {
	const unguarded: Plan = (policy, input) => policy.plan(input);
	const hasFault = fc
		.sample(fc.tuple(thinkingSession, anySettings), { numRuns: 200, seed: 7 })
		.some(
			([session, settings]) =>
				staleBlocks(writeSession(session), settings, cwl, ["nothing"], unguarded).length > 0,
		);
	expect(hasFault).toBe(true);
});
