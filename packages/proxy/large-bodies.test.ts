/** Large requests through a proxy that evicts: they arrive, and requests of other sessions go on meanwhile. */
import { expect, test } from "vitest";
import { quarters, readingSession } from "../wire/test-support/small-requests.ts";
import { startRecorded } from "./test-support/managed.ts";

const MEGABYTE = 1024 * 1024;

test("while a long session is read for the first time, requests of other sessions are answered", async () => {
	const EXCHANGES = 2_000;
	let read = 0;
	const reader = {
		...quarters,
		digestOutput(text: string) {
			if (text.length === 1_000) read += 1;
			return quarters.digestOutput(text);
		},
	};
	let isSent = false;
	/** Results of the long session that are read when a request of another session arrives. */
	const progress: number[] = [];
	const { send, warnings } = await startRecorded(
		(response, { url = "" }) => {
			if (url === "/v1/messages") isSent = true;
			else progress.push(read);
			response.end("{}");
		},
		{ reader },
	);
	const long = send(readingSession(EXCHANGES, 1_000));
	while (!isSent) await send(readingSession(2), { target: "/p/other/v1/messages" });
	expect((await long).statusCode).toBe(200);
	expect(read).toBe(EXCHANGES);
	expect(progress.filter((results) => results > 0 && results < EXCHANGES).length).toBeGreaterThan(1);
	expect(warnings).toEqual([]);
});

test.each([
	[
		"of 60 MB in many messages",
		() => readingSession(46_000, 1_000),
		"it has more than 2.1M tokens, and no model takes as many",
	],
	["of 60 MB in one message", () => readingSession(1, 60 * MEGABYTE), "a message has more than 16 MB"],
	["of 100 MB", () => readingSession(1, 100 * MEGABYTE), "the body is too large or cannot be decoded"],
])("a request %s passes byte for byte, with one line that says so", async (_, session, reason) => {
	const { seen, send, warnings } = await startRecorded();
	const body = Buffer.from(JSON.stringify(session()));
	expect((await send(body)).statusCode).toBe(200);
	expect(seen.map((one) => one.body.equals(body))).toEqual([true]);
	expect(warnings).toEqual([`a request to /v1/messages passes unread: ${reason}.`]);
});
