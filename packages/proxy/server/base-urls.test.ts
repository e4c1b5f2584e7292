/** Base URLs as users write them: an agent that appends its own path gets to the same place as without the proxy. */
import { expect, test } from "vitest";
import { startManaged } from "../test-support/managed.ts";
import { readingSession } from "../test-support/small-requests.ts";
import { bytesOf, sendRaw, startRecorder } from "../test-support/upstream.ts";

const long = Buffer.from(JSON.stringify(readingSession(12)));

/** Provider addresses and what an agent appends to `http://127.0.0.1:PORT/p`, with the target that the provider gets. */
const bases: readonly (readonly [base: string, appended: string, target: string])[] = [
	["", "/v1/messages", "/v1/messages"],
	["/", "/v1/messages", "/v1/messages"],
	["/api", "/v1/messages", "/api/v1/messages"],
	["/api/", "/v1/messages", "/api/v1/messages"],
	["/api/v1/", "/messages", "/api/v1/messages"],
	["", "//v1/messages", "//v1/messages"],
	["", "/v1/messages?beta=true", "/v1/messages?beta=true"],
	["/api", "/v1/messages?x=%2Fmessages&y=a%20b", "/api/v1/messages?x=%2Fmessages&y=a%20b"],
	["", "/v2/messages", "/v2/messages"],
];

test.each(bases)("a provider at %j and an agent that appends %j: %s", async (base, appended, target) => {
	const { url: provider, seen } = await startRecorder();
	const upstreams = new Map([["p", new URL(provider + base)]]);
	const { url } = await startManaged(provider, { upstreams });
	const port = new URL(url).port;
	expect((await sendTo(port, `/p${appended}`, long)).statusCode).toBe(200);
	expect(seen[0]?.url).toBe(target);
	// Wherever the endpoint stands, its requests are kept below the budget.
	expect(seen[0]?.body.length).toBeLessThan(long.length);
});

test.each(["/v1/messages/", "/v1/messages/batches", "/v1/complete", "/v1/messages;a=b", "/v1/%6dessages"])(
	"%s is no endpoint that is known: it passes as it is",
	async (path) => {
		const { url: provider, seen } = await startRecorder();
		const { url } = await startManaged(provider);
		await sendTo(new URL(url).port, `/p${path}`, long);
		expect(seen).toMatchObject([{ url: path, body: long }]);
	},
);

test.each([
	["an unknown version in a header", "/v1/messages", ["anthropic-version", "2099-01-01"], long.toString()],
	["a later version with other requests", "/v9/messages", [], '{"model":"m","messages":{"thread":[1,2]}}'],
	["a later version with other messages", "/v9/messages", [], '{"model":"m","messages":[["user","hi"]]}'],
])(
	"%s passes: headers as they are, the body unread unless it is understood",
	async (_, path, headers, text) => {
		const { url: provider, seen } = await startRecorder((response) =>
			response.writeHead(400).end("no such version"),
		);
		const { url, warnings } = await startManaged(provider);
		for (let n = 0; n < 2; n += 1) {
			const answer = await sendRaw(`${url}/p${path}`, { headers, body: text });
			expect(answer.statusCode).toBe(400);
			expect((await bytesOf(answer)).toString()).toBe("no such version");
		}
		const isUnderstood = text === long.toString();
		expect(warnings.length).toBe(isUnderstood ? 0 : 1);
		for (const { rawHeaders, body } of seen) {
			for (const header of headers) expect(rawHeaders).toContain(header);
			if (!isUnderstood) expect(body.toString()).toBe(text);
		}
	},
);

/** Keeps the target as it is written. */
function sendTo(port: string, target: string, body: Buffer) {
	return sendRaw(`http://127.0.0.1:${port}/`, { body, target });
}
