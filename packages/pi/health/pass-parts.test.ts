import { expect, test } from "vitest";
import { uncalibrated } from "#core/ledger";
import { createNetSizes, type Pass } from "#core/log";
import { planEpisode } from "#core/planning";
import { answered, call, fold, person, titleOf } from "../../core/test-support/message-builders.ts";
import { passWith } from "../../core/test-support/passes.ts";
import { planInput } from "../../core/test-support/simulation.ts";
import { createSizes } from "../screen/sizes.ts";
import { nameEpisodes } from "../screen/status-lines.ts";
import { createPassReader } from "./pass-parts.ts";

const thought = { type: "reasoning", tokens: 100, sealed: 100, sealedBy: "a" } as const;

/** The work of three turns; model "a" thought before each. */
const graph = fold(
	...["x", "y", "z"].flatMap((id) => [person(), ...answered(900, thought, call(id, "read"))]),
	person(),
);
const [oldest] = graph.episodes;

test("what takes nothing but thinking of an episode has level 1, whatever was taken of that before", () => {
	const { partsOf } = createPassReader(graph);
	const own = graph.reasoning.slice(0, 1).map(({ id }) => id);
	const strip = { episode: oldest?.id ?? "", level: 3 as const, items: own, tokens: 100 };
	const { strips } = partsOf(passWith({ strips: [strip] }), (counted) => counted);
	expect(strips).toMatchObject([{ level: 1, tokens: 100 }]);
});

/** A pass over the oldest of the episodes, made for a request to this model, as its log holds it. */
function passUnder(model: string): Pass {
	const pass = oldest && planEpisode(planInput(graph, { budget: 10_000, model }), oldest);
	if (!pass) throw new Error("nothing to evict");
	return JSON.parse(JSON.stringify(pass));
}

function namesIn(logged: Pass) {
	const { sizesOf, partsOf } = createPassReader(graph);
	const { strips } = partsOf(createNetSizes()(logged), sizesOf(logged, createSizes(uncalibrated)).part);
	const named = new Set(strips.map(({ episode }) => episode));
	return graph.episodes.filter(({ name }) => named.has(name)).map((episode) => titleOf(graph, episode));
}

test("a pass took the thinking that it made invalid, and nothing of another model's, which its request had not been sent with", () => {
	expect(namesIn(passUnder("a"))).toEqual(["unmarked-1", "unmarked-2", "unmarked-3"]);
	expect(namesIn(passUnder("b"))).toEqual(["unmarked-1"]);
	expect(nameEpisodes(passUnder("a"), graph, [])).toContain(", 1 more");
	expect(nameEpisodes(passUnder("b"), graph, [])).toBe(oldest?.name);
});
