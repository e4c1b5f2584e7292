export { customData } from "./custom-entries.ts";
export { CwlError, describeFault, messageOf, refusal } from "./errors.ts";
export { type AnsweredBy, findPrices, type PricedModel, type PricesOf } from "./model-prices.ts";
export { extensionFile, packageDirectory } from "./package-directory.ts";
export { redact } from "./redact.ts";
export { defaultToolTable } from "./tool-profiles.ts";
