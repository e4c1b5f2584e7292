import { expect, test } from "vitest";
import { newsOf } from "./alert.ts";

test("an alert is an event once, whether it was quiet or not at first; one that becomes loud is still shown", () => {
	const quiet = { id: "tool-bloat", isQuiet: true } as const;
	const loud = { id: "tool-bloat" };
	expect(newsOf(quiet, new Set())).toEqual({ key: "tool-bloat, quiet", isFirst: true });
	expect(newsOf(loud, new Set(["tool-bloat, quiet"]))).toEqual({ key: "tool-bloat", isFirst: false });
	expect(newsOf(loud, new Set())).toEqual({ key: "tool-bloat", isFirst: true });
	for (const alert of [quiet, loud]) expect(newsOf(alert, new Set(["tool-bloat"]))).toBeUndefined();
});
