import { expect, test } from "vitest";
import { findForeign } from "./foreign.ts";

test.each([
	[80, "127.0.0.1", undefined],
	[80, "localhost:80", "http://localhost"],
	[80, "LOCALHOST", "http://127.0.0.1:80"],
	[4141, "127.0.0.1:4141", "http://localhost:4141"],
])("on port %i the host %s is this machine's own, with the origin %s", (port, host, origin) => {
	expect(findForeign({ host, ...(origin && { origin }) }, port)).toBeUndefined();
});

test.each([
	[4141, { host: "127.0.0.1" }],
	[4141, { host: "127.0.0.1:80" }],
	[80, { host: "evil.example" }],
	[80, { host: "127.0.0.1", origin: "http://evil.example" }],
	[80, { host: "127.0.0.1", origin: "null" }],
	[80, { host: "127.0.0.1", origin: "http://127.0.0.1:1" }],
	[80, { host: "127.0.0.1", "sec-fetch-site": "cross-site" }],
	[80, {}],
])("on port %i %j is refused", (port, headers) => {
	expect(findForeign(headers, port)).toBeDefined();
});
