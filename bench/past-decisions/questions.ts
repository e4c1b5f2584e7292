/**
 * Questions about past decisions, and whether a request still answers them: what the model recorded when it closed an
 * episode is the question's source, and the lines that a request sends are all that may answer it.
 */
import type { HostMessage } from "#pi";

/** One finding of the worker: its subject, the first place that it names, and the facts after the places. */
export interface Question {
	readonly description: string;
	readonly subject: string;
	readonly place: string;
	/** Sentences that hold what no file says, such as a former name; often none. */
	readonly facts: readonly string[];
}

/** How many questions a request answers. */
export interface Answers {
	readonly questions: number;
	/** The whole description is sent. */
	readonly whole: number;
	/** One note names the subject and the first place that it was found at. */
	readonly places: number;
	/** Questions with facts, and those of them whose facts are sent. */
	readonly withFacts: number;
	readonly facts: number;
}

const FOUND = /^(.+?): found at ([\w./-]+\.\w+)/;

/** The findings that a history records, oldest first. Descriptions that found nothing ask nothing. */
export function listQuestions(history: readonly HostMessage[]): readonly Question[] {
	return descriptionsIn(history).flatMap((description): readonly Question[] => {
		const [, subject, place] = FOUND.exec(description) ?? [];
		if (subject === undefined || place === undefined) return [];
		const [, ...facts] = description.split(/(?<=\.) /).map((fact) => fact.replace(/\.$/, ""));
		return [{ description, subject, place, facts }];
	});
}

/** Sets the questions against what a request sends. */
export function countAnswers(questions: readonly Question[], sent: readonly HostMessage[]): Answers {
	const notes = notesIn(sent);
	const answered = (test: (question: Question, note: string) => boolean) => (question: Question) =>
		notes.some((note) => test(question, note));
	const withFacts = questions.filter(({ facts }) => facts.length > 0);
	return {
		questions: questions.length,
		whole: questions.filter(answered(({ description }, note) => note.includes(description))).length,
		places: questions.filter(
			answered(({ subject, place }, note) => note.includes(subject) && note.includes(place)),
		).length,
		withFacts: withFacts.length,
		facts: withFacts.filter(answered(({ facts }, note) => facts.every((fact) => note.includes(fact)))).length,
	};
}

/** The quoted texts of lines that stand for evicted episodes, and descriptions that are still sent in their calls. */
function notesIn(sent: readonly HostMessage[]): readonly string[] {
	const lines = sent.flatMap((message) => textOf(message).split("\n"));
	const quoted = lines
		.filter((line) => line.startsWith("["))
		.flatMap((line) => [...line.matchAll(/"(?:[^"\\]|\\.)*"/g)])
		.map(([text]) => String(JSON.parse(text)));
	return [...descriptionsIn(sent), ...quoted];
}

function textOf(message: HostMessage): string {
	if (message.role !== "user" && message.role !== "custom") return "";
	const { content } = message;
	if (typeof content === "string") return content;
	return content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
}

function descriptionsIn(messages: readonly HostMessage[]): readonly string[] {
	return messages.flatMap((message) => {
		if (message.role !== "assistant") return [];
		return message.content.flatMap((block) => {
			if (block.type !== "toolCall" || block.name !== "delimiter") return [];
			const { description } = block.arguments;
			return typeof description === "string" ? [description] : [];
		});
	});
}
