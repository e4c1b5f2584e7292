/**
 * The one part of a request that depends on time: git status is told once git has answered, and an answer that takes
 * longer than a request waits for is told at the next occasion (docs/troubleshooting.md).
 */
import { fieldsOf } from "#loopback";

/** Returns true if two request bodies, as JSON, differ in the git status that their latest user turn was given, and in nothing else. */
export function differInStatusOnly(sent: string, expected: string): boolean {
	return sent !== expected && withoutStatus(sent) === withoutStatus(expected);
}

const FRAME = /<git-status \d{6}>/;

/** The body without the status after its last answer, and without cache breakpoints, which stand at the last message. */
function withoutStatus(json: string): string {
	const body = fieldsOf(
		JSON.parse(json, (key, value: unknown) => (key === "cache_control" ? undefined : value)),
	);
	const name = Array.isArray(body.input) ? "input" : "messages";
	const list = body[name];
	if (!Array.isArray(list)) return json;
	const answer = list.findLastIndex((message) => fieldsOf(message).role === "assistant");
	const left = list.filter((message, index) => index <= answer || !FRAME.test(JSON.stringify(message)));
	return JSON.stringify({ ...body, [name]: left });
}
