import { expect, test } from "vitest";
import { alertToRaise } from "./alert.ts";

test("an alert is an event once, whether it was quiet or not at first; one that becomes loud is still shown", () => {
	const quiet = { id: "tool-bloat", isQuiet: true } as const;
	const loud = { id: "tool-bloat" };
	expect(alertToRaise(quiet, new Set())).toEqual({ key: "tool-bloat, quiet", isFirst: true });
	expect(alertToRaise(loud, new Set(["tool-bloat, quiet"]))).toEqual({ key: "tool-bloat", isFirst: false });
	expect(alertToRaise(loud, new Set())).toEqual({ key: "tool-bloat", isFirst: true });
	for (const alert of [quiet, loud]) expect(alertToRaise(alert, new Set(["tool-bloat"]))).toBeUndefined();
});
