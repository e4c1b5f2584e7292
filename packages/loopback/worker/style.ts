/** The working style of a worker. */

export interface Style {
	/** True for one call per request, as most agents work most of the time; false for as many as fit together. */
	readonly isSequential: boolean;
	/** Files read at once while exploring, both needed ones and their surroundings. */
	readonly filesAtOnce: number;
	/** The last step of a task at which the worker may survey before the first change. */
	readonly lastSurveyStep: number;
}

export const STYLES = {
	/** As few requests as the task allows. */
	brisk: { isSequential: false, filesAtOnce: 4, lastSurveyStep: 3 },
	/** One call at a time, with a survey before a change and a review after it. */
	thorough: { isSequential: true, filesAtOnce: 4, lastSurveyStep: 16 },
} as const satisfies Readonly<Record<string, Style>>;
