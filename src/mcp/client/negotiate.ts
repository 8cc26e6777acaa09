/**
 * From nothing to an agreed session: which era, which revision, what the server offers. Starts one server
 * process; a second one only if the first died of our first message.
 */
import { raceAbort, within } from '../../base/async.js';
import { AbortError, isAbort } from '../../base/errors.js';
import type { Logger } from '../../base/log.js';
import { McpError, type McpFailure, RpcError } from '../jsonrpc/errors.js';
import { describeJson, isObject, type JsonObject } from '../jsonrpc/messages.js';
import { codecFor, type Era, latestLegacyRevision, latestModernRevision, legacyRevisions } from '../wire/codec.js';
import { metaKeys } from '../wire/modern.js';
import { readIcon, readList } from '../wire/read.js';
import type { Implementation, ServerCapabilities } from '../wire/types.js';
import type { Link } from './link.js';
import { type EraReason, judgeProbe, type ProbeOutcome, type ProbeVerdict } from './probe.js';

/** Which era to use: `auto` asks the server. */
export type EraMode = 'auto' | Era;

/** What was learned of servers before: by process or by origin, for as long as its owner keeps it. */
export interface EraMemory {
	get(): Era | undefined;
	set(era: Era | undefined): void;
}

/** What both sides agreed on. */
export interface Session {
	readonly era: Era;
	/** Why this era: readable data for whoever shows it. */
	readonly eraReason: EraReason;
	/** The revision as the server named it. */
	readonly protocolVersion: string;
	readonly serverInfo: Implementation;
	/** `undefined` if the server was not asked: then nothing may be gated on them. */
	readonly capabilities: ServerCapabilities | undefined;
	/** Server-provided text for a model. */
	readonly instructions: string | undefined;
}

export interface NegotiateOptions {
	readonly mode: EraMode;
	readonly memory: EraMemory | undefined;
	/** A link over a transport that has not been started. */
	readonly open: () => Link;
	/** The same over HTTP+SSE of 2024-11-05, where a fallback to it exists. */
	readonly openLegacySse: (() => Link) | undefined;
	readonly clientInfo: Implementation;
	/** What to declare in `initialize`. */
	readonly capabilities: JsonObject;
	/** Milliseconds a handshake may take. */
	readonly timeoutMs: number;
	/** Milliseconds to wait for an answer to the probe before a silent process is taken for a legacy one. */
	readonly probeMs: number;
	readonly log: Logger;
	readonly signal: AbortSignal;
}

export interface Negotiated {
	readonly link: Link;
	readonly session: Session;
}

/**
 * Opens a link and agrees on a session. A link that came to nothing is closed.
 * @throws McpError, RpcError, AbortError: why there is no session
 */
export async function negotiate(options: NegotiateOptions): Promise<Negotiated> {
	const over = new AbortController();
	const signal = AbortSignal.any([options.signal, over.signal]);
	const attempt = new Attempt(signal);
	try {
		await attempt.begin(options.open);
		const session = await agree(attempt, { ...options, signal });
		return { link: attempt.link, session };
	} catch (error) {
		await attempt.end();
		throw error;
	} finally {
		// A probe that was never answered is not waited for any more.
		over.abort();
	}
}

/** The one link that is alive at a time. */
class Attempt {
	private current: Link | undefined;

	constructor(private readonly signal: AbortSignal) {}

	get link(): Link {
		if (!this.current) {
			throw new McpError({ code: 'closed' });
		}
		return this.current;
	}

	/** Ends the link before and starts another. */
	async begin(open: () => Link): Promise<void> {
		if (this.current) {
			await this.end();
		}
		if (this.signal.aborted) {
			throw new AbortError();
		}
		this.current = open();
		await raceAbort(this.current.transport.start(), this.signal);
	}

	async end(): Promise<void> {
		const link = this.current;
		this.current = undefined;
		try {
			await link?.transport.close();
		} finally {
			link?.dispose();
		}
	}
}

async function agree(attempt: Attempt, options: NegotiateOptions): Promise<Session> {
	switch (options.mode) {
		case 'modern':
			return assumeModern(attempt.link);
		case 'legacy':
			return initializeOrFallBack(attempt, options, { code: 'configured' });
		case 'auto':
			return agreeByEvidence(attempt, options);
	}
}

