import { expect, test } from "vitest";
import * as draft from "../test-support/message-builders.ts";
import { testTools } from "../test-support/tools.ts";
import { foldTranscript } from "./fold.ts";
import { nameRun } from "./fold-state.ts";

const { build, call, end, exchange, fold, model } = draft;
const { person, result, startExpl, text } = draft;

test("a run is long from 15,000 tokens on", () => {
	const lengths = (tokens: number) =>
		fold(person(), model(call("a", "read", {}, 10)), result("a", tokens), model(text())).episodes.length;
	expect(lengths(14_989)).toBe(1);
	expect(lengths(14_990)).toBe(2);
});

test("a run keeps its name when what came before it is gone, and no two episodes share one", () => {
	const work = ["read", "edit"].flatMap((tool) => [person(), ...exchange(call(tool, tool))]);
	const session = build([...work, model(text())]);
	const name = (messages: typeof session) => foldTranscript(messages, testTools).episodes.at(-1)?.name;
	expect(name(session.slice(3))).toBe(name(session));
	const taken = new Set<string>();
	const names = Array.from({ length: 5_000 }, (_, i) => {
		const chosen = nameRun(`${i}.0`, (other) => taken.has(other));
		taken.add(chosen);
		return chosen;
	});
	expect(taken.size).toBe(names.length);
});

test("a run gives way to an episode that the model gave the name which it would have had", () => {
	const ownName = nameRun("5.0", () => false);
	const nameBeside = (declared: string) =>
		fold(person(), ...exchange(startExpl("s", declared), end("e", "x")), person(), model(text())).episodes[1]
			?.name;
	expect(nameBeside("look")).toBe(ownName);
	expect(nameBeside(ownName)).toBe(`unmarked-${Number(ownName.slice("unmarked-".length)) + 1}`);
});

test("a name is the FNV-1a hash of where the run begins, so that it is the same in every version", () => {
	// 0xe40c292c and 0xbf9cf968, the published hashes of these texts.
	expect(nameRun("a", () => false)).toBe("unmarked-2220");
	expect(nameRun("foobar", () => false)).toBe("unmarked-735720");
});

test("a name that is taken gives way to the next that is free", () => {
	const taken = ["unmarked-2220", "unmarked-2221"];
	expect(nameRun("a", (name) => taken.includes(name))).toBe("unmarked-2222");
});
