import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { defaultSettings, describeSettings } from "./load-settings.ts";
import { formatValue, readValue, settingKeys, settingsSchema, variablesOf } from "./schema.ts";

test("the table in docs/settings.md has a row for each setting, with its variables, flag, default and choices", () => {
	const page = readFileSync(new URL("../../../docs/settings.md", import.meta.url), "utf8");
	const rows = page.split("\n").filter((line) => line.startsWith("| `"));
	const defaults = describeSettings(defaultSettings);
	expect(rows).toHaveLength(settingKeys.length);
	for (const [index, key] of settingKeys.entries()) {
		const { flag, choices = [] } = settingsSchema[key];
		const variables = variablesOf(key)
			.toReversed()
			.map((name) => `\`${name}\``);
		const option = flag ? ` \`--${flag.name}\` ` : " ";
		const head = `| \`${key}\` | ${variables.join(", ")} |${option}| \`${defaults[key]}\` | `;
		expect(rows[index]?.slice(0, head.length)).toBe(head);
		for (const choice of choices) expect(rows[index]?.slice(head.length)).toContain(`\`${choice}\``);
	}
});

test.each(settingKeys)(
	"the default of %s reads back from how it is written, and each of its choices is a value",
	(key) => {
		expect(readValue(key, formatValue(key, defaultSettings))).toEqual(defaultSettings[key]);
		for (const choice of settingsSchema[key].choices ?? [])
			expect(() => readValue(key, choice)).not.toThrow();
	},
);

test("an error repeats only the beginning of a long value", () => {
	const long = "x".repeat(10_000);
	expect(() => readValue("policy", long)).toThrow(
		/^policy is "x{199}\.\.\. \(10002 characters\): use one of/,
	);
});
