/**
 * Negotiates a session: era, revision, and what the server offers. Starts one server process; a second one only if
 * the first exited at our first message.
 */
import { raceAbort, within } from '../../base/async.js';
import { AbortError, isAbort, toMessage } from '../../base/errors.js';
import type { Connection } from '../jsonrpc/connection.js';
import { hasFailure, McpError, type McpFailure, RpcError } from '../jsonrpc/errors.js';
import { describeJson, isObject, type JsonObject, toObject } from '../jsonrpc/messages.js';
import type { Era } from '../wire/codec.js';
import { codecFor, latestLegacyRevision, latestModernRevision, legacyRevisions } from '../wire/revisions.js';
import { metaKeys } from '../wire/modern.js';
import { readIcon, readList } from '../wire/read.js';
import type { Implementation, ServerCapabilities } from '../wire/types.js';
import type { ClientOptions, EraMode } from './clientOptions.js';
import { inOldestForm } from './handlers.js';
import { type EraReason, judgeProbe, type ProbeOutcome, type ProbeVerdict } from './probe.js';

/** A negotiated session. */
export interface Session {
	readonly era: Era;
	/** Why this era was chosen, as data. */
	readonly eraReason: EraReason;
	/** The revision, as the server named it. */
	readonly protocolVersion: string;
	readonly serverInfo: Implementation;
	/** `undefined` if the server was not asked: then any feature may be tried. */
	readonly capabilities: ServerCapabilities | undefined;
	/** Text of the server, for a model. */
	readonly instructions: string | undefined;
}

/** See `ClientOptions.probeMs`. Over HTTP, other clients wait for 5 to 10 seconds. */
const defaultProbeMs = { stdio: 5000, http: 10_000, sse: 10_000 };

/** Milliseconds that a server has to confirm `notifications/initialized`. */
const confirmationMs = 5000;

export interface NegotiateOptions extends Pick<
	ClientOptions,
	'clientInfo' | 'memory' | 'timeoutMs' | 'probeMs' | 'log'
> {
	readonly mode: EraMode;
	/** Makes a connection over a transport that has not been started. */
	readonly open: () => Connection;
	/** Makes one over HTTP+SSE (2024-11-05); `undefined` where that is not possible. */
	readonly openLegacySse: (() => Connection) | undefined;
	/** The capabilities for `initialize`. */
	readonly capabilities: JsonObject;
	readonly signal: AbortSignal;
}

export interface Negotiated {
	readonly connection: Connection;
	readonly session: Session;
}

/**
 * Opens a connection and negotiates a session. Closes the connection if that fails.
 * @throws McpError, RpcError, AbortError: why there is no session
 */
export async function negotiate(options: NegotiateOptions): Promise<Negotiated> {
	const attempt = new ConnectionAttempt(options.signal);
	try {
		await attempt.begin(options.open);
		const session = await agree(attempt, options);
		return { connection: attempt.connection, session };
	} catch (error) {
		await attempt.end();
		throw error;
	}
}

async function agree(attempt: ConnectionAttempt, options: NegotiateOptions): Promise<Session> {
	switch (options.mode) {
		case 'modern':
			return agreeModern(attempt.connection, {
				kind: 'modern',
				revision: latestModernRevision,
				discovered: undefined,
				reason: { code: 'configured' },
			});
		case 'legacy':
			return initializeOrFallBack(attempt, options, { code: 'configured' });
		case 'auto':
			return agreeByEvidence(attempt, options);
	}
}

/** The parameters of `initialize` that describe this client. */
interface Offer {
	readonly protocolVersion: string;
	readonly capabilities: JsonObject;
}

/**
 * The handshake of the legacy era. Repeated on the same connection when the server has lost the session. A server that
 * refuses our offer gets one more, which it may understand.
 */
