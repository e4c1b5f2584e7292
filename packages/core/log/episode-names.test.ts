import { expect, test } from "vitest";
import * as draft from "../test-support/message-builders.ts";
import { createNamer } from "./episode-names.ts";

const { call, end, exchange, fold, model, note, person, startExpl, text } = draft;

const graph = fold(
	person(),
	...exchange(startExpl("s", "look"), call("a", "read")),
	...exchange(end("e", "seen")),
	person(),
	note(),
	model(text()),
);
const [look, unmarked] = graph.episodes;
const nameOf = createNamer(graph);

test("a part has the name of the episode that holds its items, whatever id a pass gave that", () => {
	const [, read = { id: "" }] = look?.items ?? [];
	const [noted = { id: "" }, answer = { id: "" }] = unmarked?.items ?? [];
	expect([noted, answer]).toMatchObject([{ type: "note" }, { type: "text" }]);
	expect(nameOf({ episode: ` ${read.id}`, item: read.id })).toBe("look");
	expect(nameOf({ episode: " custom-vpe1aq", items: [answer.id] })).toBe(unmarked?.name);
	// A note behind a compaction may have the id of this one.
	expect(nameOf({ episode: " custom-vpe1aq", items: [noted.id, read.id] })).toBe("look");
	expect(nameOf({ episode: "look", items: [] })).toBe("look");
});

test("no id of an unmarked part is a name: one that is nowhere is unmarked text", () => {
	expect(nameOf({ episode: " custom-vpe1aq", items: ["gone"] })).toBe("unmarked text");
	expect(nameOf({ episode: "fix-parser", items: ["gone"] })).toBe("fix-parser");
});
