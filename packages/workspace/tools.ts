/** The part of the package that is loaded at the first call. */
export { checkFile } from "./files/search-path.ts";
export { readGitStatus } from "./git/git-status.ts";
export { glob } from "./glob/glob.ts";
export { grep } from "./grep/grep.ts";
export { listFiles } from "./listing/file-listing.ts";
