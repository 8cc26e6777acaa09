// A window with two servers and a person who answers nothing, of real parts: what a liveness row begins its operation in.
import { raceAbort, Sequencer } from '../../../src/base/async.js';
import { type Disposable, DisposableStore } from '../../../src/base/lifecycle.js';
import { Api } from '../../../src/features/api/api.js';
import { askByRequest } from '../../../src/features/consent/pendingConsents.js';
import { Inputs } from '../../../src/editor/workspace/inputs.js';
import type { InputStore } from '../../../src/editor/storage/inputStore.js';
import {
	Authorizer,
	Client,
	HttpAbort,
	type HttpRequest,
	type HttpResponse,
	type JsonObject,
	RpcError,
} from '../../../src/mcp/index.js';
import { type ApprovalQuestion, Approver } from '../../../src/core/approvals/approver.js';
import { Calls } from '../../../src/core/calls/calls.js';
import type { Catalog } from '../../../src/core/servers/catalog.js';
import { Completions } from '../../../src/core/search/completions.js';
import type { ConsentFacts } from '../../../src/core/launch/consentFacts.js';
import { Consents } from '../../../src/core/launch/consents.js';
import { Elicitations } from '../../../src/core/requests/elicitations.js';
import { Interactions } from '../../../src/core/calls/interactions.js';
import { emptySnapshot } from '../../../src/core/launch/launchSnapshot.js';
import { LiveResources } from '../../../src/core/resources/liveResources.js';
import { type PendingRequest, PendingRequests, type ReviewEnd } from '../../../src/core/requests/pendingRequests.js';
import type { PolicyState } from '../../../src/core/approvals/approval.js';
import { Questions } from '../../../src/core/requests/questions.js';
import { Redactor } from '../../../src/core/text/redactor.js';
import type { Server } from '../../../src/core/servers/server.js';
import type { ServerDefinition } from '../../../src/core/config/serverDefinition.js';
import { ServerRegistry } from '../../../src/core/servers/serverRegistry.js';
import type { Cleanup } from '../leakCheck.js';
import { MemoryTools } from '../memoryTools.js';
import { MemoryTokens } from '../memoryTokens.js';
import type { MemoryServer, Method } from '../memoryTransport.js';
import { askerOf, definition, ModelFixture } from '../modelFixture.js';
import { TestLogger } from '../testLogger.js';
import { settled } from '../waiting.js';
import { answers } from './answers.js';
import { requestMs } from './row.js';

/** The server that operations are about. Its input has a kept value. */
export const target: ServerDefinition = {
	...definition('target', { args: ['${input:token}'] }),
	inputs: [{ kind: 'promptString', id: 'token', description: undefined, default: undefined, password: true }],
};
/** The server that has asked the person, who has not answered. */
const other = definition('other');

/** A sheet that the person leaves open. */
function openSheet(signal: AbortSignal): Promise<ReviewEnd> {
	return new Promise(resolve => {
		signal.addEventListener('abort', () => resolve('aside'), { once: true });
	});
}

export class World implements Disposable {
	/** No server answers, and no authorization server. */
	isSilent = false;
	/** How many requests have had no answer since. */
	ignored = 0;
	/** No file, and no secret, can be read. */
	isDiskSilent = false;
	/** Nor can what a definition names, such as its `envFile`. */
	isEnvFileSilent = false;
	/** Aborts when the caller cancels. */
	readonly caller = new AbortController();
	readonly httpAbort = new HttpAbort();
	readonly key = { serverId: target.id, uri: 'x:1' };
	readonly completions = new Completions();
	readonly queue = new Sequencer();
	readonly inputs: Inputs;
	readonly pending: PendingRequests;
	readonly questions: Questions;
	readonly consents: Consents;
	readonly authorizer: Authorizer;
	readonly registry: ServerRegistry;
	readonly live: LiveResources;
	readonly calls: Calls;
	readonly interactions: Interactions;
	readonly api: Api;
	private readonly owned = new DisposableStore();
	/** Aborts when the authorization server is gone. */
	private readonly cutOff = new AbortController();
	private readonly fixture: ModelFixture;
	/** Of the run before anything happens to it. */
	private known: { readonly client: Client; readonly catalog: Catalog } | undefined;
	/** A client without a server of the model. */
	private alone: Client | undefined;

