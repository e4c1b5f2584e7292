/** Which of several choices no other one beats: cheaper and no worse, or better and no dearer. */

export interface Choice {
	readonly cost: number;
	/** The more the better. */
	readonly worth: number;
}

/** The choices that are beaten by none, cheapest first. */
export function paretoFront<C extends Choice>(choices: readonly C[]): readonly C[] {
	const front: C[] = [];
	for (const choice of choices.toSorted((a, b) => a.cost - b.cost || b.worth - a.worth)) {
		if (choice.worth > (front.at(-1)?.worth ?? Number.NEGATIVE_INFINITY)) front.push(choice);
	}
	return front;
}
