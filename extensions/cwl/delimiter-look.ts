/** Delimiter calls as thin boundary lines instead of tool boxes, with what became of their episodes. */
import type { ToolDefinition } from "@mariozechner/pi-coding-agent";
import { boundaryLine, shorten } from "#pi";
import type { Runtime } from "./state/runtime.ts";

type Look = Required<Pick<ToolDefinition, "renderShell" | "renderCall" | "renderResult">>;

export function delimiterLook(runtime: Runtime): Look {
	return {
		renderShell: "self",
		// Drawn anew with every frame, so that a line says so as soon as its episode has left.
		renderCall: (args, theme) =>
			component((width) => [theme.fg("dim", boundaryLine(args, levelOf(runtime, args), width))]),
		// The line has said it all, unless the call was refused.
		renderResult: (result, _options, theme, { isError }) =>
			component((width) => (isError ? [theme.fg("error", shorten(reason(result), width))] : [])),
	};
}

function component(render: (width: number) => string[]) {
	return { render, invalidate() {} };
}

/** The name of a declared episode is its id. */
function levelOf(runtime: Runtime, args: unknown): number {
	if (typeof args !== "object" || args === null) return 0;
	const { action, name } = args as Readonly<Record<string, unknown>>;
	return action === "start" && typeof name === "string" ? runtime.session.levelOf(name) : 0;
}

function reason({ content }: { readonly content: readonly { readonly type: string }[] }): string {
	const said = content.flatMap((part) =>
		"text" in part && typeof part.text === "string" ? [part.text] : [],
	);
	return `   refused: ${said.join(" ")}`;
}
