/** A delimiter call as people see it: a thin line where an episode starts or ends. */
import { plainLine, shorten, widthOf } from "./columns.ts";

/** A line of exactly `width` columns. `args` are those of a call that may still be on its way; `level` is the strip level. */
export function boundaryLine(args: unknown, level: number, width: number): string {
	// The episode's state is shown on a narrow screen too.
	const end = `${describeLevel(level)} `;
	const label = shorten(shorten(`── ${describe(args)}`, Math.max(0, width - end.length)) + end, width);
	return label + "─".repeat(Math.max(0, width - widthOf(label)));
}

function describe(args: unknown): string {
	if (typeof args !== "object" || args === null) return "episode";
	const { action, name, type, dependencies, description } = args as Readonly<Record<string, unknown>>;
	if (action === "end") return description === undefined ? "end" : `end: ${textOf(description)}`;
	const needs = Array.isArray(dependencies) ? dependencies.map(textOf).filter((need) => need !== "") : [];
	const head = [textOf(type), textOf(name)].filter((word) => word !== "").join(" ");
	return `${head || "episode"}${needs.length > 0 ? ` ← ${needs.join(", ")}` : ""}`;
}

function textOf(value: unknown): string {
	return typeof value === "string" ? plainLine(value).trim() : "";
}

function describeLevel(level: number): string {
	if (level === 0) return "";
	return level === 4 ? " · evicted" : ` · stripped to level ${level}`;
}
