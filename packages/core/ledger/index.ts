export * from "./calibration.ts";
export {
	addedByRequest,
	type BudgetComponent,
	budgetComponents,
	computeLedger,
	type FixedTokens,
	isEvicted,
	leftOf,
	measureFloor,
	type SealedTokens,
	sealedAmong,
	sealedIn,
	sealedTokens,
	sentSizes,
	tokensWithResults,
	totalTokens,
	withoutUnsent,
} from "./ledger.ts";
export { accountFor, type RequestAccount, SMALLEST_CACHED, sumAccounts } from "./request-account.ts";
export { thinkingSize } from "./sealed-thinking.ts";
