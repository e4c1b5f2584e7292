/**
 * Answers as long as those of recorded sessions. The worker says what it needs to, in about 60 tokens. A model says more, and what it
 * says is paid as output once and stays in the context as its own words.
 */
import { fnv1a } from "#basics";
import type { ScriptedModel } from "../model.ts";

/**
 * The mean of each twentieth of 9,891 answers in 120 recorded sessions (text, thinking and calls), as a share of the mean of all:
 * most answers are short, and one in twenty is seven times as long.
 */
const LENGTHS = [
	0.06, 0.1, 0.15, 0.17, 0.19, 0.23, 0.26, 0.3, 0.34, 0.38, 0.44, 0.52, 0.62, 0.73, 0.89, 1.08, 1.37, 1.8,
	2.77, 7.6,
];

/** Each is one token in the o200k vocabulary. They name nothing that a later step could need. */
const WORDS =
	" so the next step is to look at what we have and to see that it still holds as it was before".split(
		/(?= )/,
	);

/**
 * The same model with words after its own: `mean` tokens on average. How many follows from a hash of the answer, so that the same
 * answer has the same length under every policy.
 */
export function withLongerAnswers(model: ScriptedModel, mean: number): ScriptedModel {
	if (mean === 0) return model;
	return (request) => {
		const reply = model(request);
		const hash = fnv1a(JSON.stringify(reply));
		const length = Math.round(mean * (LENGTHS[hash % LENGTHS.length] ?? 1));
		const words = Array.from({ length }, (_, index) => WORDS[(hash + index) % WORDS.length]).join("");
		return { ...reply, text: [reply.text, words.trim()].filter(Boolean).join("\n\n") };
	};
}
