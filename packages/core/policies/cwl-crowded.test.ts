import { beforeAll, describe, expect, test } from "vitest";
import { changesContext, type Pass } from "../log/pass.ts";
import { markerTokens } from "../log/view.ts";
import type { Policy } from "../planning/policy.ts";
import * as draft from "../test-support/message-builders.ts";
import { forEveryRequestUnder, type Request, requestsOf } from "../test-support/simulation.ts";
import { open, openAct, use } from "../test-support/small-sessions.ts";
import { cwl } from "./cwl.ts";

const { answered, build, call, end, failure, model, person, startExpl, text } = draft;

function run(drafts: readonly draft.MessageDraft[], budget: number): readonly Request[] {
	return [...requestsOf(build(drafts), { budget }, cwl)];
}

function passesOf(requests: readonly Request[]): readonly Pass[] {
	return requests.flatMap(({ pass }) => (pass && changesContext(pass) ? [pass] : []));
}

test("no pass frees less than 1 % of the budget, nor less than 5 % when the context stays over its budget", () => {
	forEveryRequestUnder({ policies: [cwl] }, ({ pass }) => {
		if (!pass || !changesContext(pass)) return;
		const { before, after, budget } = pass;
		expect(before - after).toBeGreaterThanOrEqual((after > budget ? 0.05 : 0.01) * budget);
	});
});

test("a request barely over its budget sends recent words no more, though a failed call alone would be enough", () => {
	const failed = [model(call("a", "read")), failure("a", 10)];
	const requests = run([person(5), ...failed, model(text(5_000)), model(text(30)), person(5)], 5_055);
	const last = requests.at(-1)?.pass;
	expect(last).toMatchObject({ before: 5_060, blockers: [] });
	expect(last?.after).toBeLessThan(100);
});

describe("when user turns fill the budget", () => {
	const turn = (at: number) => [person(12), ...(at % 2 === 0 ? use("bash", `c${at}`) : []), model(text(15))];
	const turns = Array.from({ length: 600 }, (_, at) => turn(at)).flat();
	const budget = 4_000;
	const readers = new Set<number>();
	const watched: Policy = {
		...cwl,
		plan: (input) => {
			const { history } = input.graph;
			const contents = () => {
				readers.add(input.graph.messages.length);
				return history.contents();
			};
			return cwl.plan({ ...input, graph: { ...input.graph, history: { ...history, contents } } });
		},
	};
	/** The requests, each with what the user had written by then and its lines; graph and view of a request change with the session. */
	let requests: readonly (Request & { readonly own: number; readonly lines: number })[] = [];
	beforeAll(() => {
		requests = Array.from(requestsOf(build(turns), { budget }, watched), (request) => ({
			...request,
			own: request.graph.prologueTokens + request.graph.userTokens,
			lines: markerTokens(request.view),
		}));
	});

	test("a pass is made once enough has gathered, not at every request", () => {
		const passes = passesOf(requests);
		expect(requests.length).toBeGreaterThan(900);
		// What can leave at all, in batches of a twentieth of the budget.
		expect(passes.length).toBeLessThan((300 * 120 + 600 * 15) / (0.05 * budget));
		expect(passes.length).toBeGreaterThan(0);
	});

	test("a request exceeds what the user wrote by little more than a twentieth of the budget", () => {
		for (const { own, lines, pass } of requests) {
			if (!pass || pass.blockers.length === 0) continue;
			expect(pass.blockers[0]?.code).toBe("user-turns");
			expect(pass.after - own - lines).toBeLessThanOrEqual(0.05 * budget + 240);
		}
	});

	test("a request that can free next to nothing reads no content", () => {
		const blocked = requests.filter(({ pass }) => pass && pass.blockers.length > 0);
		expect(blocked.length).toBeGreaterThan(200);
		// At the beginning of a turn spent outputs are looked for where a twentieth of the budget may leave. Short answers count
		// as content that may leave, although they only do so where nothing else meets the budget.
		const begins = requests.filter(({ messages }) => messages.at(-1)?.author === "user").length;
		expect(begins).toBeGreaterThan(500);
		expect(readers.size).toBeLessThanOrEqual(0.7 * begins);
	});
});

describe("an expl that ends with a very long description", () => {
	const looked = [
		person(10),
		...open("look", ...use("read", "r")),
		...answered(5, { ...end("e", "what it found "), tokens: 4_000 }),
	];
	const budget = 3_000;
	const work = Array.from({ length: 10 }, (_, at) => use("grep", `g${at}`)).flat();

	test("leaves with the first pass after its exchange, hot or not", () => {
		const requests = run([...looked, ...work], budget);
		const passes = passesOf(requests);
		expect(passes.at(-1)?.strips.map(({ episode, level }) => [episode, level])).toContainEqual(["look", 4]);
		const over = requests.filter(({ pass }) => pass && pass.after > budget);
		expect(over).toHaveLength(1);
		expect(passes.length).toBeLessThanOrEqual(2);
	});

	test("stays while an open act depends on it, and then that act is what blocks", () => {
		const requests = run([...looked, ...openAct("fix", ["look"]), ...work], budget);
		expect(requests.at(-1)?.pass?.blockers[0]).toMatchObject({ code: "dependencies", act: "fix" });
		// Each exchange has less than a twentieth of the budget.
		expect(passesOf(requests).length).toBeLessThanOrEqual(requests.length / 2);
	});
});

test("a rejected delimiter call can leave as a last resort, one that took effect cannot", () => {
	const rejected = [model({ ...startExpl("bad", ""), tokens: 900 }), draft.failure("bad", 5)];
	const session = [
		person(10),
		...open("look", ...rejected, model(text(10)), ...answered(10, call("r", "read"))),
	];
	const [pass] = passesOf(run(session, 500));
	expect(pass?.strips.flatMap(({ items }) => items)).toContain("3.0");
	expect(pass?.strips.flatMap(({ items }) => items)).not.toContain("1.0");
});
