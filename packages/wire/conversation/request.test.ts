import fc from "fast-check";
import { expect, test } from "vitest";
import { anthropicMessages } from "../formats/anthropic-messages.ts";
import { countShared } from "../formats/json-bytes.ts";
import { type ParsedRequest, parseRequest } from "./request.ts";

const messages = fc.array(fc.oneof(fc.jsonValue(), fc.record({ role: fc.string(), content: fc.string() })));
const bodyOf = (list: readonly unknown[], model: string) =>
	Buffer.from(JSON.stringify({ model, messages: list, stream: true }));
const withShared = (request: ParsedRequest, body: Buffer) => ({
	request,
	shared: countShared(request.bytes, body),
});

test("a body is taken apart alike with and without requests that begin like it", () => {
	fc.assert(
		fc.property(messages, fc.nat(), messages, fc.constantFrom("m", "n"), (list, at, others, model) => {
			const shared = list.slice(0, at % (list.length + 1));
			const recent = [[...shared, ...others], list, others].map((earlier) =>
				parseRequest(bodyOf(earlier, model), anthropicMessages),
			);
			const body = bodyOf(list, "m");
			const known = recent.map((request) => withShared(request, body));
			expect(parseRequest(body, anthropicMessages, known)).toEqual(parseRequest(body, anthropicMessages));
		}),
	);
});

test("messages that only begin with the same bytes are other messages", () => {
	const earlier = parseRequest(bodyOf([1, 12], "m"), anthropicMessages);
	const later = bodyOf([1, 123, 4], "m");
	const parsed = parseRequest(later, anthropicMessages, [withShared(earlier, later)]);
	const texts = parsed.list.elements.map(({ start, end }) => later.toString("utf8", start, end));
	expect(texts).toEqual(["1", "123", "4"]);
});

test("messages that an earlier request begins with are not scanned again", () => {
	const earlier = parseRequest(bodyOf([{ role: "user" }, [1], 2], "m"), anthropicMessages);
	const later = bodyOf([{ role: "user" }, [1], 2, "new"], "m");
	const parsed = parseRequest(later, anthropicMessages, [withShared(earlier, later)]);
	const isReused = parsed.list.elements.map((element) => earlier.list.elements.includes(element));
	expect(isReused).toEqual([true, true, false, false]);
});
