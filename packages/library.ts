/** The entry of the package for programs: the engine. It imports nothing of Node and loads no tokenizer. */
export * from "#core";
export { withoutRecall } from "#core/projection";
