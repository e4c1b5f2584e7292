/** The wordings of requests about facts that no file holds; see phrasing.ts. Each clause stands on one line. */

export const MEMORY_FORMS = {
	told: {
		clause:
			'For later: the code for "{subject}" is `{code}` from now on. Do not write it into any file, but add a file `{notes}` with the line "heard"',
		wordings: ["{clause}.", "{clause}, so that I know that you read this."],
	},
	recite: {
		clause: 'Which code did I give you last for "{subject}"? Write it to `{notes}` as a line of its own',
		wordings: ["{clause}."],
	},
	first: {
		clause:
			'Which code did I give you first for "{subject}", before it changed? Write it to `{notes}` as a line of its own',
		wordings: ["{clause}."],
	},
	show: {
		clause:
			'Our lawyers signed off this wording for the "{title}": "{wording}". We do not use it yet, so only add a file `{notes}` with the line "heard"',
		wordings: ["{clause}."],
	},
	insert: {
		clause:
			'Put the wording that our lawyers signed off for the "{title}" into `{path}`, word for word, as a line of its own below the first line',
		wordings: ["{clause}.", "It is time for the text from the lawyers. {clause}."],
	},
	decide: {
		clause: 'We make the constant `{name}` {value}, because "{reason}"',
		wordings: ["{clause}. Please change it, and put the reason into no file."],
	},
	why: {
		clause:
			"Why did we make the constant `{name}` {value}? Write the reason as I gave it to `{notes}`, as a line of its own",
		wordings: ["{clause}.", "A question came up in the review. {clause}."],
	},
	deploy: {
		clause: 'Deploy "{label}" with `sh tools/deploy.sh`, which takes the name as its argument',
		wordings: ["{clause}. It works once for each name, so read what it prints."],
	},
	release: {
		clause:
			'Write the id under which the deployment "{label}" was registered to `{notes}`, as a line of its own',
		wordings: ["{clause}.", "Support asks about an older deployment. {clause}."],
	},
	advise: {
		clause:
			'The log of the deployment "{label}" advised another value for a constant. Give the constant that value',
		wordings: ["{clause}."],
	},
	total: {
		clause:
			"How many milliseconds did all steps of all deployments so far take together, by their logs? Write the sum to `{notes}`, as a line of its own",
		wordings: ["{clause}."],
	},
} as const;
