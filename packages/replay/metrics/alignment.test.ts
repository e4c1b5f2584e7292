import { expect, test } from "vitest";
import * as say from "../../pi/test-support/host-messages.ts";
import { alignRequest } from "./alignment.ts";

test("a message that is passed on as it is stands for itself, not for a part of another one of its time", () => {
	const evicted = say.reply([say.calls("c1")], 1);
	const silent = say.reply([], 1);
	const history = [say.user("go"), evicted, say.result("c1", [say.words("x")], 2), silent];
	const { kept } = alignRequest(history, [...history.slice(0, 1), silent]);
	expect(kept).toEqual([history[0], undefined, undefined, silent]);
});

test("what is left of a message stands for it", () => {
	const answer = say.reply([say.says("so"), say.calls("c1")], 1);
	const history = [say.user("go"), answer, say.result("c1", [say.words("x")], 2)];
	const left = { ...answer, content: [say.says("so")] };
	expect(alignRequest(history, [...history.slice(0, 1), left]).kept).toEqual([history[0], left, undefined]);
});

test("lines that cwl added at the end of a result are markers, and the result is the one of the history", () => {
	const result = say.result("c1", [say.words("x")], 2);
	const history = [say.user("go"), say.reply([say.calls("c1")], 1), result];
	const sent = { ...result, content: [say.words("x"), say.words("[one]"), say.words("[two]")] };
	const { kept, markers, strangers } = alignRequest(history, [...history.slice(0, 2), sent]);
	expect(kept).toEqual(history);
	expect(markers).toMatchObject([{ content: [say.words("[one]"), say.words("[two]")] }]);
	expect(strangers).toEqual([]);
});