/** Shakes hands in the legacy era. Also done again on the same link when a session was lost. */
export async function initialize(link: Link, options: NegotiateOptions, reason: EraReason): Promise<Session> {
	const { capabilities, clientInfo, timeoutMs, signal } = options;
	const result = await link.connection.request(
		'initialize',
		{ protocolVersion: latestLegacyRevision, capabilities, clientInfo },
		{ signal, timeoutMs, uncancellable: true },
	);
	const { protocolVersion } = result;
	if (typeof protocolVersion !== 'string') {
		throw new McpError({ code: 'invalidResult', method: 'initialize', why: 'no protocolVersion' });
	}
	const codec = legacyRevisions.includes(protocolVersion) ? codecFor(protocolVersion) : undefined;
	if (!codec) {
		throw new McpError({ code: 'unsupportedVersion', version: protocolVersion });
	}
	link.agree(codec);
	// Over HTTP it is taken by a response, which need not come.
	const told = raceAbort(
		link.notify('notifications/initialized').then(() => true),
		signal,
	);
	if (!(timeoutMs > 0 ? await within(told, timeoutMs) : await told)) {
		throw new McpError({ code: 'timeout', method: 'notifications/initialized', ms: timeoutMs });
	}
	return {
		era: 'legacy',
		eraReason: reason,
		protocolVersion,
		...readServer(result, result['serverInfo']),
		capabilities: isObject(result['capabilities']) ? result['capabilities'] : {},
	};
}

async function agreeByEvidence(attempt: Attempt, options: NegotiateOptions): Promise<Session> {
	const { memory, log } = options;
	const remembered = memory?.get() === 'legacy' ? await agreeAsRemembered(attempt, options) : undefined;
	if (remembered) {
		return remembered;
	}
	const { verdict, late } = await probe(attempt.link, options);
	log.debug(`Probe: ${describeJson({ ...verdict, discovered: undefined })}`);
	switch (verdict.kind) {
		case 'failed':
			throw new McpError(verdict.failure);
		case 'modern':
			memory?.set('modern');
			return agreeModern(attempt.link, verdict);
		case 'legacy': {
			if (verdict.reason.code === 'silence') {
				return agreeWithSilent(attempt, options, verdict.reason, late);
			}
			if (verdict.reason.code === 'exited') {
				log.info('The server ended at the first message of the new era; it is started again for the old one.');
				await attempt.begin(options.open);
			}
			const session = await initializeOrFallBack(attempt, options, verdict.reason);
			memory?.set('legacy');
			return session;
		}
	}
}

/** Legacy as before; gives `undefined` if the server refuses that now, and is to be asked anew. */
async function agreeAsRemembered(attempt: Attempt, options: NegotiateOptions): Promise<Session | undefined> {
	try {
		return await initializeOrFallBack(attempt, options, { code: 'remembered' });
	} catch (error) {
		if (isAbort(error)) {
			throw error;
		}
		options.memory?.set(undefined);
		const isOtherVersion = error instanceof McpError && error.failure.code === 'unsupportedVersion';
		if (!(error instanceof RpcError) && !isOtherVersion && !refusesPost(error)) {
			throw error;
		}
		options.log.info('The server no longer speaks the era it is remembered for; it is asked anew.');
		if (attempt.link.transport.kind !== 'stdio') {
			await attempt.begin(options.open);
		}
		return undefined;
	}
}

/**
 * A process that has not answered the probe in time is of the legacy era, or slow to start (its runner may
 * fetch it first). What it says to `initialize` counts; one that refuses that, and has answered the probe
 * after all, is modern.
 */
async function agreeWithSilent(
	attempt: Attempt,
	options: NegotiateOptions,
	reason: EraReason,
	late: Promise<FinalVerdict>,
): Promise<Session> {
	const { memory, probeMs } = options;
	const agreed = initializeOrFallBack(attempt, options, reason);
	// One that speaks only the modern era need not answer `initialize` at all.
	const patience = late.then(it => (it.kind === 'modern' ? within(agreed, probeMs) : agreed));
	let refusal: unknown;
	try {
		const session = await Promise.race([agreed, patience]);
		if (session) {
			const known = await within(late, 0);
			// Of both eras, and slow only this time: not to be remembered.
			memory?.set(known?.kind === 'modern' ? undefined : 'legacy');
			return session;
		}
	} catch (error) {
		refusal = error;
	}
	const known = isAbort(refusal) ? undefined : await within(late, 0);
	if (known?.kind !== 'modern') {
		throw refusal;
	}
	memory?.set('modern');
	return agreeModern(attempt.link, known);
}

type FinalVerdict = Exclude<ProbeVerdict, { kind: 'again' }>;

interface Probed {
	readonly verdict: FinalVerdict;
	/** Of a process that has not answered in time: what it says in the end, if it does. */
	readonly late: Promise<FinalVerdict>;
}

