import { describe, expect, test } from "vitest";
import { accountFor, sumAccounts } from "./account.ts";

describe("accountFor", () => {
	test("a request that grows at its tail is cached and new", () => {
		const account = accountFor(
			{ shared: 50_000, added: 1_300, hasPass: false, isCold: false },
			{ input: 51_320, cached: 49_920 },
		);
		expect(account).toEqual({ cached: 49_920, added: 1_400, rewritten: 0, expired: 0 });
	});

	test("after a pass, what stands behind the cut is rewritten", () => {
		const account = accountFor(
			{ shared: 12_000, added: 2_000, hasPass: true, isCold: false },
			{ input: 52_000, cached: 11_904 },
		);
		expect(account).toEqual({ cached: 11_904, added: 2_000, rewritten: 38_096, expired: 0 });
	});

	test("what a cut makes unreadable in front of it is rewritten too", () => {
		const account = accountFor(
			{ shared: 12_000, added: 2_000, hasPass: true, isCold: false },
			{ input: 52_000, cached: 0 },
		);
		expect(account).toEqual({ cached: 0, added: 2_000, rewritten: 50_000, expired: 0 });
	});

	test("what the provider let go is expired, with and without a pass", () => {
		const idle = accountFor(
			{ shared: 50_000, added: 1_000, hasPass: false, isCold: false },
			{ input: 51_000, cached: 0 },
		);
		expect(idle).toEqual({ cached: 0, added: 1_000, rewritten: 0, expired: 50_000 });
		const cold = accountFor(
			{ shared: 12_000, added: 1_000, hasPass: true, isCold: true },
			{ input: 52_000, cached: 0 },
		);
		expect(cold).toEqual({ cached: 0, added: 1_000, rewritten: 39_000, expired: 12_000 });
	});

	test("what was too short to be cached has not expired", () => {
		const second = accountFor(
			{ shared: 980, added: 1_000, hasPass: false, isCold: false },
			{ input: 1_980, cached: 0 },
		);
		expect(second).toEqual({ cached: 0, added: 1_980, rewritten: 0, expired: 0 });
	});

	test("the first request is all new", () => {
		const account = accountFor(
			{ shared: 0, added: 3_000, hasPass: false, isCold: false },
			{ input: 3_400, cached: 0 },
		);
		expect(account).toEqual({ cached: 0, added: 3_400, rewritten: 0, expired: 0 });
	});
});

test("the columns of several requests add up, those of none to nothing", () => {
	const one = { cached: 1, added: 20, rewritten: 300, expired: 4_000 };
	expect(sumAccounts([one, one])).toEqual({ cached: 2, added: 40, rewritten: 600, expired: 8_000 });
	expect(sumAccounts([])).toEqual({ cached: 0, added: 0, rewritten: 0, expired: 0 });
});
