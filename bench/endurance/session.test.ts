import { expect, test } from "vitest";
import { createManagedSession, defaultToolTable } from "#pi";
import { messagesOf } from "./session.ts";

test("an endless session is a series of closed episodes; each act depends on the expl before it", () => {
	const answers = Array.from({ length: 80 }, (_, answer) => answer);
	const session = createManagedSession((text) => text.length, defaultToolTable);
	const { graph } = session.inspect(answers.flatMap(messagesOf));
	const rows = graph.episodes.map(({ id, state, dependencies }) => [id, state, ...dependencies]);
	expect(rows.slice(0, 4)).toEqual([
		["look 0", "closed"],
		["fix 0", "closed", "look 0"],
		["look 1", "closed"],
		["fix 1", "closed", "look 1"],
	]);
	expect(rows).toHaveLength(20);
});
