import { expect, test } from "vitest";
import type { Strip } from "../log/pass.ts";
import { viewOfLog } from "../log/view.ts";
import * as draft from "../test-support/message-builders.ts";
import { passWith } from "../test-support/passes.ts";
import { type ProjectedPart, project } from "./projection.ts";

const { blank, call, exchange, model, person, reasoning, result, text } = draft;

/** The messages sent once these items are evicted, with a marker in the place of each of the named anchors. */
function send(
	drafts: readonly draft.MessageDraft[],
	items: readonly string[],
	...lines: readonly (readonly [anchor: string, text: string])[]
): readonly ProjectedPart[] {
	const graph = draft.fold(...drafts);
	const strips: Strip[] = [{ episode: "all", level: 4, items, tokens: 0 }];
	for (const [anchor, text] of lines) {
		const marker = { anchor, text, tokens: 1 };
		strips.push({ episode: text, level: 4, items: [anchor], tokens: 0, marker });
	}
	return project(graph, viewOfLog(strips.map((strip) => passWith({ strips: [strip] }))));
}

const whole = (message: number): ProjectedPart => ({ type: "whole", message });
const line = (message: number, lines: string): ProjectedPart => ({ type: "marker", message, text: lines });

const session = [
	person(),
	...exchange(reasoning(), call("a", "read"), call("b", "read")),
	...exchange(call("c", "read")),
	model(text()),
];

test("blank texts and reasoning leave with the call that they came with", () => {
	const blankAfter = [person(), ...exchange(reasoning(), call("a", "read"), blank()), person()];
	expect(send(blankAfter, ["1.1"])).toEqual([whole(0), whole(3)]);
	const blankBefore = [person(), ...exchange(reasoning(), blank(), call("a", "read")), person()];
	expect(send(blankBefore, ["1.2"])).toEqual([whole(0), whole(3)]);
	const blankBetween = [person(), ...exchange(reasoning(), blank(), reasoning(), call("a", "read"))];
	expect(send(blankBetween, ["1.3"])).toEqual([whole(0)]);
	const first = call("a", "read");
	const second = call("b", "read");
	const oneOfTwo = [person(), ...exchange(blank(), first, second)];
	// What stands next to it now may be a text, and a blank text alone is an empty answer to some providers.
	expect(send(oneOfTwo, ["1.1"])).toEqual([whole(0), { type: "part", message: 1, blocks: [2] }, whole(3)]);
	const saidToo = [person(), ...exchange(text(), blank(), call("a", "read"))];
	expect(send(saidToo, ["1.2"])).toEqual([whole(0), { type: "part", message: 1, blocks: [0] }]);
});

test("reasoning leads to what follows blank reasoning too", () => {
	const drafts = [
		person(),
		...exchange(reasoning(), call("a", "read"), blank("reasoning"), call("b", "read")),
		person(),
	];
	const left: ProjectedPart = { type: "part", message: 1, blocks: [0, 2, 3] };
	expect(send(drafts, ["1.1"])).toEqual([whole(0), left, whole(3), whole(4)]);
	expect(send(drafts, ["1.1", "1.3"])).toEqual([whole(0), whole(4)]);
});

test("a marker whose message is left in part comes before that message, never between a call and its result", () => {
	expect(send(session, [], ["1.2", "gone"]).slice(0, 4)).toEqual([
		whole(0),
		line(1, "gone"),
		{ type: "part", message: 1, blocks: [0, 1] },
		whole(2),
	]);
});

test("a marker in the place of a result waits for the end of the exchange", () => {
	const stray = [person(), model(call("a", "read")), result("nobody"), result("a"), model(text())];
	expect(send(stray, [], ["2.0", "gone"])).toEqual([whole(0), whole(1), whole(3), line(4, "gone"), whole(4)]);
});
