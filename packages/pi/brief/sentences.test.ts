import { expect, test } from "vitest";
import { classify, isReadable } from "./sentences.ts";

test.each([
	["Open", "I don't know why the socket closes."],
	["Open", "I could not reproduce the crash."],
	["Open", "We couldn't get the old build to start."],
	["Open", "It is unclear whether both formats are in use."],
	["Open", "The upload test still times out."],
	["Open", "Should I drop the old endpoint?"],
	["Open", "What I couldn't get to work is the heartbeat."],
	["Open", "We haven't settled how backups are kept."],
	["Next", "Integration tests were not run, and step 4 is not wired in."],
	["Next", "That leaves the last two files to go."],
	["Next", "One type error is left at api.ts:42."],
	["Open", "I have no explanation for the two rows."],
	["Next", "The remaining piece is the eviction test."],
	["Next", "auth.ts is the only file left."],
	["Next", "38 of the 40 files fit."],
	["Doing", "I'm halfway through the settings page."],
	["Doing", "The migration is in progress."],
	["Doing", "We are now moving the handlers."],
	["Doing", "I'm working on the importer."],
	["Doing", "The fixtures are being converted."],
	["Open", "`unicode_query` fails though: it folds no case."],
	["Open", "One test is red: it expects 3 requests."],
	["Open", "I couldn't add the test: it needs docker."],
	["Doing", "I'm on the header now."],
	["Next", "The worker still polls; moving it comes next, then the sweeper."],
	["Next", "I haven't done 4 yet."],
	["Next", "I'll do the test once docker is up."],
	["Next", "I'll pause here before the remaining changes."],
	["Done", "The login form is replaced with the redirect."],
	["Done", "Both call sites now use one key."],
	["Next", "The prefix query isn't in yet."],
	["Next", "I haven't started on the hook."],
	["Next", "Moving on to the writer, then the docs."],
	["Next", "The spec hasn't been run, and two rows still need a cleanup."],
	["Next", "After that I'll update the docs."],
	["Next", "The tests have not been run yet."],
	["Next", "What remains is the changelog."],
	["Next", "Everything is ported except the cache."],
	["Done", "I've added the flag to both commands."],
	["Done", "The lexer is finished."],
	["Done", "Now I replaced the table with a map."],
])("is %s: %j", (label, sentence) => {
	expect(classify(sentence)).toEqual([label, sentence]);
});

test.each([
	"Nothing is left to do.",
	"No further steps are needed.",
	"There is nothing left to do.",
	"Everything is done!",
])("says that nothing is left: %j", (sentence) => {
	expect(classify(sentence)).toEqual(["Next", "none"]);
});

test.each([
	"The limit is 100.",
	"I'm now sure that both are the same.",
	"The file does not exist yet.",
	"A job is done when its worker says so.",
	"It retries when a request fails.",
	"No more issues remain in the parser.",
	"The index is updated by the worker.",
	"Then we meet the target.",
	"Let me now run the tests.",
	`${"if it has to, ".repeat(100)}it fails.`,
	"There are two ways to do this.",
	"Nothing in the log names the host.",
	"I read the parser and its tests.",
	"The next call reads the rest.",
	"All 40 of 40 files fit.",
])("is of no kind: %j", (sentence) => {
	expect(classify(sentence)).toBeUndefined();
});

test.each([
	[true, "Done."],
	[true, "I moved `parse` to src/a.ts, and the tests of it pass on Node 20."],
	[false, "He corregido el redondeo y quedan pendientes las dos con descuento global."],
	[false, "수정했습니다. 남은 작업: 통합 테스트"],
])("is English, so that these rules can read it: %s %j", (isEnglish, text) => {
	expect(isReadable(text)).toBe(isEnglish);
});
