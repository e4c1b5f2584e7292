/** A session that grows under a policy, request by request: plan, log, project. */
import fc from "fast-check";
import { withFading } from "../add-ons/fading.ts";
import { hybrid, semanticMerge } from "../add-ons/seed-policies.ts";
import { createFold } from "../graph/fold.ts";
import type { Graph } from "../graph/graph.ts";
import { type FixedTokens, totalTokens } from "../ledger/ledger.ts";
import type { Form, Pass } from "../log/pass.ts";
import { type View, viewAfter, viewOfLog } from "../log/view.ts";
import { planPass } from "../planning/plan.ts";
import type { PlanInput, Policy } from "../planning/policy.ts";
import { cwl } from "../policies/cwl.ts";
import { paper } from "../policies/paper.ts";
import { type ProjectedPart, project } from "../projection/projection.ts";
import type { ToolResult, TranscriptMessage } from "../transcript/transcript.ts";
import { writeSession } from "./session-writer.ts";
import { anySession, anySettings, type Session, thinkEverywhere } from "./sessions.ts";
import { testTools } from "./tools.ts";

export interface Settings {
	readonly budget: number;
	readonly fixed: FixedTokens;
}

const noFixed: FixedTokens = { system: 0, tools: 0 };

/** Tokens of the next request, without system prompt and tools. */
export function requestSize(graph: Graph, log: readonly Pass[] = []): number {
	return totalTokens({ graph, view: viewOfLog(log), fixed: noFixed });
}

/** One request: what the policy saw, what it did, and what was sent. */
export interface Request {
	readonly policy: Policy;
	readonly messages: readonly TranscriptMessage[];
	readonly graph: Graph;
	readonly settings: Settings;
	/** Before and after the pass; the same when none was made. */
	readonly before: View;
	readonly view: View;
	readonly pass: Pass | undefined;
	/** All passes so far, this one included. */
	readonly log: readonly Pass[];
	readonly parts: readonly ProjectedPart[];
}

export function countMarker(text: string): number {
	return 3 + Math.ceil(text.length / 4);
}

/** Size of an output in a form: a third of the form before, at least a line. */
export function reducedSize({ tokens }: Pick<ToolResult, "tokens">, form: Form): number {
	return Math.max(5, Math.round(tokens / 3 ** form));
}

/** The input of a plan under an empty log, without system prompt and tools, unless given. */
export function planInput(
	graph: Graph,
	settings: Pick<PlanInput, "budget"> & Partial<PlanInput>,
	view = viewOfLog([]),
): PlanInput {
	return { graph, view, fixed: noFixed, tools: testTools, countMarker, reducedSize, ...settings };
}

/** A request goes out before each message of the model, and one at the end. The graph of a request is live. */
export function* requestsOf(
	messages: readonly TranscriptMessage[],
	given: Pick<Settings, "budget"> & Partial<Settings>,
	policy: Policy = paper,
): Generator<Request> {
	const settings = { fixed: noFixed, ...given };
	const graphs = createFold(testTools);
	const log: Pass[] = [];
	let view = viewOfLog(log);
	for (let index = 0; index <= messages.length; index++) {
		const next = messages[index];
		if (!next || next.author === "model") {
			const graph = graphs.read();
			const before = view;
			const pass = policy.plan(planInput(graph, settings, view));
			if (pass) {
				log.push(pass);
				view = viewAfter(view, pass);
			}
			const parts = project(graph, view);
			yield { policy, messages: messages.slice(0, index), graph, settings, before, view, pass, log, parts };
		}
		if (next) graphs.append(next);
	}
}

/** The default policy, passing at every chance that a cold cache gives, and deep. */
const eager: Policy = { name: "eager", plan: (input) => cwl.plan({ ...input, isCold: true, lowWater: 0.5 }) };

