/**
 * Tools of the Responses API that stand in a namespace, as Codex sends those of MCP servers: a call names the namespace
 * and the tool. A scripted model knows both as one name with a dot, which no tool's own name may hold.
 */
import { type Fields, stringOf } from "./json.ts";

export function joinNamespace({ namespace, name }: Fields): string {
	return typeof namespace === "string" ? `${namespace}.${stringOf(name)}` : stringOf(name);
}

export function splitNamespace(name: string): Fields {
	const [namespace, ...rest] = name.split(".");
	return rest.length === 0 ? { name } : { namespace, name: rest.join(".") };
}
