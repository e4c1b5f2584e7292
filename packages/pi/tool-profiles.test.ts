import { expect, test } from "vitest";
import { effectOf, traitsOf } from "#core/transcript";
import { defaultToolTable, readScriptCalls } from "./tool-profiles.ts";
import examples from "./tool-profiles-examples.json" with { type: "json" };

test.each(examples.effects)(
	"of the tools of other agents these are known as $effect: $tools",
	({ effect, tools }) => {
		for (const tool of tools) {
			expect([tool, traitsOf(defaultToolTable, tool)?.effect]).toEqual([tool, effect]);
		}
	},
);

test.each(examples.calls)(
	"$tool with $args does what the strongest of its commands does: $effect",
	({ tool, args, effect }) => {
		expect(effectOf(defaultToolTable, tool, args)).toBe(effect);
	},
);

test.each(examples.commands)(
	"the commands of $script are $commands, as far as they are known",
	({ script, commands }) => {
		const calls = readScriptCalls(script) ?? [];
		expect(calls.map(({ tool, arguments: args }) => [tool, args.cmd])).toEqual(
			commands.map((command) => ["exec_command", command ?? undefined]),
		);
	},
);

test.each(examples.scripts)("$script calls $tools", ({ script, tools }) => {
	expect(readScriptCalls(script)?.map(({ tool }) => tool)).toEqual(tools ?? undefined);
});
