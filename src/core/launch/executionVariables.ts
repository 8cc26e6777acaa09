/**
 * Environment variables that change which programs and code run, what they trust, or where they connect. The consent
 * sheet shows their values, and values of other variables that may be paths or URLs. Of the rest it shows only names.
 */
import { withoutSecrets } from '../config/serverInputs.js';
import { isSecretName } from '../text/secretNames.js';

/** Names of these variables, in upper case. */
const names = new Set(
	[
		// Search paths and the loader.
		'PATH PATHEXT LIBPATH SHLIB_PATH GCONV_PATH LOCPATH GLIBC_TUNABLES NODEFAULTCURRENTDIRECTORYINEXEPATH',
		// Shells, and programs that others run.
		'BASH_ENV ENV ZDOTDIR SHELL SHELLOPTS BASHOPTS PS4 PROMPT_COMMAND IFS CDPATH COMSPEC PSMODULEPATH',
		'EDITOR VISUAL PAGER BROWSER MAKEFLAGS MFLAGS CC CXX AWKPATH LESSOPEN LESSCLOSE MANPAGER',
		// Language runtimes.
		'CLASSPATH JAVA_HOME JAVA_OPTS JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS MAVEN_OPTS',
		'GRADLE_OPTS ELECTRON_RUN_AS_NODE GOFLAGS GOPROXY GONOSUMDB GONOSUMCHECK GOSUMDB GOINSECURE',
		'GOTOOLCHAIN RUSTC RUSTC_WRAPPER RUSTFLAGS PHPRC PHP_INI_SCAN_DIR PERLLIB LUA_INIT LUA_PATH LUA_CPATH',
		'R_PROFILE R_ENVIRON ERL_FLAGS ERL_AFLAGS ERL_ZFLAGS GEM_HOME GEM_PATH VIRTUAL_ENV',
		// Connections and their certificates.
		'HTTP_PROXY HTTPS_PROXY ALL_PROXY FTP_PROXY NO_PROXY SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE',
		'CURL_CA_BUNDLE CURL_HOME HOSTALIASES RES_OPTIONS LOCALDOMAIN',
		// Containers and clusters.
		'KUBECONFIG CONTAINER_HOST',
		// Folders that configuration is read from.
		'HOME USERPROFILE XDG_CONFIG_HOME XDG_CONFIG_DIRS APPDATA LOCALAPPDATA SYSTEMROOT WINDIR',
	].flatMap(it => it.split(' ')),
);

/** Prefixes of names of these variables, in upper case. */
const prefixes = (
	'LD_ DYLD_ MALLOC_ NODE_ NPM_ NPX_ YARN_ PNPM_ COREPACK_ DENO_ BUN_ TS_NODE_ PYTHON PIP_ PIPX_ ' +
	'PIPENV_ POETRY_ UV_ CONDA_ PERL5 PERL_ RUBY BUNDLE_ BUNDLER_ COMPLUS_ CORECLR_ COR_ DOTNET_ NUGET_ ' +
	'CARGO_ RUSTUP_ JULIA_ GIT_ SSH_ SUDO_ DOCKER_ PODMAN_ BUILDKIT_ OPENSSL_ LUA_PATH_ LUA_CPATH_ ' +
	'LUA_INIT_ BASH_FUNC_ MISE_ ASDF_ VOLTA_ NVM_ FNM_'
).split(' ');

/** Whether a variable changes what a program runs, loads, trusts, or connects to. Ignores case. */
export function changesExecution(name: string): boolean {
	const upper = name.toUpperCase();
	return names.has(upper) || prefixes.some(it => upper.startsWith(it));
}

/**
 * The value of a variable as it can be shown: if the variable changes execution, or the value is a path or URL. Undefined
 * if the name or the value indicates a secret. Passwords in URLs are replaced by `***`.
 */
export function shownValue(name: string, text: string): string | undefined {
	// A variable that names a credential provider holds a program, not a secret.
	if (isSecretName(name) && !(changesExecution(name) && /_PROVIDERS?$/i.test(name))) {
		return undefined;
	}
	if (!changesExecution(name)) {
		return mayBePlace(text) ? shownPlace(name, text) : undefined;
	}
	// Only in variables for addresses, because replacing text in others could hide code.
	return /(?:proxy|url|registry|index)$/i.test(name)
		? text.replace(/(\/\/[^/\s:@]{0,256}:)[^/\s@]{1,256}@/g, (_, before: string) => `${before}***@`)
		: text;
}

/** A URL, or a path on any operating system. */
function mayBePlace(text: string): boolean {
	return /[\\/]|^~|^[a-z]:/i.test(text);
}

/** A path or URL as it can be shown; `undefined` if a part other than the user or password of a URL may be a secret. */
function shownPlace(name: string, text: string): string | undefined {
	const place = text.replace(
		/(:\/\/)([^/\s:@]{0,256})(:?)[^/\s@]{0,256}@/g,
		(_, before: string, user: string, colon: string) => `${before}${colon && `${user}:`}***@`,
	);
	const entry = { type: 'stdio', command: '', args: [place], env: { [name]: place } } as const;
	const isSecret = Array.from(place.matchAll(/([\w.-]{1,100})\s?[=:]\s?[^\s/\\]/g)).some(([, key = '']) =>
		isSecretName(key),
	);
	const hasSecret = isSecret || isRandom(place) || JSON.stringify(withoutSecrets(entry)) !== JSON.stringify(entry);
	return hasSecret ? undefined : place;
}

/** Whether a value is long and mixes letters and digits like a generated key. */
function isRandom(value: string): boolean {
	if (value.length < 24 || !/^[\w+/=.-]+$/.test(value)) {
		return false;
	}
	// In a path or name, digits are rare or stand together; in a key, they are between letters everywhere.
	const changes = value.match(/[A-Za-z]\d|\d[A-Za-z]/g)?.length ?? 0;
	return changes >= value.length / 8 && new Set(value).size >= 10;
}
