/** How full the budget is. */

/** Used tokens as a share of the budget; above 1 the budget is broken, 0 without one. */
export function measureUtilisation(used: number, budget: number): number {
	return budget > 0 ? used / budget : 0;
}
