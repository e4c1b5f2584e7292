import fc from "fast-check";
import { expect, test } from "vitest";
import { removeNoise } from "./noise.ts";

test("text without noise stays as it is", () => {
	const text = "one\ntwo\ntwo\n\n\nthree 5 %\n";
	expect(removeNoise(text)).toBe(text);
	fc.assert(
		fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z]{1,20}$/)), (lines) => {
			expect(removeNoise(lines.join("\n"))).toBe(lines.join("\n"));
		}),
	);
});

test("terminal sequences go, the text between them stays", () => {
	expect(removeNoise("\u001b[31mfailed\u001b[0m in \u001b]8;;file:///a\u0007a.ts\u001b]8;;\u0007")).toBe(
		"failed in a.ts",
	);
});

test("of a line that was drawn again and again, what was drawn last stays", () => {
	expect(removeNoise("10 %\r50 %\r100 %\ndone\r\nall\r\r\n")).toBe("100 %\ndone\r\nall\r\r\n");
});

test("repeated lines become one and a count", () => {
	const warning = "warning: no cache";
	expect(removeNoise(["a", warning, warning, warning, "b"].join("\n"))).toBe(
		`a\n${warning}\n[the line above 2 times more]\nb`,
	);
	expect(removeNoise("a\n0\n0\n0\nb")).toBe("a\n0\n0\n0\nb");
	expect(removeNoise("a\n\n\n\n\nb")).toBe("a\n\nb");
});

test("of lines of progress the last stays", () => {
	const progress = ["10% [==>       ]", "40% [=====>    ]", "70% [=======>  ]", "100% [=========]"].join(
		"\n",
	);
	expect(removeNoise(`start\n${progress}\nend`)).toBe(
		"start\n[3 lines of progress before this one]\n100% [=========]\nend",
	);
	for (const figures of ["a 10%\nb 20%\nc 30%", "  50%    12\n  66%    13\n  75%    13"])
		expect(removeNoise(figures)).toBe(figures);
});