export async function initialize(
	connection: Connection,
	options: NegotiateOptions,
	reason: EraReason,
): Promise<Session> {
	const offer = { protocolVersion: latestLegacyRevision, capabilities: options.capabilities };
	try {
		return await shakeHands(connection, options, reason, offer);
	} catch (error) {
		const next = otherOffer(error, offer);
		if (!next) {
			throw error;
		}
		options.log.info(`The server refused to initialize: ${toMessage(error)} Trying once more: ${describeJson(next)}`);
		connection.transport.forgetSession?.();
		return shakeHands(connection, options, reason, next).catch((second: unknown) => {
			// The first refusal says what the server dislikes.
			throw isAbort(second) ? second : error;
		});
	}
}

/** The code of an error, or the status of an HTTP error, with which servers refuse members that they don't know. */
const refusals: ReadonlySet<number> = new Set([-32700, -32600, -32602, -32603, 400, 422, 500]);

/**
 * What to offer to a server that refused `offer`; `undefined` if the refusal has another cause.
 *
 * The specification has servers answer with a revision of their own, and ignore members that they don't know. Many
 * refuse the revision instead, and name in data or text those that they speak, or none (xiaohongshu-mcp#697,
 * higress#3226, cpp-mcp#10). Servers on java-sdk before 0.18 refuse the members of `elicitation` (java-sdk#724), some by
 * a status without a JSON-RPC error (oracle/mcp#215).
 */
function otherOffer(error: unknown, { protocolVersion, capabilities }: Offer): Offer | undefined {
	const { code, message, data } = error instanceof RpcError ? error : { code: undefined, message: '', data: undefined };
	const { supported } = toObject(data);
	const named = Array.isArray(supported) ? supported : (message.match(/\d{4}-\d\d-\d\d/g) ?? []);
	const revision =
		legacyRevisions.find(it => it !== protocolVersion && named.includes(it)) ??
		(/unsupported protocol ?version/i.test(message) && !Array.isArray(supported) ? '2024-11-05' : undefined);
	const older = inOldestForm(capabilities);
	if (revision !== undefined) {
		return { protocolVersion: revision, capabilities: older };
	}
	const refusal = code ?? (hasFailure(error, 'http') ? error.failure.status : 0);
	const isShorter = describeJson(older) !== describeJson(capabilities);
	return isShorter && refusals.has(refusal) ? { protocolVersion, capabilities: older } : undefined;
}

async function shakeHands(
	connection: Connection,
	options: NegotiateOptions,
	reason: EraReason,
	offer: Offer,
): Promise<Session> {
	const { clientInfo, log, timeoutMs, signal } = options;
	const request = { signal, timeoutMs, uncancellable: true };
	const params = { ...offer, clientInfo };
	const reply = await connection.request('initialize', params, request, codecFor(latestLegacyRevision));
	const result = reply.kind === 'complete' ? reply.result : {};
	const { protocolVersion } = result;
	if (typeof protocolVersion !== 'string') {
		throw new McpError({ code: 'invalidResult', method: 'initialize', why: 'no protocolVersion' });
	}
	const codec = legacyRevisions.includes(protocolVersion) ? codecFor(protocolVersion) : undefined;
	if (!codec) {
		throw new McpError({ code: 'unsupportedVersion', version: protocolVersion });
	}
	connection.agree(codec);
	// Over HTTP, the server confirms the notification by a response, which may never come (wevm/vocs#484, java-sdk#396).
	const notified = connection.notify('notifications/initialized').catch((error: unknown) => {
		// A server that has answered `initialize` works without it (outline#12572, outline#13775, hyperdx#2686).
		if (isUnauthorized(error) || !(hasFailure(error, 'http') || hasFailure(error, 'sessionLost'))) {
			throw error;
		}
		log.warn(`The server refused notifications/initialized: ${toMessage(error)}`);
	});
	const told = raceAbort(
		notified.then(() => true),
		signal,
	);
	if (!(await within(told, Math.min(confirmationMs, timeoutMs || Infinity)))) {
		log.warn("The server doesn't confirm notifications/initialized.");
	}
	return {
		era: 'legacy',
		eraReason: reason,
		protocolVersion,
		...readServer(result, result['serverInfo']),
		capabilities: toObject(result['capabilities']),
	};
}

