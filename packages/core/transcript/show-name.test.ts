import { expect, test } from "vitest";
import { quote, showName } from "./quote.ts";

/** Any code point that one of the two leaves as it is, the other does too, apart from signs that need quotes only. */
test("names of files and names of episodes hide the same characters", () => {
	const differing: string[] = [];
	for (let point = 0x80; point <= 0x10ffff; point += 1) {
		const char = String.fromCodePoint(point);
		// Bytes that are not UTF-8 have a form of their own, and odd spaces pose in a file's name only.
		if (/\p{Cs}|\p{Zs}/u.test(char)) continue;
		if (quote(char).includes(char) !== showName(char).includes(char)) differing.push(point.toString(16));
	}
	expect(differing).toEqual([]);
});
