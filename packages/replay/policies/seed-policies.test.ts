import { expect, test } from "vitest";
import type { HostMessage } from "#pi";
import { requestsOf, shownBy, textOf } from "../test-support/kept.ts";
import { calls, inOrder, reply, result, says, thinks, user } from "../test-support/messages.ts";

/** An exchange that shows 100 tokens. */
function reads(name: string, text = textOf(name, 100)): readonly HostMessage[] {
	return [reply(calls(name, "read", { path: `src/${name}.ts` })), result(name, text)];
}

const six = ["a", "b", "c", "d", "e", "f"].map((name) => reads(name));

test("fifo takes the oldest down to its low water", () => {
	const session = [user("go"), ...six.flat()];
	expect(shownBy("fifo", 600, session)).toEqual(["d", "e", "f"]);
	expect(shownBy("fifo:low=.4", 600, session)).toEqual(["e", "f"]);
	expect(shownBy("fifo", 1_000, session)).toHaveLength(6);
});

test("lru spares what a later reply refers to, and takes what nobody did for longest", () => {
	const session = [
		user("go"),
		...six.slice(0, 5).flat(),
		reply(says("src/a.ts it is")),
		user("on"),
		...reads("f"),
	];
	expect(shownBy("lru", 600, session)).toEqual(["a", "e", "f"]);
	expect(shownBy("fifo", 600, session)).toEqual(["d", "e", "f"]);
});

test("a name that many blocks show refers to none of them", () => {
	const common = six.map((_, i) => reads(`r${i}`, `${textOf("x", 90)} commonName_1`)).slice(0, 5);
	const session = [user("go"), ...common.flat(), reply(says("commonName_1")), user("on"), ...reads("f")];
	expect(shownBy("lru", 600, session)).toEqual(["r3", "r4", "f"]);
});

test("priority spares what the task asks for", () => {
	const asked = reads("a", `${textOf("x", 80)} rounding of invoices in euros`);
	const session = [
		user("go"),
		...asked,
		...six.slice(1, 5).flat(),
		user("rounding of invoices"),
		...reads("f"),
	];
	expect(shownBy("priority", 600, session)).toEqual(["a", "e", "f"]);
});

test("priority values words over outputs, and what was referred to over what was not", () => {
	const session = [
		user("go"),
		...six.slice(0, 5).flat(),
		...[1, 2, 3].map((n) => reply(says(`src/b.ts it is ${n}`))),
		user("on"),
		...reads("f"),
	];
	expect(shownBy("priority", 600, session)).toEqual(["b", "e", "f"]);
	const last = requestsOf("priority", 600, inOrder(...session)).at(-1);
	expect(JSON.stringify(last?.messages)).toContain("src/b.ts it is 1");
});

test("semantic-merge lets the youngest of those that are alike stand for all, before anything else goes", () => {
	const polled = textOf("status of the deployment is pending", 100);
	const session = [
		user("go"),
		...reads("a"),
		...reads("poll1", polled),
		...reads("b"),
		...reads("poll2", `${polled} now`),
		...reads("c"),
		...reads("f"),
	];
	expect(shownBy("semantic-merge:low=1", 600, session)).toEqual(["a", "b", "poll2", "c", "f"]);
	expect(shownBy("priority:low=1", 600, session)).toEqual(["poll1", "b", "poll2", "c", "f"]);
});

test("type takes reasoning and outputs that have outlived their kind before words that have not", () => {
	const worked = Array.from({ length: 12 }, (_, i) => reads(`w${i}`, textOf(`w${i}`, 20)));
	const session = [
		user("go"),
		...reads("a"),
		user("and?"),
		reply(says(textOf("finding", 100))),
		user("more"),
		reply(thinks(textOf("wonder", 100)), says("so"), calls("b", "read")),
		result("b", textOf("b", 100)),
		// Providers want the reasoning of a tool loop back until the next user turn.
		user("on"),
		...worked.flat(),
		...reads("f"),
	];
	const last = requestsOf("type:low=.5", 800, inOrder(...session)).at(-1);
	const sent = JSON.stringify(last?.messages);
	expect(sent).toContain("finding 0");
	expect(sent).not.toContain("wonder 0");
	expect(sent).not.toContain("a 0 a 1");
	expect(sent).toContain("w11 0");
});

test("hybrid weighs all of them: a duplicate goes before its equals, a reference keeps what is old", () => {
	const alike = textOf("status of the deployment is pending", 100);
	const session = [
		user("go"),
		...reads("a"),
		...reads("b"),
		...reads("c", alike),
		...reads("d", alike),
		...reads("e"),
		...[1, 2, 3].map((n) => reply(says(`src/a.ts it is ${n}`))),
		user("on"),
		...reads("f"),
	];
	expect(shownBy("hybrid:low=.85", 600, session)).toEqual(["a", "d", "e", "f"]);
});
