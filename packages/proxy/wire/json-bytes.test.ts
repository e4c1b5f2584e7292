import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { memberOf, parseAt, scanArray, scanObject } from "./json-bytes.ts";

const spaced = (value: unknown) => Buffer.from(`\n ${JSON.stringify(value, undefined, "\t")} `);

describe("any JSON text, spaced or not", () => {
	const forms = [(value: unknown) => Buffer.from(JSON.stringify(value)), spaced];

	test("has the members of its object where they are found", () => {
		fc.assert(
			fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(...forms), (value, write) => {
				const bytes = write(value);
				const { members = [] } = scanObject(bytes) ?? {};
				expect(Object.fromEntries(members.map(({ key, value }) => [key, parseAt(bytes, value)]))).toEqual(
					JSON.parse(bytes.toString()),
				);
			}),
		);
	});

	test("has the elements of its array where they are found", () => {
		fc.assert(
			fc.property(fc.array(fc.jsonValue()), fc.constantFrom(...forms), (value, write) => {
				const bytes = write(value);
				const { elements = [], span } = scanArray(bytes, 0) ?? {};
				expect(elements.map((element) => parseAt(bytes, element))).toEqual(JSON.parse(bytes.toString()));
				expect(span && parseAt(bytes, span)).toEqual(JSON.parse(bytes.toString()));
			}),
		);
	});

	test("that is cut off anywhere is not understood", () => {
		fc.assert(
			fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (value, at) => {
				const text = JSON.stringify(value);
				const bytes = Buffer.from(text).subarray(0, at % Buffer.byteLength(text));
				expect(scanObject(bytes)).toBeUndefined();
			}),
		);
	});
});

test.each(["", "[]", "1", '{"a":1,"a":2}', '{"a" 1}', '{"a":}', '{"a":1 "b":2}', "{a:1}", '{"a":1,}'])(
	"%j is no object that can be edited",
	(text) => {
		expect(scanObject(Buffer.from(text))).toBeUndefined();
	},
);

test.each(["", "{}", "[1 2]", "[,]", "[1,]", "[1"])("%j is no array that can be edited", (text) => {
	expect(scanArray(Buffer.from(text), 0)).toBeUndefined();
});

test("a key is found however it is spelled", () => {
	const scanned = scanObject(Buffer.from('{"m\\u0065ssages":[]}'));
	expect(scanned && memberOf(scanned, "messages")).toMatchObject({ value: { start: 17, end: 19 } });
});
