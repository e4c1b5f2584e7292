import { expect, test } from "vitest";
import type { ProjectedPart } from "#core/projection";
import { user } from "../test-support/host-messages.ts";
import { createRenderer } from "./growing-renderer.ts";
import { renderProjection } from "./rendering.ts";

const messages = Array.from({ length: 9 }, (_, index) => ({ ...user(`message ${index}`), timestamp: index }));
const whole = (message: number): ProjectedPart => ({ type: "whole", message });
const line: ProjectedPart = { type: "marker", message: 6, text: "one left" };

function expectSame(render: typeof renderProjection, parts: readonly ProjectedPart[]) {
	const fresh = structuredClone(messages);
	expect(render(parts, fresh)).toEqual(renderProjection(parts, fresh));
}

test("a list that grows is rendered like one that is rendered for the first time", () => {
	const render = createRenderer();
	const parts: ProjectedPart[] = [];
	expectSame(render, parts);
	for (const next of [[0, 1], [2], [4, 5], [], [7]]) {
		parts.push(...next.map(whole));
		expectSame(render, parts);
	}
	parts.push(line, whole(8));
	expectSame(render, parts);
});

test("another list, as after a pass, is rendered anew, and so is one that became shorter", () => {
	const render = createRenderer();
	expectSame(render, [0, 1, 2, 3, 4].map(whole));
	const parts = [0, 3, 4, 5].map(whole);
	expectSame(render, parts);
	parts.splice(1);
	expectSame(render, parts);
	expectSame(render, [whole(0), line, whole(7)]);
});

test("a caller may change the list that it gets", () => {
	const render = createRenderer();
	const parts = [0, 1, 2].map(whole);
	render(parts, messages).length = 0;
	expect(messages).toHaveLength(9);
	expectSame(render, parts);
});
