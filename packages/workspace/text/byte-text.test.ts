import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeBytes, encodeText, isWellFormedText } from "./byte-text.ts";

const bytes = fc.oneof(
	fc.uint8Array({ maxLength: 40 }),
	fc.string({ unit: "binary" }).map((text) => Uint8Array.from(Buffer.from(text))),
	fc
		.array(fc.constantFrom(0x61, 0xc3, 0xa9, 0xed, 0xa0, 0x80, 0xf0, 0x9f, 0x98, 0xff))
		.map((all) => Uint8Array.from(all)),
);

it("gives back every byte", () => {
	fc.assert(
		fc.property(bytes, (any) => {
			expect([...encodeText(decodeBytes(any))]).toEqual([...any]);
		}),
	);
});

it("is plain text for what is UTF-8, and tells the rest apart", () => {
	expect(decodeBytes(Buffer.from("é😀\uFEFF"))).toBe("é😀\uFEFF");
	expect(decodeBytes(Buffer.from([0x61, 0xff, 0x62]))).toBe("a\udcffb");
	expect(isWellFormedText("é😀")).toBe(true);
	expect(isWellFormedText("a\udcff")).toBe(false);
});
