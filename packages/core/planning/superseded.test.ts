import { expect, test } from "vitest";
import { viewOfLog } from "../log/view.ts";
import { fold, person } from "../test-support/message-builders.ts";
import { useFile as use } from "../test-support/small-sessions.ts";
import { measureFreshness } from "./superseded.ts";
import { collectUnits } from "./units.ts";

test("a unit is fresh by the share of its lines that no younger unit shows, and wholly without lines", () => {
	const graph = fold(
		person(),
		...use("read", "old", "a.ts", [1, 2, 3, 4]),
		...use("read", "none", "b.ts"),
		...use("read", "new", "a.ts", [1, 2, 3]),
		...use("read", "other", "c.ts", [9]),
	);
	const { units } = collectUnits(graph, viewOfLog([]), graph.episodes);
	const shares = measureFreshness(units);
	const byCall = Object.fromEntries(units.map((unit) => [unit.call.callId, shares.get(unit)]));
	expect(byCall).toEqual({ old: 0.25, none: 1, new: 1, other: 1 });
});
