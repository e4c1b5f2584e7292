/** How a worker goes about its tasks. */

export interface Style {
	/** One call a request, as most agents work most of the time; else whatever can go together goes together. */
	readonly isSequential: boolean;
	/** Files read at once while exploring, the ones that are needed and those that give the surroundings. */
	readonly filesAtOnce: number;
	/** The last step of a task at which it is worth looking around before the first change. */
	readonly lastSurveyStep: number;
}

export const STYLES = {
	/** As few requests as the task allows. */
	brisk: { isSequential: false, filesAtOnce: 4, lastSurveyStep: 3 },
	/** One thing after the other, with a look around before a change and a second look behind it. */
	thorough: { isSequential: true, filesAtOnce: 4, lastSurveyStep: 16 },
} as const satisfies Readonly<Record<string, Style>>;
