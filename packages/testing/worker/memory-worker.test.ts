import { describe, expect, it, test } from "vitest";
import type { ModelMessage } from "../model.ts";
import { makeDeployment, renderLog } from "./deployment.ts";
import { type Assignment, phraseAssignment } from "./kinds.ts";
import { createRandom } from "./random.ts";
import { ALL_TOOLS, exchange, RECALL, replyTo, said, user } from "./test-support/exchange.ts";
import { createWorker } from "./worker.ts";

const deployment = makeDeployment(createRandom(1), "amber-harbor", "BILLING_CACHE_SIZE");

const asks = (assignment: Assignment): ModelMessage => user(phraseAssignment(assignment)[0] ?? "");

test("marker lines and git status are no requests, and a name on a marker line is not taken again", () => {
	const prompt = user("Please set the constant `A_B` to 7.");
	const ask = (...messages: readonly ModelMessage[]) =>
		createWorker()({ system: "", tools: ALL_TOOLS, messages });
	const notes = ['[expl "find-x" evicted] Set the constant `A_B` to 7.', "git status: 2 files changed"].map(
		user,
	);
	expect(ask(prompt, ...notes).calls).toEqual(ask(prompt).calls);
	expect(ask(...notes)).toEqual(ask(user("hello")));
	const name = ask(prompt).calls?.[0]?.arguments.name;
	const other = ask(user(`[expl "${name}" evicted] nothing found`), prompt).calls?.[0]?.arguments.name;
	expect(other).not.toBe(name);
});

describe("an id that only a log showed", () => {
	const release = asks({ type: "release", label: "amber-harbor", notes: "notes/a.md" });
	const ran = exchange(
		{ name: "bash", arguments: { command: "sh tools/deploy.sh amber-harbor" } },
		renderLog(deployment),
	);
	const writes = [{ name: "write", arguments: { path: "notes/a.md", content: `${deployment.id}\n` } }];
	const withRecall = [...ALL_TOOLS, RECALL];
	const line = '[act "do-amber-harbor-x1y2-3", evicted 6.1k; recall "do-amber-harbor-x1y2-3"]';

	it("is taken from the log, and from any words that carry it", () => {
		expect(replyTo([...ran, release]).calls).toEqual(writes);
		const words = said(`amber-harbor is registered as ${deployment.id}`);
		expect(replyTo([user("hi"), words, release]).calls).toEqual(writes);
	});

	it("is given up if nothing shows it", () => {
		expect(replyTo([user(line), release])).toMatchObject({
			calls: [],
			text: expect.stringMatching(/^I stop here/),
		});
	});

	it("is recalled by the name on a line, page after page, and then by its words", () => {
		const recalls = [
			[{ query: "do-amber-harbor-x1y2-3" }, "recall: an act. Page 1 of 2, page 2 goes on.\n---"],
			[{ query: "do-amber-harbor-x1y2-3", page: 2 }, "recall: an act. Page 2 of 2.\n---"],
			[{ query: "amber-harbor" }, "recall: unknown."],
		] as const;
		const history = [user(line), release];
		for (const [arguments_, text] of recalls) {
			const call = { name: "recall", arguments: arguments_ };
			expect(replyTo(history, withRecall).calls).toEqual([call]);
			if (text === "recall: unknown.")
				expect(replyTo([...history, ...exchange(call, renderLog(deployment))], withRecall).calls).toEqual(
					writes,
				);
			history.push(...exchange(call, text));
		}
		expect(replyTo(history, withRecall).calls).toEqual([]);
	});
});

describe("a sum over all logs", () => {
	const total = asks({ type: "total", notes: "notes/a.md" });
	const second = makeDeployment(createRandom(2), "olive-bridge", "BILLING_CACHE_SIZE");
	const shown = [deployment, second].map((one) => [
		asks({ type: "deploy", label: one.label }),
		...exchange({ name: "bash", arguments: { command: `sh tools/deploy.sh ${one.label}` } }, renderLog(one)),
	]);

	it("needs all of them at once", () => {
		const sum = [...deployment.steps, ...second.steps].reduce((all, took) => all + took, 0);
		expect(replyTo([...shown.flat(), total]).calls).toEqual([
			{ name: "write", arguments: { path: "notes/a.md", content: `${sum}\n` } },
		]);
		const without = shown.flat().slice(0, -2);
		expect(replyTo([...without, total])).toMatchObject({
			calls: [],
			text: expect.stringMatching(/^I stop here/),
		});
	});
});
