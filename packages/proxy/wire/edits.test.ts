import fc from "fast-check";
import { expect, test } from "vitest";
import { applyEdits, editElements, removeMembers, scanArray, scanObject } from "./json-bytes.ts";

const writers = [
	(value: unknown) => JSON.stringify(value),
	(value: unknown) => JSON.stringify(value, undefined, 2),
];

test("a list without some elements, and with others between them, is that list", () => {
	const one = fc.tuple(fc.jsonValue(), fc.boolean(), fc.array(fc.jsonValue(), { maxLength: 2 }));
	fc.assert(
		fc.property(fc.array(one), fc.constantFrom(...writers), (drawn, write) => {
			const bytes = Buffer.from(write(drawn.map(([value]) => value)));
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
