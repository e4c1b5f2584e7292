import { expect, test } from "vitest";
import type { HostMessage } from "#pi/codec/host-message.ts";
import { alignRequest } from "../metrics/alignment.ts";
import { createPrefixMeter } from "../metrics/prefix.ts";
import { createRuleCheck } from "../metrics/rules.ts";
import { openRecording } from "../recording/recording.ts";
import { policyNamed, replayUnder } from "../test-support/kept.ts";
import { writeLongSession } from "../test-support/long-session.ts";
import { calls, countQuarters, inOrder, reply, result, says, user } from "../test-support/messages.ts";

function fold(...messages: readonly HostMessage[]) {
	const settings = { count: () => 1, sizes: () => [1], budget: 1, fixed: { system: 0, tools: 0 } };
	const project = policyNamed("context-folding").open({ ...settings, summaries: [] });
	return project(inOrder(...messages)).messages;
}

const start = (id: string, name: string, type: string) =>
	calls(id, "delimiter", { action: "start", name, type });
const endExpl = (id: string) => calls(id, "delimiter", { action: "end", description: "it is in a.ts" });
const endAct = (id: string) => calls(id, "delimiter", { action: "end" });
const textOf = (message: HostMessage | undefined) =>
	message?.role === "custom" ? message.content : undefined;

test("an episode is replaced by its description one request after its end, and the next one stays whole", () => {
	const open = [start("3", "mend", "act"), calls("4", "edit", { path: "a.ts" })];
	const history = [
		user("go"),
		reply(says("looking"), start("1", "look", "expl"), calls("2", "read", { path: "a.ts" })),
		result("1", "started"),
		result("2", "the text"),
		reply(says("mending"), endExpl("5"), ...open),
		...["5", "3", "4"].map((id) => result(id, "ok")),
	];
	expect(fold(...history).slice(0, 4)).toEqual(inOrder(...history).slice(0, 4));
	const shown = fold(...history, reply(says("next"), calls("6", "bash"))).slice(0, -1);
	expect(shown.map(({ role }) => role)).toEqual(["user", "custom", "assistant", "toolResult", "toolResult"]);
	expect(textOf(shown[1])).toBe('[expl "look", folded] "it is in a.ts"');
	expect(shown[2]).toMatchObject({ content: [says("mending"), ...open] });
});

test("an act is replaced by the words of the message that ends it; what the user says inside stays", () => {
	const shown = fold(
		reply(start("1", "mend", "act")),
		result("1", "started"),
		user("wait"),
		reply(says("all done"), calls("2", "bash"), endAct("3")),
		result("2", "fine"),
		result("3", "ended"),
		reply(says("finished")),
	);
	expect(shown.map(({ role }) => role)).toEqual(["custom", "user", "assistant"]);
	expect(textOf(shown[0])).toBe('[act "mend", folded] "all done"');
});

test("a refused end folds nothing", () => {
	const refused = { ...result("2", "no"), isError: true } as HostMessage;
	expect(
		fold(
			reply(start("1", "look", "expl")),
			result("1", "started"),
			reply(endExpl("2")),
			refused,
			reply(says("so")),
		),
	).toHaveLength(5);
});

test("in a marked session it breaks the rules that it says it breaks, and no others", () => {
	const recording = openRecording(writeLongSession(20), countQuarters, "runs");
	const measure = createPrefixMeter(recording.sizes);
	const check = createRuleCheck();
	const violations = replayUnder("context-folding", recording, 1e6, { system: 50, tools: 30 }).flatMap(
		(request) => {
			const alignment = alignRequest(request.history, request.messages);
			const { isExtension } = measure(request.messages);
			return check({ ...request, alignment, fits: true, isExtension });
		},
	);
	expect(new Set(violations.map(({ rule }) => rule))).toEqual(new Set(policyNamed("context-folding").exempt));
});
