/**
 * The entry of the package for programs: the engine, and the wrapper of `fetch`. It imports nothing of Node and loads no
 * tokenizer; the wrapper does with its first request.
 */
export * from "#core";
export { withoutRecall } from "#core/projection";
export {
	type LifecycleFetch,
	type LifecycleOptions,
	type LifecycleTool,
	withLifecycle,
} from "./wire/lifecycle.ts";
