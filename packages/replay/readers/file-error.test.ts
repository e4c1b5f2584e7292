import { expect, test } from "vitest";
import { fileError } from "./lines.ts";

test.each([
	["ENOENT", "not-found", "check the path"],
	["EACCES", "not-readable", "make it readable or leave it out"],
	["EIO", "not-readable", "leave it out"],
])("%s names the place and the remedy", (system, code, remedy) => {
	const error = fileError("/s/a.jsonl", Object.assign(new Error("x"), { code: system }));
	expect(error.code).toBe(code);
	expect(error.message).toMatch(/^\/s\/a\.jsonl: /);
	expect(error.message).toContain(remedy);
});

test("a fault of the program is thrown on", () => {
	const fault = new TypeError("x");
	expect(() => fileError("/s", fault)).toThrow(fault);
});
