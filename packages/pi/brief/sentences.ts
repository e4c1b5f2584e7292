/** Tells the kind of a sentence that names none itself, by the words that agents use. */
import { MAX_SENTENCE } from "./goal-and-constraints.ts";

/** By label, in the order in which they are tried. */
const kinds: readonly (readonly [RegExp, string])[] = [
	[
		/\b(?:still|is|are|it[’']s|remains?|was) unclear\b|(?:\bnot|n[’']t) (?:sure|know|certain) (?:yet )?(?:whether|if|why|how|what)\b|(?:\bcan(?:no| no|[’'])t|\bcould(?: not|n[’']t)|\bunable to) (?:yet )?(?:explain|reproduce|verify|check|run|figure out|find out|answer|tell|get\b.*\bto)\b|\b(?:known|open|unresolved) (?:issue|problem|limitation|bug|question|point)\b|\bblocked\b|\bunexplained\b|\bno explanation\b|\bout of date\b|\boutdated\b|\bstill open\b|\bno fix\b|^(?!.*\b(?:when|if|whenever|once|until|no|never|nothing|none)\b.*\bfails?\b).*\bfails?\b|\b(?:is|are) (?:still )?red\b|\b(?:is|are)(?: not|n[’']t) available\b|^(?:I|we) could(?: not|n[’']t) (?!see\b|find (?:any|a)\b)|\bstill (?:fails?|failing|broken|crash\w*|flak\w+|times? out)\b|\b\d+ (?:of \d+ )?(?:tests?|checks?) (?:still )?fail|(?<!\bno\b.*)\b(?:problem|issue|bug|question)s? (?:still )?remains?\b|(?:\bnot|n[’']t) (?:yet )?(?:looked into|investigated)\b|\bha(?:s|ve)(?: not|n[’']t) (?:yet )?(?:been )?(?:settled|decided|agreed)\b|\b(?:to be|un)decided\b|^(?:shall|should) (?:I|we)\b[^?]*\?/i,
		"Open",
	],
	[
		/\b(?:in the (?:middle|process) of|(?:half|part)[- ]?way through|half[- ]?(?:done|finished)|under ?way|work in progress|WIP|(?:is|are|still) in progress)\b|\b(?:I[’']m|I am|we[’']re|we are) (?:currently|still|now|working on) (?!(?:un)?(?:sure|certain|done|able|not)\b)\S|\b(?:is|are) (?:currently )?being \w+|\b(?:I[’']m|I am|we[’']re) (?:now )?on (?:the|to)\b|\bbegun to\b/i,
		"Doing",
	],
	[
		/\bnext steps? (?:is|are|would be)\b|^(?:next|after that|afterwards|tomorrow|later),? (?:I|we|you)(?:[’']|\b)|^then,? (?:I|we|you)(?:[’'](?:ll|d)| will| would)\b|\b(?:comes?|is|are) next\b|^next (?:up )?(?:is|are|comes?)\b|\b(?:I|we)(?:[’']ll| will) need (?:to|an?|the)\b|\b(?:I|we)(?:[’']ll| will)\b.*\b(?:once|as soon as|when you)\b|\b(?:is|are|has|have)(?: not|n[’']t)\b.{1,40}\byet\b|\b(?:I|we) have(?: not|n[’']t) (?:started|begun|written|added|made|implemented|tested|touched)\b|^moving on to\b|\bha(?:s|ve)(?: not|n[’']t) been (?:run|tested|verified|checked|done|started|implemented|migrated|ported|written|updated|merged|deployed|reviewed)\b|\bremaining (?:changes|files|work|steps?|parts?|tests|items|tasks?|callers)\b|\b(?:I|we)(?:[’']ll|[’']d| will| would) (?:\w+ )+next\b|\b(?:my|the) plan is to\b|\bwhat(?:[’']s| is)? (?:left|remains|remaining) (?:is|are)\b|\b(?:still|yet|remains?|left) to (?:be|do)\b|\bstill needs?\b|\b(?:I|we|you) (?:also |now )?still (?:need|have) to\b|\b(?:thing|one|part|step)s? left\b|\b(?:\d+|one|two|three|four|five|few|some|more|files?|steps?|parts?) (?:\w+ )?to go\b|\b(?:\d+|one|two|three|some|few)\b[\w ]{1,30}\b(?:is|are) (?:still )?left\b|\b(?:is|are|still) missing\b|^that leaves\b|\b(?:only|last) (?:\w+ )?\w+ left\b|\bremaining (?:\w+ )?\w+ (?:is|are)\b|(?<!\bno\b.*)\bremains?[.!]*$|\b(?:I|we|you) should\b.*\bbefore\b|\b(?:everything|all|complete|done|finished)\b.*\bexcept\b|\b(?:can|has to|must) wait\b|\b(?:is|are|was|were|been)(?: not|n[’']t) (?:yet )?(?:been )?(?:run|wired|ported|tested|implemented|covered|migrated|handled|hooked up|included|converted)\b|\bnot (?:yet )?(?:been )?started\b|\bnot yet (?:been )?(?:done|made|run|written|built|\w+ed)\b|(?:\bnot|n[’']t) (?:been )?(?:done|made|run|written|built|started|\w+ed) yet\b/i,
		"Next",
	],
	[
		/^(?!.*\bplan\b)(?:(?:so|now|also|then|first|finally),? )?(?:(?:I|we)(?:[’']ve| have)?(?: now| also| just| already| then)? )?(?:added|implemented|fixed|wrote|written|updated|ported|moved|renamed|removed|created|replaced|refactored|extracted|documented|converted|migrated|finished|completed|built|introduced|changed|wired|deleted|merged|switched)\b|^(?!.*(?:\bnot\b|n[’']t\b|[’']ll\b|\b(?:when|once|until|if|how|whether|will)\b)).*\b(?:is|are) (?:all |now |fully )*(?:done|finished|complete|completed|implemented|fixed|in place|migrated|ported|written|added|updated|renamed|replaced|removed|moved|merged|converted|deleted|wired)\b(?! by\b)|^(?!.*(?:\bnot\b|n[’']t\b|[’'](?:ll|m)\b|\b(?:when|once|until|if|let)\b)).*\bnow (?:use|go|take|return|handle|throw|show|work|run|read|write|support|accept|reject|check|call|print)s?\b/i,
		"Done",
	],
];

/** Nothing is left to do. */
const NOTHING_LEFT =
	/^(?:(?:.*[;,] )?nothing (?:else |more |is |now |further )*(?:left|remains|remaining|to do|needed)\b|no (?:further|more|other|remaining) (?:steps?|work|changes?)\b|there(?:[’']s| is) nothing (?:else |more )?(?:left )?to do\b|(?:everything|all (?:of it|steps?|tasks?)) (?:is|are) (?:now )?(?:done|complete|completed|finished|in place)[.!]*$)/i;

/** A part of a whole, as in "38 of the 40 files". */
const PART = /\b(\d+) (?:out )?of (?:the )?(\d+)\b/i;

/** The label and text of a sentence; undefined for one that is of no kind. */
export function classify(sentence: string): readonly [label: string, text: string] | undefined {
	if (sentence.length > MAX_SENTENCE) return undefined;
	if (NOTHING_LEFT.test(sentence)) return ["Next", "none"];
	const [, part = 0, whole = 0] = PART.exec(sentence) ?? [];
	const left = Number(part) < Number(whole) ? "Next" : undefined;
	const label = kinds.find(([said]) => said.test(sentence))?.[1] ?? left;
	return label === undefined ? undefined : [label, sentence];
}

/** Words of which every English text of some length has many. */
const ENGLISH = /^(?:the|is|are|to|of|and|it|for|with|now|on|not|that|this|from|by|as|be|i)$/i;
/** Fewer words than this have no language. */
const FEW_WORDS = 8;

/** Returns true if the rules here can read a text: they know English alone. */
export function isReadable(text: string): boolean {
	const words = text.match(/\p{L}+/gu) ?? [];
	const latin = words.filter((word) => /^[a-z]+$/i.test(word));
	if (words.length < FEW_WORDS) return latin.length === words.length;
	return words.filter((word) => ENGLISH.test(word)).length >= words.length / 15;
}