	constructor(cleanup: Cleanup) {
		cleanup.later(async () => {
			this.dispose();
			// What ends with it lets go of what it had.
			await settled();
		});
		this.fixture = new ModelFixture(cleanup);
		this.fixture.server = this.memoryServer();
		const { owned, fixture } = this;
		const kept = new Map([['token', 'sesame']]);
		const store = {
			get: async (_: string, { id }: { id: string }) => this.onDisk(kept.get(id)),
			forget: async (_: string, id: string) => kept.delete(id),
		};
		this.inputs = new Inputs(store as unknown as InputStore, this.queue);
		this.pending = owned.add(new PendingRequests());
		const allowed = new Map<string, ConsentFacts>();
		this.consents = owned.add(
			new Consents({
				store: {
					get: id => allowed.get(id),
					set: async (id, facts) => void allowed.set(id, facts),
					list: () => [...allowed.keys()],
					delete: async id => void allowed.delete(id),
				},
				isAsked: () => true,
				takeSnapshot: () => this.onDisk(emptySnapshot),
				ask: (question, signal, isByPerson) =>
					askByRequest(this.pending, question, signal, isByPerson, (_question, _seen, closing) => openSheet(closing)),
			}),
		);
		this.questions = owned.add(new Questions());
		this.authorizer = owned.add(this.createAuthorizer());
		fixture.consent = (it, request) => this.consents.ensure(it, request);
		fixture.resolve = async request => {
			await this.inputs.resolve(target, request);
			return this.isEnvFileSilent ? new Promise(() => undefined) : {};
		};
		this.registry = owned.add(
			new ServerRegistry({
				...fixture.deps,
				timeoutMs: () => requestMs,
				questions: this.questions,
				elicitations: new Elicitations(this.questions),
			}),
		);
		this.registry.update([target, other]);
		this.calls = owned.add(
			new Calls(
				this.createApprover(),
				() => this.registry.isClosing,
				() => Promise.resolve(undefined),
			),
		);
		this.interactions = owned.add(
			new Interactions(
				() => this.onDisk(false),
				() => this.registry.isClosing,
			),
		);
		this.live = owned.add(
			new LiveResources({
				registry: this.registry,
				onDidChangeIdentity: () => ({ dispose() {} }),
				maxMessageBytes: () => 1000,
				isSeen: () => true,
			}),
		);
		this.api = owned.add(
			new Api({
				registry: this.registry,
				makeCall: async (call, { signal }) => {
					const send = (args: JsonObject) => this.client.callTool(call.tool, args, { signal });
					return (await this.calls.make(call, send, signal)).result;
				},
			}),
		);
	}

	get server(): Server {
		return found(this.registry.serverOf(target));
	}

	get client(): Client {
		return found(this.known?.client ?? this.server.client);
	}

	get catalog(): Catalog {
		return found(this.known?.catalog);
	}

	get signal(): AbortSignal {
		return this.caller.signal;
	}

	/** As the editor's. */
	get options(): { readonly token: { isCancellationRequested: boolean; onCancellationRequested: () => Disposable } } {
		const { signal } = this;
		return {
			token: {
				get isCancellationRequested() {
					return signal.aborted;
				},
				onCancellationRequested: (...[listener]: [listener?: (event: unknown) => unknown]) => {
					signal.addEventListener('abort', event => listener?.(event), { once: true });
					return { dispose: () => undefined };
				},
			},
		};
	}

	get httpRequest(): { method: 'POST'; url: URL; body: string; abort: HttpAbort } {
		return { method: 'POST', url: new URL('https://x.test/mcp'), body: '{}', abort: this.httpAbort };
	}

	/** The server in the state in which an operation begins. What it needs of the person was given before. */
	async bringTo(state: 'stopped' | 'running'): Promise<void> {
		await this.consents.allow([target]);
		if (state === 'running') {
			await this.server.start();
			await this.live.read(this.key);
			this.known = { client: this.client, catalog: found(this.server.catalog) };
			await this.catalog.currentTools();
		}
	}