async function agreeByEvidence(attempt: ConnectionAttempt, options: NegotiateOptions): Promise<Session> {
	const { memory, log } = options;
	const remembered = memory?.get() === 'legacy' ? await agreeAsRemembered(attempt, options) : undefined;
	if (remembered) {
		return remembered;
	}
	const verdict = await probe(attempt.connection, options);
	log.debug(`Probe: ${describeJson({ ...verdict, discovered: undefined })}`);
	switch (verdict.kind) {
		case 'failed':
			throw new McpError(verdict.failure);
		case 'modern':
			memory?.set('modern');
			return agreeModern(attempt.connection, verdict);
		case 'legacy': {
			if (verdict.reason.code === 'exited') {
				log.info('The server ended at the first message of the new era; it is started again for the old one.');
				await attempt.begin(options.open);
			}
			try {
				const session = await initializeOrFallBack(attempt, options, verdict.reason);
				// A server error may pass.
				memory?.set(verdict.reason.code === 'status' && verdict.reason.status >= 500 ? undefined : 'legacy');
				return session;
			} catch (error) {
				if (verdict.reason.code !== 'silence' || !isRefusal(error)) {
					throw error;
				}
				return probeAgain(attempt, options, error);
			}
		}
	}
}

/**
 * Tries the legacy era, which the server has spoken before. Returns `undefined` if the server refuses that now and
 * has to be probed.
 */
async function agreeAsRemembered(attempt: ConnectionAttempt, options: NegotiateOptions): Promise<Session | undefined> {
	try {
		return await initializeOrFallBack(attempt, options, { code: 'remembered' });
	} catch (error) {
		if (isAbort(error)) {
			throw error;
		}
		options.memory?.set(undefined);
		if (!isRefusal(error)) {
			throw error;
		}
		options.log.info('The server no longer speaks the remembered era; its era is determined again.');
		await attempt.beginOverHttp(options.open);
		return undefined;
	}
}

/** Probes again after a server has refused `initialize` with `refusal`: a modern server may have been slow to start or wake up. */
async function probeAgain(attempt: ConnectionAttempt, options: NegotiateOptions, refusal: unknown): Promise<Session> {
	await attempt.beginOverHttp(options.open);
	const verdict = await probe(attempt.connection, options);
	if (verdict.kind !== 'modern') {
		throw refusal;
	}
	options.memory?.set('modern');
	return agreeModern(attempt.connection, verdict);
}

/** Sends `server/discover`, a second time if the server names another revision that we speak. */
async function probe(
	connection: Connection,
	{ probeMs, timeoutMs, signal }: NegotiateOptions,
): Promise<Exclude<ProbeVerdict, { kind: 'again' }>> {
	const { kind } = connection.transport;
	let ms = Math.min(probeMs ?? defaultProbeMs[kind], timeoutMs || Infinity);
	for (let revision = latestModernRevision, isRetry = false; ; isRetry = true) {
		const outcome = await discover(connection, revision, ms, signal);
		const verdict = judgeProbe(outcome, kind === 'stdio' ? 'stdio' : 'http', isRetry);
		if (verdict.kind !== 'again') {
			return verdict;
		}
		({ revision } = verdict);
		ms = timeoutMs;
	}
}

async function discover(
	connection: Connection,
	revision: string,
	timeoutMs: number,
	signal: AbortSignal,
): Promise<ProbeOutcome> {
	try {
		const request = { signal, timeoutMs, uncancellable: true };
		const decoded = await connection.request('server/discover', {}, request, codecFor(revision));
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
		case 'legacySse':
			return { kind: 'result', result: {} };
		default:
			return { kind: 'gone', failure };
	}
}

