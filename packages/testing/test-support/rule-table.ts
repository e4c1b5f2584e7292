/** Tests of an API's rules: requests that it takes, and requests that it refuses with a message. */
import { describe, expect, test } from "vitest";
import { applyRules, type Rule } from "../refusal.ts";

export function testRules(
	name: string,
	rules: readonly Rule[],
	{ accepts, refuses }: { readonly accepts: Table; readonly refuses: Table },
) {
	test.each(accepts)(`${name} accepts %s`, (_what, request) => {
		expect(applyRules(rules, request)).toBeUndefined();
	});
	describe(`${name} refuses`, () => {
		test.each(refuses)("%s", (message, request) => {
			expect(applyRules(rules, request)).toMatchObject({
				status: 400,
				type: "invalid_request_error",
				message: expect.stringContaining(message),
			});
		});
	});
}

type Table = readonly (readonly [what: string, request: object])[];
