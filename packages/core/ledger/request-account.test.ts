import { describe, expect, test } from "vitest";
import { accountFor, type SentRequest, sumAccounts } from "./request-account.ts";

/** The columns of a request on a warm cache and without a pass, unless given: cached, new, rewritten, expired. */
function columnsOf(sent: Partial<SentRequest>, input: number, cached = 0): readonly number[] {
	const account = accountFor(
		{ shared: 0, added: 0, hasPass: false, isCold: false, ...sent },
		{ input, cached },
	);
	return [account.cached, account.added, account.rewritten, account.expired];
}

const cut = { shared: 12_000, added: 2_000, hasPass: true };

describe("accountFor", () => {
	test("a request that grows at its tail is cached and new, and the first one is all new", () => {
		expect(columnsOf({ shared: 50_000, added: 1_300 }, 51_320, 49_920)).toEqual([49_920, 1_400, 0, 0]);
		expect(columnsOf({ added: 3_000 }, 3_400)).toEqual([0, 3_400, 0, 0]);
	});

	test("after a pass, what stands behind the cut is rewritten, and what it makes unreadable in front of it", () => {
		expect(columnsOf(cut, 52_000, 11_904)).toEqual([11_904, 2_000, 38_096, 0]);
		expect(columnsOf(cut, 52_000)).toEqual([0, 2_000, 50_000, 0]);
	});

	test("what the provider let go is expired, with and without a pass", () => {
		expect(columnsOf({ shared: 50_000, added: 1_000 }, 51_000)).toEqual([0, 1_000, 0, 50_000]);
		expect(columnsOf({ ...cut, added: 1_000, isCold: true }, 52_000)).toEqual([0, 1_000, 39_000, 12_000]);
	});

	test("what was too short to be cached has not expired", () => {
		expect(columnsOf({ shared: 980, added: 1_000 }, 1_980)).toEqual([0, 1_980, 0, 0]);
		expect(columnsOf({ shared: 980, hasPass: true, isCold: true }, 1_980)).toEqual([0, 0, 1_980, 0]);
	});

	test("a prefix is long enough to be cached from 1,280 tokens on, and misses of 256 or a hundredth are none", () => {
		const expired = (shared: number, input: number, cached: number) =>
			columnsOf({ shared }, input, cached).at(-1);
		expect([expired(1_279, 1_279, 0), expired(1_280, 1_280, 0)]).toEqual([0, 1_280]);
		expect([expired(2_000, 2_000, 1_744), expired(2_000, 2_000, 1_743)]).toEqual([0, 257]);
		const beyond = { shared: 2_000, hasPass: true, isCold: true };
		expect(columnsOf(beyond, 5_000, 3_000)).toEqual([3_000, 0, 2_000, 0]);
		expect([expired(100_000, 100_000, 99_000), expired(100_000, 100_000, 98_999)]).toEqual([0, 1_001]);
	});
});

test("the columns of several requests add up, those of none to nothing", () => {
	const one = { cached: 1, added: 20, rewritten: 300, expired: 4_000 };
	expect(sumAccounts([one, one])).toEqual({ cached: 2, added: 40, rewritten: 600, expired: 8_000 });
	expect(sumAccounts([])).toEqual({ cached: 0, added: 0, rewritten: 0, expired: 0 });
});