/** Spec, transports, backwards compatibility: a server that refuses the POST may speak HTTP+SSE. */
async function initializeOrFallBack(
	attempt: ConnectionAttempt,
	options: NegotiateOptions,
	reason: EraReason,
): Promise<Session> {
	try {
		return await initialize(attempt.connection, options, reason);
	} catch (error) {
		if (!options.openLegacySse || !refusesPost(error)) {
			throw error;
		}
		options.log.debug('The server refuses the POST; trying HTTP+SSE.');
		try {
			await attempt.begin(options.openLegacySse);
		} catch (other) {
			// HTTP+SSE failed too. The first error says more, unless the second one asks for authorization or the first one
			// only says that the server speaks HTTP+SSE.
			throw isAbort(other) || isUnauthorized(other) || hasFailure(error, 'legacySse') ? other : error;
		}
		return initialize(attempt.connection, options, reason);
	}
}

function isUnauthorized(error: unknown): boolean {
	const status = hasFailure(error, 'http') ? error.failure.status : undefined;
	return status === 401 || status === 403 || hasFailure(error, 'authorization');
}

/** Whether a server has answered `initialize` but does not speak the legacy era. */
function isRefusal(error: unknown): boolean {
	return error instanceof RpcError || hasFailure(error, 'unsupportedVersion') || refusesPost(error);
}

function refusesPost(error: unknown): boolean {
	if (hasFailure(error, 'legacySse')) {
		return true;
	}
	const failed = hasFailure(error, 'http') ? error.failure.status : undefined;
	const status = error instanceof RpcError ? error.httpStatus : failed;
	// Spec: 400, 404 or 405 since 2025-11-25, any "4xx" before. The others concern the authorization, a proxy or the load.
	return status !== undefined && status >= 400 && status < 500 && ![401, 403, 407, 429].includes(status);
}

function agreeModern(
	connection: Connection,
	{ revision, discovered, reason }: Extract<ProbeVerdict, { kind: 'modern' }>,
): Session {
	const codec = codecFor(revision);
	if (!codec) {
		throw new McpError({ code: 'unsupportedVersion', version: revision });
	}
	connection.agree(codec);
	const meta = toObject(discovered?.['_meta']);
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
	const info = toObject(serverInfo);
	return {
		serverInfo: {
			name: optionalString(info['name']) ?? '',
			version: optionalString(info['version']) ?? '',
			...(typeof info['title'] === 'string' ? { title: info['title'] } : {}),
			...('icons' in info ? { icons: readList(info, 'icons', readIcon) } : {}),
		},
		instructions: optionalString(result['instructions']),
	};
}

function optionalString(value: unknown): string | undefined {
	return typeof value === 'string' ? value : undefined;
}

/** The connections that one negotiation opens. At most one of them is open at a time. */
class ConnectionAttempt {
	private current: Connection | undefined;

	constructor(private readonly signal: AbortSignal) {}

	get connection(): Connection {
		if (!this.current) {
			throw new McpError({ code: 'closed' });
		}
		return this.current;
	}

	/** Closes the current connection and starts another. @throws AbortError; whatever `Transport.start` throws */
	async begin(open: () => Connection): Promise<void> {
		if (this.current) {
			await this.end();
		}
		if (this.signal.aborted) {
			throw new AbortError();
		}
		this.current = open();
		await raceAbort(this.current.transport.start(), this.signal);
	}

	/** Begins a new connection over HTTP. The connection to a process stays. */
	async beginOverHttp(open: () => Connection): Promise<void> {
		if (this.connection.transport.kind !== 'stdio') {
			await this.begin(open);
		}
	}

	async end(): Promise<void> {
		const connection = this.current;
		this.current = undefined;
		try {
			await connection?.transport.close();
		} finally {
			connection?.dispose();
		}
	}
}