/** Asks `server/discover`, once more if the server names a revision of ours. */
async function probe(link: Link, options: NegotiateOptions): Promise<Probed> {
	const { probeMs, timeoutMs } = options;
	// Only of a process does silence tell something: a slow HTTP server gets its full time.
	const isProcess = link.transport.kind === 'stdio';
	const kind = isProcess ? 'stdio' : 'http';
	const ask = async (revision: string): Promise<ProbeOutcome> =>
		discover(link, revision, isProcess ? 0 : timeoutMs, options.signal);
	const silence: ProbeOutcome = {
		kind: 'timeout',
		failure: { code: 'timeout', method: 'server/discover', ms: probeMs },
	};
	const asked = ask(latestModernRevision);
	const judge = async (outcome: ProbeOutcome): Promise<FinalVerdict> => {
		const first = judgeProbe(outcome, kind, false);
		if (first.kind !== 'again') {
			return first;
		}
		const again = ask(first.revision);
		const last = judgeProbe((await (isProcess ? within(again, probeMs) : again)) ?? silence, kind, true);
		return last.kind === 'again' ? { kind: 'failed', failure: { code: 'unsupportedVersion', version: '' } } : last;
	};
	const outcome = await (isProcess ? within(asked, probeMs) : asked);
	const verdict = judge(outcome ?? silence);
	// Settles at the latest when the link ends, as all that it waits for does.
	const late = outcome ? verdict : asked.then(judge);
	late.catch(() => undefined);
	return { verdict: await verdict, late };
}

/** @param timeoutMs 0 waits as long as the link lives */
async function discover(link: Link, revision: string, timeoutMs: number, signal: AbortSignal): Promise<ProbeOutcome> {
	try {
		const request = { signal, timeoutMs, uncancellable: true };
		const decoded = await link.request('server/discover', {}, request, codecFor(revision));
		return { kind: 'result', result: decoded.kind === 'complete' ? decoded.result : {} };
	} catch (error) {
		if (error instanceof RpcError) {
			const { code, message, data, httpStatus } = error;
			return { kind: 'error', code, message, data, status: httpStatus };
		}
		if (error instanceof McpError) {
			return outcomeOf(error.failure);
		}
		throw error;
	}
}

function outcomeOf(failure: McpFailure): ProbeOutcome {
	switch (failure.code) {
		case 'timeout':
			return { kind: 'timeout', failure };
		case 'http':
			return { kind: 'status', status: failure.status, failure };
		case 'invalidResult':
			return { kind: 'result', result: {} };
		default:
			return { kind: 'gone', failure };
	}
}

/** Spec, transports, backwards compatibility: a server that refuses the POST may speak HTTP+SSE. */
async function initializeOrFallBack(attempt: Attempt, options: NegotiateOptions, reason: EraReason): Promise<Session> {
	try {
		return await initialize(attempt.link, options, reason);
	} catch (error) {
		if (!options.openLegacySse || !refusesPost(error)) {
			throw error;
		}
		options.log.debug('The server refuses the POST; trying HTTP+SSE.');
		try {
			await attempt.begin(options.openLegacySse);
		} catch (other) {
			// Not that either: the first refusal says more, unless the second asks who we are.
			throw isAbort(other) || (other instanceof McpError && asksWho(other.failure)) ? other : error;
		}
		return initialize(attempt.link, options, reason);
	}
}

function asksWho(failure: McpFailure): boolean {
	const isStatus = failure.code === 'http' && (failure.status === 401 || failure.status === 403);
	return isStatus || failure.code === 'authorization';
}

function refusesPost(error: unknown): boolean {
	let status: number | undefined;
	if (error instanceof RpcError) {
		status = error.httpStatus;
	} else if (error instanceof McpError && error.failure.code === 'http') {
		({ status } = error.failure);
	}
	// 400, 404, 405 since 2025-11-25, "4xx" before; 401 and 403 are about who asks.
	return status !== undefined && status >= 400 && status < 500 && status !== 401 && status !== 403;
}

function assumeModern(link: Link): Session {
	const discovered = undefined;
	return agreeModern(link, { revision: latestModernRevision, discovered, reason: { code: 'configured' } });
}

function agreeModern(
	link: Link,
	{
		revision,
		discovered,
		reason,
	}: Pick<Extract<ProbeVerdict, { kind: 'modern' }>, 'revision' | 'discovered' | 'reason'>,
): Session {
	const codec = codecFor(revision);
	if (!codec) {
		throw new McpError({ code: 'unsupportedVersion', version: revision });
	}
	link.agree(codec);
	const meta = isObject(discovered?.['_meta']) ? discovered['_meta'] : {};
	const capabilities = discovered?.['capabilities'];
	return {
		era: 'modern',
		eraReason: reason,
		protocolVersion: revision,
		...readServer(discovered ?? {}, meta[metaKeys.serverInfo]),
		capabilities: isObject(capabilities) ? capabilities : undefined,
	};
}

function readServer(result: JsonObject, serverInfo: unknown): Pick<Session, 'serverInfo' | 'instructions'> {
	const info = isObject(serverInfo) ? serverInfo : {};
	const { instructions } = result;
	return {
		serverInfo: {
			name: text(info['name']) ?? '',
			version: text(info['version']) ?? '',
			...(typeof info['title'] === 'string' ? { title: info['title'] } : {}),
			...('icons' in info ? { icons: readList(info, 'icons', readIcon) } : {}),
		},
		instructions: text(instructions),
	};
}

function text(value: unknown): string | undefined {
	return typeof value === 'string' ? value : undefined;
}
