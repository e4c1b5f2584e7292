/** The recipe for an option that a module exports, with a test of its value. */

import type { Assignment } from "./assignment.ts";
import { indentOf, insertBetween, planEdits, replaceLine } from "./edit-sites.ts";
import { escapePattern } from "./pattern.ts";
import type { Recipe } from "./recipe.ts";
import type { LineChange } from "./text-change.ts";
import { quote } from "./toolbox.ts";

type Export = Extract<Assignment, { readonly type: "export" }>;

const EXPORTS = "module.exports = {";

export function recipeForExport({ option, value, path, test }: Export): Recipe {
	return {
		subject: option,
		searches: [`\\b${escapePattern(option)}\\b`],
		hints: [path],
		check: {
			command: `node --test --test-reporter=tap ${quote(test)}`,
			passes: (output) => /^# pass 1$/m.test(output) && /^# fail 0$/m.test(output),
		},
		plan: (known) => {
			const rest = planEdits(known, [{ place: path, rewrite: (lines) => addExport(lines, option, value) }]);
			if (rest.type !== "settled" || known.views.get(test)?.text.includes(option)) return rest;
			const content = testOf(path, option, value);
			return { type: "change", actions: [{ type: "write", path: test, content }] };
		},
	};
}

/** Adds a first entry to the exported object. */
function addExport(
	lines: readonly string[],
	option: string,
	value: number,
): readonly LineChange[] | undefined {
	const known = lines.findIndex((line) => line.trim().startsWith(`${option}:`));
	if (known !== -1) return replaceLine(lines, known, `${option}: ${value},`);
	const index = lines.indexOf(EXPORTS);
	if (index === -1) return undefined;
	return insertBetween(lines, index, [`${indentOf(lines[index + 1] ?? "")}${option}: ${value},`]);
}

function testOf(path: string, option: string, value: number): string {
	return `"use strict";

const assert = require("node:assert");
const test = require("node:test");
const subject = require("../${path}");

test("${option} is ${value}", () => {
	assert.strictEqual(subject.${option}, ${value});
});
`;
}
