import { expect, test } from "vitest";
import { DELIMITER, decideDelimiter, emptyProtocol } from "#core/annotation";
import { traitsOf } from "#core/transcript";
import { defaultToolTable } from "../tool-profiles.ts";
import { toolText, toolWords } from "./tool-definitions.ts";

const tools = Object.values(toolWords);

test("each tool goes by the name under which it is listed, and has a row in the tool table", () => {
	for (const [name, words] of Object.entries(toolWords)) {
		expect(words.name).toBe(name);
		expect(traitsOf(defaultToolTable, name)).toBeDefined();
	}
	expect(toolWords.delimiter.name).toBe(DELIMITER);
});

test("the wire text holds name, description and parameters and nothing else", () => {
	const extended = tools.map((words) => ({ ...words, label: "a label", execute: () => undefined }));
	expect(toolText(extended)).toBe(toolText(tools));
	expect(JSON.parse(toolText(tools))).toEqual(tools);
});

test("the delimiter's parameters are those that the protocol reads", () => {
	const { properties } = toolWords.delimiter.parameters;
	expect(properties).toMatchObject({ action: { enum: ["start", "end"] }, type: { enum: ["expl", "act"] } });
	const full = { action: "start", name: "a", type: "act", dependencies: [] };
	expect(decideDelimiter(emptyProtocol, full)).toMatchObject({ type: "accepted" });
	expect(Object.keys(properties)).toEqual([...Object.keys(full), "description", "keep"]);
});
