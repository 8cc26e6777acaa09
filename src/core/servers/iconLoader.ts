/** Loads the icon of a server by the rules of `icons.ts`. If that fails, the log has the reason and no icon is shown. */
import { onAbort, throwIfAborted, within } from '../../base/async.js';
import { isAbort, toMessage } from '../../base/errors.js';
import type { Logger } from '../../base/log.js';
import { HttpAbort, type HttpFetch, type HttpResponse, type Icon } from '../../mcp/index.js';
import {
	checkIcon,
	chooseIcon,
	IconRefusedError,
	type IconSource,
	maxIconBytes,
	withoutParameters,
	redirectedIcon,
	tooLarge,
} from './icons.js';
import type { ImageType } from './imageBytes.js';

/** Milliseconds until a download fails. */
const timeoutMs = 10_000;
const maxRedirects = 3;

/** URIs of files in the extension's storage. */
export interface ServerIcon {
	readonly light: string;
	readonly dark: string;
}

export interface IconDeps {
	readonly fetch: HttpFetch;
	/** Saves an icon as a file; resolves with its URI. */
	readonly save: (bytes: Uint8Array, type: ImageType) => Promise<string>;
}

export class IconLoader {
	constructor(private readonly deps: IconDeps) {}

	/**
	 * Resolves with `undefined` if no icon can be shown. Never rejects.
	 * @param serverUrl an icon may come from the origin of this URL; undefined for a child process
	 */
	async load(
		icons: readonly Icon[],
		serverUrl: string | undefined,
		log: Logger,
		signal: AbortSignal,
	): Promise<ServerIcon | undefined> {
		try {
			const light = chooseIcon(icons, 'light', serverUrl);
			const dark = chooseIcon(icons, 'dark', serverUrl);
			if (!light || !dark) {
				return undefined;
			}
			const lightFile = await this.get(light, signal);
			return { light: lightFile, dark: isSame(light, dark) ? lightFile : await this.get(dark, signal) };
		} catch (error) {
			if (!signal.aborted && !isAbort(error)) {
				log.info(`Its icon is not shown: ${toMessage(error)}.`);
			}
			return undefined;
		}
	}

	private async get(source: IconSource, signal: AbortSignal): Promise<string> {
		const { bytes, types } = source.kind === 'data' ? source : await this.fetch(source, signal);
		return this.deps.save(bytes, checkIcon(bytes, types));
	}

	private async fetch({ url, types }: IconSource & { kind: 'https' }, signal: AbortSignal): Promise<Fetched> {
		throwIfAborted(signal);
		const abort = new HttpAbort();
		const aborted = onAbort(signal, () => abort.abort());
		try {
			const fetched = await within(this.follow(url, types, abort), timeoutMs);
			if (!fetched) {
				throw new IconRefusedError(`it did not come within ${timeoutMs / 1000} s`);
			}
			return fetched;
		} finally {
			aborted.dispose();
			abort.abort();
		}
	}

	/** Sends no headers and no credentials of the configuration. */
	private async follow(from: URL, types: readonly string[], abort: HttpAbort): Promise<Fetched> {
		let url = from;
		for (let hops = 0; hops <= maxRedirects; hops++) {
			const headers = { accept: 'image/png, image/webp, image/jpeg' };
			const response = await this.deps.fetch({ method: 'GET', url: url.href, headers, abort });
			const { status, headers: said } = response;
			if (status === 200) {
				const type = said['content-type'];
				return {
					bytes: await readBytes(response),
					types: type === undefined ? types : [...types, withoutParameters(type)],
				};
			}
			response.discard();
			if (status < 300 || status > 399 || said['location'] === undefined) {
				throw new IconRefusedError(`the answer was ${status}`);
			}
			url = redirectedIcon(url, said['location']);
		}
		throw new IconRefusedError('it is redirected again and again');
	}
}

interface Fetched {
	readonly bytes: Uint8Array;
	readonly types: readonly string[];
}

async function readBytes(response: HttpResponse): Promise<Uint8Array> {
	const parts: number[] = [];
	await response.read(bytes => {
		if (parts.length + bytes.length > maxIconBytes) {
			throw tooLarge();
		}
		bytes.forEach(it => parts.push(it));
	});
	return Uint8Array.from(parts);
}

function isSame(a: IconSource, b: IconSource): boolean {
	return a.kind === 'https'
		? b.kind === 'https' && a.url.href === b.url.href
		: b.kind === 'data' && a.bytes.length === b.bytes.length && a.bytes.every((it, at) => it === b.bytes[at]);
}
