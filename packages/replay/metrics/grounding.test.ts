import { expect, test } from "vitest";
import { calls, inOrder, marker, reply, result, says, user } from "../test-support/messages.ts";
import { alignRequest } from "./alignment.ts";
import { countGrounding } from "./grounding.ts";
import type { Need } from "./needs.ts";

const history = inOrder(
	user("go"),
	reply(says("both"), calls("1", "read"), calls("2", "read")),
	result("1", "a"),
	result("2", "b"),
);

const inCall = { kind: "own", sources: [{ message: 1, block: 1 }] } as const;
const shown = { sources: [{ message: 2, block: 0 }] } as const;
const inResult = { kind: "edit", text: "whole", ...shown } as const;
const sources = [...inCall.sources, { message: 0, block: 0 }];
const anywhere: Need = { kind: "name", sources };
const needs = [inCall, inResult, anywhere];

function count(needs: readonly Need[], drop: boolean) {
	const projected = history.flatMap((message, i) => {
		if (drop && i === 2) return [];
		if (!drop || message.role !== "assistant") return [message];
		return [{ ...message, content: message.content.filter((_, block) => block !== 1) }];
	});
	return countGrounding(needs, history, alignRequest(history, projected)).grounding;
}

test("everything is kept of a whole history", () => {
	const kept = { needed: 1, kept: 1 };
	const none = { needed: 0, kept: 0 };
	expect(count(needs, false)).toEqual({ edit: kept, own: kept, name: kept, conclusion: none });
});

test("a need is met by any source, block by block", () => {
	const lost = { needed: 1, kept: 0 };
	const name = { needed: 1, kept: 1 };
	expect(count(needs, true)).toMatchObject({ edit: lost, own: lost, name });
});

test("a name is kept where a line that stands for its source still tells it", () => {
	const need: Need = { kind: "name", name: "src/a.ts", ...shown };
	const left = (text: string) => [...history.slice(0, 2), marker(text), ...history.slice(3)];
	const kept = (text: string) =>
		countGrounding([need], history, alignRequest(history, left(text))).grounding.name.kept;
	expect(kept("[expl evicted: src/a.ts]")).toBe(1);
	expect(kept("[expl evicted: src/b.ts]")).toBe(0);
});

test("a conclusion is kept where a line quotes it, whatever the quotes escape", () => {
	const sources = [{ message: 1, block: 0 }];
	const concluded: Need = { kind: "conclusion", text: 'becauseof"b"', sources };
	const keptWith = (line: string) => {
		const left = [history[0], marker(line)].flatMap((message) => message ?? []);
		return countGrounding([concluded], history, alignRequest(history, left)).grounding.conclusion.kept;
	};
	expect([keptWith(JSON.stringify('because of "b"')), keptWith("because of a")]).toEqual([1, 0]);
});
