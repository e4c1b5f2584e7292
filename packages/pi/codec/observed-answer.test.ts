import { expect, test } from "vitest";
import { failureOf, finishReason } from "./observed-answer.ts";

test("an answer that came whole has no failure", () => {
	for (const reason of ["stop", "toolUse", "length"]) expect(failureOf(reason, "500")).toBeUndefined();
});

test.each([
	["429 rate limited", "429"],
	["Error 503 from upstream", "503"],
	['529 {"type":"error"}', "529"],
	["the file secret.txt has 500 lines", "_OTHER"],
	["200 OK", "_OTHER"],
	["4290 is no status", "_OTHER"],
	[undefined, "_OTHER"],
])("of the error %j only %s is told", (message, failure) => {
	expect(failureOf("error", message)).toBe(failure);
});

test("what the user stopped is no error of the provider's, whatever it says", () => {
	expect(failureOf("aborted", "500 stopped")).toBe("aborted");
});

test("asking for a tool is the only reason that goes by another name", () => {
	expect(["stop", "length", "toolUse"].map(finishReason)).toEqual(["stop", "length", "tool_calls"]);
});
