import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as json from "./json-bytes.ts";
import examples from "./json-bytes-examples.json" with { type: "json" };

const { applyEdits, editElements, memberOf, parseAt, removeMembers, scanArray, scanObject } = json;

const forms = [
	(value: unknown) => Buffer.from(JSON.stringify(value)),
	(value: unknown) => Buffer.from(`\n ${JSON.stringify(value, undefined, "\t")} `),
];

describe("any JSON text, spaced or not", () => {
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

test.each(examples.objects)("%j is no object that can be edited", (text) => {
	expect(scanObject(Buffer.from(text))).toBeUndefined();
});

test.each(examples.arrays)("%j is no array that can be edited", (text) => {
	expect(scanArray(Buffer.from(text), 0)).toBeUndefined();
});

test("a key is found however it is spelled", () => {
	const scanned = scanObject(Buffer.from('{"m\\u0065ssages":[]}'));
	expect(scanned && memberOf(scanned, "messages")).toMatchObject({ value: { start: 17, end: 19 } });
});

test("a list without some elements, and with others between them, is that list", () => {
	const one = fc.tuple(fc.jsonValue(), fc.boolean(), fc.array(fc.jsonValue(), { maxLength: 2 }));
	fc.assert(
		fc.property(fc.array(one), fc.constantFrom(...forms), (drawn, write) => {
			const bytes = write(drawn.map(([value]) => value));
			const list = scanArray(bytes, 0);
			if (!list) throw new Error("no list");
			const added = new Map(
				drawn.map(([, , more], index) => [index, more.map((value) => JSON.stringify(value))]),
			);
			const edits = editElements(list, (index) => drawn[index]?.[1] === true, added);
			const expected = drawn.flatMap(([value, stays, more]) => [...(stays ? [value] : []), ...more]);
			expect(JSON.parse(applyEdits(bytes, edits).toString())).toEqual(JSON.parse(JSON.stringify(expected)));
		}),
	);
});

test("an object without some keys is that object", () => {
	fc.assert(
		fc.property(
			fc.dictionary(fc.string(), fc.jsonValue()),
			fc.array(fc.string()),
			fc.nat(),
			(value, others, at) => {
				const known = Object.keys(value);
				const keys = [...others, ...known.slice(at % (known.length + 1))];
				const bytes = Buffer.from(JSON.stringify(value));
				const scanned = scanObject(bytes);
				if (!scanned) throw new Error("no object");
				const left = JSON.parse(applyEdits(bytes, removeMembers(scanned, keys)).toString());
				const kept = Object.entries(JSON.parse(bytes.toString())).filter(([key]) => !keys.includes(key));
				expect(Object.entries(left)).toEqual(kept);
			},
		),
	);
});

test("elements that stay keep their spelling, and the white space before them where nothing was left out", () => {
	const text = '[ 1e2 , "\\u00e9" ,\n{"a" : 1} , 2 ]';
	const bytes = Buffer.from(text);
	const list = scanArray(bytes, 0);
	if (!list) throw new Error("no list");
	const keep = (...kept: number[]) =>
		applyEdits(
			bytes,
			editElements(list, (at) => kept.includes(at)),
		).toString();
	expect(keep(0, 1, 2, 3)).toBe(text);
	expect(keep(0, 2, 3)).toBe('[ 1e2,{"a" : 1} , 2 ]');
	expect(keep(1, 2)).toBe('["\\u00e9" ,\n{"a" : 1}]');
	expect(keep()).toBe("[]");
});
