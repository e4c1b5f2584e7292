export {
	type Calibration,
	type CountSample,
	calibrate,
	countedBudget,
	reportedBudget,
	reportedTokens,
	uncalibrated,
} from "./calibration.ts";
export { type BudgetComponent, budgetComponents } from "./component-usage.ts";
export {
	computeLedger,
	type FixedTokens,
	type Ledger,
	leftOf,
	measureFloor,
	sentSizes,
	totalTokens,
} from "./ledger.ts";
export { accountFor, type RequestAccount, sumAccounts } from "./request-account.ts";
