import { expect, test } from "vitest";
import { drawMark, MARK_ENTRY, readMark } from "./frame-mark.ts";

const entry = (data: unknown) => ({ type: "custom", customType: MARK_ENTRY, data });

test("the first mark of a branch is its mark, as it was drawn", () => {
	const mark = drawMark();
	expect(mark).toMatch(/^\d{6}$/);
	expect(readMark([{ type: "message" }, entry({ mark }), entry({ mark: "000000" })])).toBe(mark);
});

test.each([undefined, null, 7, "123456", {}, { mark: 123456 }, { mark: "12" }, { mark: "> 1234" }])(
	"an entry that holds %j has no mark",
	(data) => {
		expect(readMark([entry(data)])).toBeUndefined();
	},
);
