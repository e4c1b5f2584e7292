import { describe, expect, test } from "vitest";
import { accountFor, sumAccounts } from "./request-account.ts";

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
		const cold = { shared: 980, added: 0, hasPass: true, isCold: true };
		expect(accountFor(cold, { input: 1_980, cached: 0 }).expired).toBe(0);
	});

	test("a prefix is long enough to be cached from 1,280 tokens on, and misses of 256 or a hundredth are none", () => {
		const expired = (shared: number, input: number, cached: number) =>
			accountFor({ shared, added: 0, hasPass: false, isCold: false }, { input, cached }).expired;
		expect([expired(1_279, 1_279, 0), expired(1_280, 1_280, 0)]).toEqual([0, 1_280]);
		expect([expired(2_000, 2_000, 1_744), expired(2_000, 2_000, 1_743)]).toEqual([0, 257]);
		const beyond = { shared: 2_000, added: 0, hasPass: true, isCold: true };
		expect(accountFor(beyond, { input: 5_000, cached: 3_000 })).toMatchObject({
			rewritten: 2_000,
			expired: 0,
		});
		expect([expired(100_000, 100_000, 99_000), expired(100_000, 100_000, 98_999)]).toEqual([0, 1_001]);
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
