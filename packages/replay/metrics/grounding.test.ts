import { expect, test } from "vitest";
import type { Recall } from "../policies/replay-policy.ts";
import { calls, inOrder, marker, reply, result, says, user } from "../test-support/messages.ts";
import { alignRequest } from "./alignment.ts";
import { countGrounding, totalGrounding } from "./grounding.ts";
import type { Need } from "./needs.ts";
import { addUp } from "./traffic.ts";

const history = inOrder(
	user("go"),
	reply(says("both"), calls("1", "read"), calls("2", "read")),
	result("1", "a"),
	result("2", "b"),
);

const inCall = {
	kind: "self",
	isCross: false,
	sources: [{ message: 1, block: 1 }],
	queries: ["a.ts"],
} as const;
const inResult = {
	kind: "edit",
	isCross: true,
	text: "whole",
	sources: [{ message: 2, block: 0 }],
	queries: ["b.ts", "whole"],
} as const;
const anywhere: Need = {
	kind: "path",
	isCross: false,
	sources: [...inCall.sources, { message: 0, block: 0 }],
	queries: [],
};

function count(needs: readonly Need[], drop: boolean, recall?: Recall) {
	const projected = history.flatMap((message, i) => {
		if (drop && i === 2) return [];
		if (!drop || message.role !== "assistant") return [message];
		return [{ ...message, content: message.content.filter((_, block) => block !== 1) }];
	});
	return countGrounding(needs, history, alignRequest(history, projected), recall);
}

test("everything is kept of a whole history", () => {
	expect(count([inCall, inResult, anywhere], false)).toEqual({
		edit: { needed: 1, kept: 1, recallable: 0 },
		editCross: { needed: 1, kept: 1, recallable: 0 },
		self: { needed: 1, kept: 1, recallable: 0 },
		path: { needed: 1, kept: 1, recallable: 0 },
		ident: { needed: 0, kept: 0, recallable: 0 },
	});
});

test("a need is met by any source, block by block", () => {
	expect(count([inCall, inResult, anywhere], true)).toMatchObject({
		edit: { needed: 1, kept: 0, recallable: 0 },
		editCross: { needed: 1, kept: 0, recallable: 0 },
		self: { needed: 1, kept: 0, recallable: 0 },
		path: { needed: 1, kept: 1, recallable: 0 },
	});
});

test("what is gone is within reach when a recall gives it back, asked by what the reply itself names", () => {
	const asked: string[] = [];
	const recall = (query: string) => {
		asked.push(query);
		return query === "whole" ? ["something else", "the wh ole text"] : [];
	};
	expect(count([inCall, inResult, anywhere], true, recall)).toMatchObject({
		edit: { needed: 1, kept: 0, recallable: 1 },
		self: { needed: 1, kept: 0, recallable: 0 },
		path: { needed: 1, kept: 1, recallable: 0 },
	});
	expect(asked).toEqual(["a.ts", "b.ts", "whole"]);
});

test("a name is kept where a line that stands for its source still tells it", () => {
	const need: Need = {
		kind: "path",
		isCross: false,
		name: "src/a.ts",
		sources: inResult.sources,
		queries: [],
	};
	const left = (text: string) => [...history.slice(0, 2), marker(text), ...history.slice(3)];
	const kept = (text: string) =>
		countGrounding([need], history, alignRequest(history, left(text)), undefined).path.kept;
	expect(kept("[expl evicted: src/a.ts]")).toBe(1);
	expect(kept("[expl evicted: src/b.ts]")).toBe(0);
});

test("groundings add up, and all needs count once", () => {
	const each = count([inCall, inResult, anywhere], true);
	const sum = [each, each, count([inCall], false)].reduce(addUp);
	expect(sum).toMatchObject({
		editCross: { needed: 2, kept: 0 },
		self: { needed: 3, kept: 1 },
	});
	expect(totalGrounding(sum)).toEqual({ needed: 7, kept: 3, recallable: 0 });
});
