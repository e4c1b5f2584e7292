/** Base URLs as users write them: an agent that appends its own path gets to the same place as without the proxy. */
import { expect, test } from "vitest";
import { readingSession } from "../../wire/test-support/small-requests.ts";
import { startManaged, startRecorded } from "../test-support/managed.ts";
import { sendRaw, startRecorder } from "../test-support/upstream.ts";
import examples from "./base-urls-examples.json" with { type: "json" };

const long = Buffer.from(JSON.stringify(readingSession(12)));

/** Provider addresses and what an agent appends to `http://127.0.0.1:PORT/p`, with the target that the provider gets. */
test.each(examples.known)(
	"a provider at $base and an agent that appends $appended: $target",
	async ({ base, appended, target }) => {
		const { url: provider, seen } = await startRecorder();
		const upstreams = new Map([["p", new URL(provider + base)]]);
		const { url } = await startManaged(provider, { upstreams });
		expect((await sendRaw(url, { body: long, target: `/p${appended}` })).statusCode).toBe(200);
		expect(seen[0]?.url).toBe(target);
		// Wherever the endpoint stands, its requests are kept below the budget.
		expect(seen[0]?.body.length).toBeLessThan(long.length);
	},
);

test.each(examples.unknown)("%s is no endpoint that is known: it passes as it is", async (path) => {
	const { seen, send } = await startRecorded();
	await send(long, { target: `/p${path}` });
	expect(seen).toMatchObject([{ url: path, body: long }]);
});