	/** Every kind of question, about the other server where it is about one; a sheet is open. */
	async ask(): Promise<void> {
		void this.queue.run(() => new Promise(() => undefined));
		void found(this.registry.serverOf(other)).start();
		const params = { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', properties: {} } };
		const handlers = new Elicitations(this.questions).handlersFor(askerOf(other), () => false);
		handlers.form?.(params, new AbortController().signal).catch(() => undefined);
		if (this.known) {
			const call = { caller: { kind: 'command' }, server: this.server, tool: 'asked', arguments: {} } as const;
			this.calls.make(call, () => Promise.reject(new Error('nobody allowed it'))).catch(() => undefined);
		}
		while (this.pending.count < (this.known ? 2 : 1) || this.questions.waiting.length === 0) {
			await new Promise(resolve => {
				setImmediate(resolve);
			});
		}
		if (!this.pending.reviewed) {
			void this.pending.review(found(this.pending.all[0]));
		}
	}

	/** A client of its own. */
	connect(): Promise<unknown> {
		const { fixture, owned } = this;
		this.alone = owned.add(
			new Client({
				open: () => fixture.deps.stdio(...stdioArguments(fixture)),
				clientInfo: { name: 'test', version: '1' },
				timeoutMs: requestMs,
				log: new TestLogger(),
			}),
		);
		return this.alone.connect(this.signal);
	}

	/** The server, or its process, or its host, ends. */
	end(): void {
		this.fixture.transports.at(-1)?.end({ expected: false, exitCode: 1 });
		this.cutOff.abort();
	}

	async stop(): Promise<void> {
		await (this.alone ?? { close: () => this.server.stop() }).close();
	}

	cancel(): void {
		this.caller.abort();
		this.httpAbort.abort();
	}

	dispose(): void {
		this.owned.dispose();
	}

	private onDisk<T>(value: T): Promise<T> {
		return this.isDiskSilent ? new Promise(() => undefined) : Promise.resolve(value);
	}

	private memoryServer(): MemoryServer {
		const methods = Object.entries(answers).map(([method, answer]): [string, Method] => [
			method,
			() => (this.isSilent ? this.ignore() : answer),
		]);
		const discover: Method = () => {
			if (this.isSilent) {
				return this.ignore();
			}
			throw new RpcError(-32601, 'Method not found');
		};
		return { methods: { ...Object.fromEntries(methods), 'server/discover': discover } };
	}

	private ignore(): undefined {
		this.ignored++;
	}

	private createApprover(): Approver {
		const policy: PolicyState = {
			kind: 'read',
			policy: { rules: [{ decision: 'allow', tools: ['free'] }], otherwise: 'ask' },
		};
		return new Approver({
			policies: { ofDefinition: () => this.onDisk(policy), ofUser: () => policy },
			tools: new MemoryTools(),
			grants: { list: () => [], add: async () => undefined },
			isTrusted: () => true,
			roots: () => [],
			ignoresCase: false,
			open: signal => {
				let request: PendingRequest | undefined;
				return {
					ask: async (question: ApprovalQuestion) => {
						request = this.pending.add({
							definition: question.request.definition,
							subject: () => ({ kind: 'approval', question }),
							review: openSheet,
						});
						return raceAbort(new Promise<never>(() => undefined), signal);
					},
					dispose: () => request && this.pending.end(request),
				};
			},
		});
	}

	private createAuthorizer(): Authorizer {
		return new Authorizer({
			url: 'https://x.test/mcp',
			log: new TestLogger(),
			client: { name: 'test' },
			fetch: request => this.fetch(request),
			store: Object.assign(new MemoryTokens(), { get: () => this.onDisk(undefined) }),
			secrecy: new Redactor(),
			redirect: { open: () => Promise.reject(new Error('no browser')) },
			prompt: {
				mayInteract: async () => true,
				mayVisit: async () => true,
				askClient: async () => undefined,
			},
			config: async () => ({ kind: 'person' }),
			isInteractive: () => true,
			load: () => import('../../../src/authorization.js'),
		});
	}

	/** A host that has nothing of what it is asked for. */
	private fetch({ abort }: HttpRequest): Promise<HttpResponse> {
		const { cutOff } = this;
		return new Promise((resolve, reject) => {
			const fail = (): void => reject(new Error('ECONNRESET'));
			if (!this.isSilent) {
				resolve({ status: 404, headers: {}, read: async () => undefined, discard: () => undefined });
			} else if (cutOff.signal.aborted) {
				fail();
			} else {
				this.ignore();
			}
			cutOff.signal.addEventListener('abort', fail, { once: true });
			abort.setStop(() => reject(new DOMException('aborted', 'AbortError')));
		});
	}
}

function stdioArguments({ deps }: ModelFixture): Parameters<ModelFixture['deps']['stdio']> {
	const launch = { kind: 'stdio', command: 'x', args: [], cwd: '/', env: {}, program: { kind: 'unresolved' } } as const;
	return [launch, deps.limits(), () => undefined];
}

function found<T>(value: T | undefined): T {
	if (value === undefined) {
		throw new Error('It is not there.');
	}
	return value;
}
