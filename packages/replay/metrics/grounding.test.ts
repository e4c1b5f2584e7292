import { expect, test } from "vitest";
import { calls, inOrder, marker, reply, result, says, user } from "../test-support/messages.ts";
import { alignRequest } from "./alignment.ts";
import { countGrounding, createFaultMeter, totalGrounding } from "./grounding.ts";
import type { Need } from "./needs.ts";
import { addUp } from "./traffic.ts";

const history = inOrder(
	user("go"),
	reply(says("both"), calls("1", "read"), calls("2", "read")),
	result("1", "a"),
	result("2", "b"),
);

const inCall = { kind: "self", isCross: false, sources: [{ message: 1, block: 1 }] } as const;
const shown = { isCross: true, sources: [{ message: 2, block: 0 }] } as const;
const inResult = { kind: "edit", text: "whole", ...shown } as const;
const sources = [...inCall.sources, { message: 0, block: 0 }];
const anywhere: Need = { kind: "path", isCross: false, sources };
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
	const [kept, none] = [
		{ needed: 1, kept: 1 },
		{ needed: 0, kept: 0 },
	];
	const asked = { edit: kept, editCross: kept, self: kept, path: kept };
	expect(count(needs, false)).toEqual({ ...asked, ident: none, conclusion: none });
});

test("a need is met by any source, block by block", () => {
	const lost = { needed: 1, kept: 0 };
	const path = { needed: 1, kept: 1 };
	expect(count(needs, true)).toMatchObject({ edit: lost, editCross: lost, self: lost, path });
});

test("a name is kept where a line that stands for its source still tells it", () => {
	const need: Need = { kind: "path", name: "src/a.ts", ...shown };
	const left = (text: string) => [...history.slice(0, 2), marker(text), ...history.slice(3)];
	const kept = (text: string) =>
		countGrounding([need], history, alignRequest(history, left(text))).grounding.path.kept;
	expect(kept("[expl evicted: src/a.ts]")).toBe(1);
	expect(kept("[expl evicted: src/b.ts]")).toBe(0);
});

test("groundings add up, and all needs count once", () => {
	const each = count(needs, true);
	const sum = [each, each, count([inCall], false)].reduce(addUp);
	expect(sum).toMatchObject({ editCross: { needed: 2, kept: 0 }, self: { needed: 3, kept: 1 } });
	expect(totalGrounding(sum)).toEqual({ needed: 7, kept: 3 });
});

test("a conclusion is kept where a line quotes it, whatever the quotes escape", () => {
	const sources = [{ message: 1, block: 0 }];
	const concluded: Need = { kind: "conclusion", isCross: false, text: 'becauseof"b"', sources };
	const keptWith = (line: string) => {
		const left = [history[0], marker(line)].flatMap((message) => message ?? []);
		return countGrounding([concluded], history, alignRequest(history, left)).grounding.conclusion.kept;
	};
	expect([keptWith(JSON.stringify('because of "b"')), keptWith("because of a")]).toEqual([1, 0]);
});

const read = (id: string, path: string) => calls(id, "read", { path });
const past = inOrder(user("go"), reply(read("1", "a")), result("1", "text of a"));

function measure(sent: readonly number[], next: ReturnType<typeof reply>) {
	const messages = past.filter((_, index) => sent.includes(index));
	return createFaultMeter()(past, alignRequest(past, messages), next);
}

test("a call faults when it repeats one whose output is gone", () => {
	expect(measure([0], reply(read("2", "a")))).toEqual({ evicted: 1, faults: 1 });
});

test("no call faults while the output is in the request, or when it is another call", () => {
	expect(measure([0, 1, 2], reply(read("2", "a")))).toEqual({ evicted: 0, faults: 0 });
	expect(measure([0], reply(read("2", "b")))).toEqual({ evicted: 1, faults: 0 });
});

test("an output counts as evicted once, and a later copy of it answers the call", () => {
	const meter = createFaultMeter();
	const again = inOrder(...past, reply(read("2", "a")), result("2", "text of a"));
	const before = again.slice(0, 3);
	const next = reply(read("3", "a"));
	expect(meter(before, alignRequest(before, before.slice(0, 1)), next)).toEqual({ evicted: 1, faults: 1 });
	const sent = again.filter((_, index) => index === 0 || index > 2);
	expect(meter(again, alignRequest(again, sent), next)).toEqual({ evicted: 0, faults: 0 });
});
