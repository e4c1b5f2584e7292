/** Files that hold secrets: what an episode learned from one never enters the project memory. */

/** Of the last part of a path. Patterns of examples, such as `.env.example`, come first. */
const HARMLESS = /\.(?:example|sample|template|dist)$/i;
const SECRET =
	/^(?:\.env(?:\..+)?|.+\.env|\.netrc|\.npmrc|\.pypirc|\.htpasswd|\.pgpass|id_(?:rsa|dsa|ecdsa|ed25519)|credentials(?:\.\w+)?|auth\.json|secrets?\.\w+|.+\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk))$/i;
const FOLDER = /(?:^|\/)\.(?:ssh|aws|gnupg|kube|docker)\//i;

/** Returns true for a file whose name says that it holds secrets. */
export function isSecretFile(name: string): boolean {
	const last = name.slice(name.lastIndexOf("/") + 1);
	return FOLDER.test(name) || (SECRET.test(last) && !HARMLESS.test(last));
}
