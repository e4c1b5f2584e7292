import { expect, test } from "vitest";
import { findForeign } from "./foreign.ts";
import examples from "./foreign-examples.json" with { type: "json" };

test.each(examples.own)(
	"on port $port the host $host is this machine's own, with the origin $origin",
	({ port, host, origin }) => {
		expect(findForeign({ host, ...(origin && { origin }) }, port)).toBeUndefined();
	},
);

test.each(examples.refused)("on port $port $headers is refused", ({ port, headers }) => {
	expect(findForeign(headers, port)).toBeDefined();
});