/** Those that the rules hold for, unless a rule says otherwise. */
export const everyPolicy: readonly Policy[] = [
	...[paper, cwl, eager, hybrid, semanticMerge],
	...[withFading(cwl, "on"), withFading(eager, "placeholder")],
];

/** A person who switches between a policy with lines for what left in part and Algorithm 1, as the session grows. */
export const switched: Policy = {
	name: "switched",
	plan: (input) => (input.graph.messages.length % 4 < 2 ? cwl : paper).plan(input),
};

/** How a session thinks: as it comes, or everywhere; and whether a pass takes the thinking that it makes invalid. */
type Thinking = "some" | "everywhere" | "kept valid";

/** For rules about thinking that stays: rule 19 is stronger, and takes it. */
export const whereThinkingStays: readonly Thinking[] = ["some", "everywhere"];
const everyThinking: readonly Thinking[] = [...whereThinkingStays, "kept valid"];

interface Draws {
	readonly sessions?: fc.Arbitrary<Session>;
	readonly policies?: readonly Policy[];
	readonly thinking?: readonly Thinking[];
}

type Check = (request: Request, previous: Request | undefined) => void;

/** A property of every request, with what is drawn for it. */
export interface Rule {
	readonly title: string;
	readonly draws: Draws;
	readonly check: Check;
}

export function rule(title: string, check: Check): Rule {
	return { title, draws: {}, check };
}

export function ruleUnder(draws: Draws, title: string, check: Check): Rule {
	return { title, draws, check };
}

/** Checks every request of arbitrary sessions under arbitrary budgets, policy by policy; all policies and ways to think where none are given. */
export function forEveryRequestUnder(draws: Draws, check: Check) {
	for (const policy of policiesOf({ draws })) draw(draws, (simulate) => simulate(policy, check));
}

/**
 * The rules that some request breaks, with what the check threw. Each rule sees the requests that `forEveryRequestUnder` would
 * show it, for the seed decides what is drawn; those with the same sessions and ways to think see one simulation of each policy.
 */
export function brokenRules(rules: readonly Rule[]): ReadonlyMap<Rule, unknown> {
	const broken = new Map<Rule, unknown>();
	let rest = rules;
	for (let [first] = rest; first; [first] = rest) {
		const { draws } = first;
		const isAlike = (rule: Rule) =>
			rule.draws.sessions === draws.sessions && rule.draws.thinking === draws.thinking;
		const alike = rest.filter(isAlike);
		rest = rest.filter((rule) => !isAlike(rule));
		draw(draws, (simulate) => {
			for (const policy of new Set(alike.flatMap(policiesOf))) {
				const asked = alike.filter((rule) => policiesOf(rule).includes(policy));
				simulate(policy, (request, previous) => {
					for (const rule of asked) if (!broken.has(rule)) note(rule, request, previous);
				});
			}
		});
	}
	return broken;

	function note(rule: Rule, request: Request, previous: Request | undefined) {
		try {
			rule.check(request, previous);
		} catch (error) {
			broken.set(rule, error);
		}
	}
}

function policiesOf({ draws: { policies = everyPolicy } }: Pick<Rule, "draws">): readonly Policy[] {
	return policies;
}

/** Draws sessions, each with a budget and a way to think, and hands over what simulates them under a policy. */
function draw(
	{ sessions = anySession, thinking = everyThinking }: Draws,
	visit: (simulate: (policy: Policy, check: Check) => void) => void,
) {
	fc.assert(
		fc.property(sessions, anySettings, fc.constantFrom(...thinking), (session, settings, way) => {
			const messages = writeSession(way === "some" ? session : thinkEverywhere(session));
			visit((policy, check) => {
				const keepsValid = { ...policy, plan: (input: PlanInput) => planPass(policy, input) };
				const live = way === "kept valid" ? keepsValid : policy;
				let previous: Request | undefined;
				for (const request of requestsOf(messages, settings, live)) {
					check(request, previous);
					previous = request;
				}
			});
		}),
	);
}
