/** Generates small faults in a source text: each is a place and its replacement. */
import { parseAst } from "vitest/node";

export interface Mutation {
	/** The kind of the fault. */
	readonly kind: "operator" | "condition" | "literal" | "statement";
	readonly start: number;
	readonly end: number;
	readonly replacement: string;
}

/** A node of the syntax tree, with the fields used here. */
interface Node {
	readonly type: string;
	readonly start: number;
	readonly end: number;
	readonly [key: string]: unknown;
}

const operators: Readonly<Record<string, string>> = {
	"+": "-",
	"-": "+",
	"*": "/",
	"/": "*",
	"<": "<=",
	"<=": "<",
	">": ">=",
	">=": ">",
	"===": "!==",
	"!==": "===",
	"&&": "||",
	"||": "&&",
	"??": "&&",
};

/** All mutations of a TypeScript module, in the order of its text. Throws if it does not parse. */
export function mutationsOf(source: string): readonly Mutation[] {
	const found: Mutation[] = [];
	walk(parseAst(source, { lang: "ts" }), (node) => {
		const mutation = mutate(source, node);
		if (mutation) found.push(mutation);
	});
	return found.sort((a, b) => a.start - b.start);
}

export function applyMutation(source: string, { start, end, replacement }: Mutation): string {
	return `${source.slice(0, start)}${replacement}${source.slice(end)}`;
}

function isNode(value: unknown): value is Node {
	return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

/** Skips types, which are erased, and imports, which must stay. */
function walk(value: unknown, visit: (node: Node) => void) {
	if (Array.isArray(value)) for (const each of value) walk(each, visit);
	if (!isNode(value) || value.type.startsWith("TS") || value.type === "ImportDeclaration") return;
	visit(value);
	for (const child of Object.values(value)) if (typeof child === "object") walk(child, visit);
}

function mutate(source: string, node: Node): Mutation | undefined {
	const { type, start, end } = node;
	if (type === "BinaryExpression" || type === "LogicalExpression") return flipOperator(source, node);
	if ((type === "IfStatement" || type === "ConditionalExpression") && isNode(node.test)) {
		const { start: from, end: to } = node.test;
		return { kind: "condition", start: from, end: to, replacement: `!(${source.slice(from, to)})` };
	}
	if (type === "Literal") return changeLiteral(node);
	if (type !== "ExpressionStatement") return undefined;
	return { kind: "statement", start, end, replacement: ";" };
}

function flipOperator(source: string, { left, right, operator }: Node): Mutation | undefined {
	const flipped = operators[String(operator)];
	if (flipped === undefined || !isNode(left) || !isNode(right)) return undefined;
	const between = source.slice(left.end, right.start);
	const at = left.end + between.indexOf(String(operator));
	return { kind: "operator", start: at, end: at + String(operator).length, replacement: flipped };
}

function changeLiteral({ value, start, end }: Node): Mutation | undefined {
	if (typeof value === "number") return { kind: "literal", start, end, replacement: `${value + 1}` };
	if (typeof value === "boolean") return { kind: "literal", start, end, replacement: `${!value}` };
	return undefined;
}
