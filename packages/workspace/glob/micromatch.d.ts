/** micromatch has no types of its own. fast-glob installs it; only its matcher is used here. */
declare module "micromatch" {
	const micromatch: {
		readonly makeRe: (
			pattern: string,
			options: { readonly dot: boolean; readonly posix: boolean; readonly strictSlashes: boolean },
		) => RegExp;
	};
	export default micromatch;
}
