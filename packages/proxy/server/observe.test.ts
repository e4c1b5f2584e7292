/** A proxy that observes: the provider gets a request as it came, and the request is read after its answer. */
import { request } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { bytesOf, sendRaw, startProxyTo, startUpstream } from "../test-support/upstream.ts";

const MESSAGES = "/anthropic/v1/messages";
const TOO_LARGE = Buffer.alloc(65 * 1024 * 1024, " ");

/** Starts an observing proxy in front of a server; `read` lists the bodies that were read. */
async function observe(listener: Parameters<typeof startUpstream>[0]) {
	const read: (string | undefined)[] = [];
	const reader = {
		mode: "observe",
		read(_endpoint: unknown, _path: string, body: Buffer | undefined) {
			read.push(body?.toString());
			return Promise.resolve({});
		},
	} as const;
	const { url } = await startProxyTo(await startUpstream(listener), { reader });
	return { url: url + MESSAGES, read };
}

/** Begins a request whose body has 6 bytes, with 4 of them. */
function begin(url: string) {
	const upload = request(url, { method: "POST", headers: { "content-length": 6 }, agent: false });
	onTestFinished(() => void upload.destroy());
	upload.on("error", () => {}).write('{"a"');
	return upload;
}

test("an upload that breaks off is neither sent nor read; the next request is, in this order", async () => {
	const seen: string[] = [];
	const { url, read } = await observe(async (incoming, response) => {
		seen.push(`${await bytesOf(incoming)}, ${read.length} read`);
		response.end("{}");
	});
	begin(url).destroy();
	await bytesOf(await sendRaw(url, { body: "{}" }));
	await expect.poll(() => read.length > 0).toBe(true);
	expect([seen, read]).toEqual([["{}, 0 read"], ["{}"]]);
});

test("an agent that gives up ends its request at the provider, and the request is not counted", async () => {
	const seen: string[] = [];
	const { url, read } = await observe((incoming, response) => {
		incoming.on("data", () => undefined).on("end", () => seen.push("whole"));
		response.on("close", () => seen.push("closed"));
	});
	const upload = begin(url);
	upload.end(":1");
	await expect.poll(() => seen.length > 0).toBe(true);
	upload.destroy();
	await expect.poll(() => seen.length > 1).toBe(true);
	expect([seen, read]).toEqual([["whole", "closed"], []]);
});

test("a request above the limit is counted once it has its answer", async () => {
	let readBefore = -1;
	const { url, read } = await observe(async (incoming, response) => {
		await bytesOf(incoming);
		readBefore = read.length;
		response.end("{}");
	});
	await bytesOf(await sendRaw(url, { body: TOO_LARGE }));
	await expect.poll(() => read.length > 0).toBe(true);
	expect([readBefore, read]).toEqual([0, [undefined]]);
});

test.each(["{}", TOO_LARGE])("a request without a whole answer is not counted", async (body) => {
	const { url, read } = await observe(async (incoming, response) => {
		await bytesOf(incoming);
		response.socket?.resetAndDestroy();
	});
	await expect(sendRaw(url, { body })).rejects.toMatchObject({ code: "ECONNRESET" });
	expect(read).toEqual([]);
});
