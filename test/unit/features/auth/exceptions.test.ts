// "Make an Exception…": what the person confirms, and what is written to their settings.
import * as assert from 'node:assert/strict';
import { mock } from 'node:test';
import { AbortError } from '../../../../src/base/errors.js';
import type { ServerDefinition } from '../../../../src/core/config/serverDefinition.js';
import type { ExternalBrowser } from '../../../../src/editor/auth/externalBrowser.js';
import { ServerNode } from '../../../../src/editor/tree/treeNodes.js';
import { authSettings } from '../../../../src/editor/workspace/config.js';
import { registerAuth } from '../../../../src/features/auth/commands.js';
import { RedirectHandler } from '../../../../src/features/auth/redirectHandler.js';
import type { AuthState } from '../../../../src/mcp/index.js';
import { commands, env, settings, window } from '../../../support/vscodeDouble.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';
import { settled } from '../../../support/waiting.js';

const url = 'https://mcp.example/mcp';
const setting = 'mcpWorkbench.auth.servers';
const issuer = 'https://as.example/';
const named = 'https://accounts.example';
const mismatch: AuthState = { kind: 'failed', failure: { code: 'issuerMismatch', issuer, named } };

describe('an exception for a server', () => {
	const { showWarningMessage, showInformationMessage } = window;
	const { registerCommand, executeCommand } = commands;
	const handlers = new Map<string, (argument: unknown) => unknown>();
	let questions: unknown[][];
	let told: string[];
	let ran: unknown[];

	beforeEach(() => {
		questions = [];
		told = [];
		ran = [];
		Object.assign(commands, {
			registerCommand: (id: string, handler: (argument: unknown) => unknown) => {
				handlers.set(id, handler);
				return { dispose: () => undefined };
			},
			executeCommand: (id: string) => Promise.resolve(ran.push(id)),
		});
		Object.assign(window, { showInformationMessage: (text: string) => Promise.resolve(void told.push(text)) });
	});
	afterEach(() => {
		Object.assign(commands, { registerCommand, executeCommand });
		Object.assign(window, { showWarningMessage, showInformationMessage });
		window.messages.length = 0;
		settings.clear();
	});

	/** The person answers the question of the command with this button. */
	async function make(
		state: AuthState,
		answer: string | undefined,
		{ visit, secret }: { readonly visit?: object; readonly secret?: string } = {},
	): Promise<void> {
		Object.assign(window, {
			showWarningMessage: (...all: unknown[]) => Promise.resolve(questions.push(all) > 0 ? answer : undefined),
		});
		const server = {
			definition: { id: 'x', launch: { kind: 'http', url } },
			state: { kind: 'failed' },
			log: { redactor: { text: (it: string) => (secret === undefined ? it : it.replaceAll(secret, '•••')) } },
		};
		registerAuth({
			registry: { label: () => 'tracker', servers: [server], configured: Promise.resolve() },
			accounts: { of: () => ({ url, state }) },
			redirects: { visitOf: () => visit },
			requests: { follow: () => ({ dispose: () => undefined }), current: () => undefined },
			serverActions: { register: () => ({ dispose: () => undefined }) },
		} as never);
		await handlers.get('mcpWorkbench.account.makeException')?.(new ServerNode(server as never));
	}

	it('is written after the person saw both hosts and what they give up, and then signs in again', async () => {
		settings.set(setting, { globalValue: { [url]: { clientId: 'me' } } });
		await make(mismatch, 'Make Exception');
		const [[question, options] = []] = questions;
		assert.equal(question, 'Make an exception for the sign-in to tracker?');
		const { modal, detail } = options as { readonly modal: boolean; readonly detail: string };
		assert.ok(
			modal && detail.includes(issuer) && detail.includes(named) && /impersonates another/.test(detail),
			detail,
		);
		const exceptions = { issuers: { [issuer]: named } };
		assert.deepEqual(settings.get(setting), { globalValue: { [url]: { clientId: 'me', exceptions } } });
		assert.deepEqual(ran, ['mcpWorkbench.server.start']);
	});

	it('is not written without confirmation, for another failure, or if the URL has a secret', async () => {
		await make(mismatch, undefined);
		await make({ kind: 'failed', failure: { code: 'otherIssuer', issuer, configured: named } }, 'Make Exception');
		await make({ kind: 'working' }, 'Make Exception', { visit: { hasResource: true } });
		assert.deepEqual([settings.get(setting), ran, window.messages], [undefined, [], []]);
		assert.equal(questions.length, 1);
		assert.deepEqual(told, ['This sign-in to tracker has ended.', 'This sign-in to tracker has ended.']);
		await make(mismatch, 'Make Exception', { secret: 'mcp.example' });
		assert.deepEqual([settings.get(setting), ran], [undefined, []]);
		assert.match(window.messages.join(), /contains a secret/);
	});

	it('that leaves out `resource` ends the sign-in that waits for the browser', async () => {
		const leave = mock.fn();
		const need = { server: url, issuer, isGuess: false, scopes: [], why: 'first' } as const;
		await make({ kind: 'working', need }, 'Make Exception', { visit: { hasResource: false, leave } });
		assert.deepEqual([questions, leave.mock.callCount()], [[], 0]);
		await make({ kind: 'working', need }, 'Make Exception', { visit: { hasResource: true, leave } });
		assert.deepEqual(settings.get(setting), { globalValue: { [url]: { exceptions: { resource: true } } } });
		assert.equal(leave.mock.callCount(), 1);
		assert.equal(told.at(-1), 'Exception saved. Sign in to tracker again.');
		assert.deepEqual(ran, []);
	});

	it('of a workspace is no exception: only User Settings are read', () => {
		const all = { [url]: { exceptions: { pkce: true, issuers: { [issuer]: named }, resource: true } } };
		settings.set(setting, { workspaceValue: all, workspaceFolderValue: all });
		assert.equal(authSettings(), undefined);
	});
});

describe('a sign-in that waits for the browser', () => {
	const { withProgress } = window;
	const before = { ...env };
	let titles: string[];
	let handler: RedirectHandler;

	beforeEach(() => {
		stopTime();
		titles = [];
		Object.assign(env, { uriScheme: 'vscode' });
		Object.assign(window, {
			registerUriHandler: () => ({ dispose: () => undefined }),
			withProgress: (
				options: { readonly title: string; readonly cancellable: boolean },
				task: () => Promise<unknown>,
			) => {
				titles.push(`${options.cancellable ? 'cancellable' : 'not cancellable'} ${options.title}`);
				return withProgress(options, task);
			},
		});
		const browser = {
			isSameMachine: true,
			loopback: {
				openPage: (_before: unknown, _answer: unknown, _tail: unknown, fixed?: string) =>
					fixed === undefined
						? Promise.resolve({ uri: 'http://127.0.0.1:1/callback', dispose: () => undefined })
						: Promise.reject(Object.assign(new Error('taken'), { code: 'EADDRINUSE' })),
			},
			open: () => Promise.resolve(true),
		};
		handler = new RedirectHandler('a.b', browser as unknown as ExternalBrowser);
	});
	afterEach(() => {
		releaseTime();
		handler.dispose();
		Object.assign(window, { withProgress });
		Reflect.deleteProperty(window, 'registerUriHandler');
		Object.assign(env, before);
	});

	const definition = { id: 'x' } as ServerDefinition;
	const { signal } = new AbortController();

	it('can be cancelled, and offers to leave out `resource` only if the page got it', async () => {
		for (const [query, isOffered] of [
			['?resource=r', true],
			['?state=s', false],
		] as const) {
			const target = await handler.redirectFor(definition, () => 'tracker').open(undefined, '', signal);
			const waiting = target.follow(`https://as.example/${query}`, () => true, signal);
			waiting.catch(() => undefined);
			await settled();
			passTime(1000);
			await settled();
			const title = titles.pop() ?? '';
			assert.match(
				title,
				/^cancellable Sign in to tracker in your browser\..*\(command:mcpWorkbench\.account\.pasteAddress\)/,
			);
			assert.equal(title.includes('[Page Shows an Error…](command:mcpWorkbench.account.makeException)'), isOffered);
			const visit = handler.visitOf(definition);
			assert.equal(visit?.hasResource, isOffered);
			assert.equal(handler.visitOf({ id: 'y' } as ServerDefinition), undefined);
			visit.leave();
			await assert.rejects(waiting, AbortError);
			assert.equal(handler.visitOf(definition), undefined);
			target.dispose();
		}
	});

	it('does not accept another address than the redirect URI of the settings', async () => {
		const opening = handler
			.redirectFor(definition, () => 'tracker')
			.open(undefined, '', signal, 'http://localhost:3118/callback');
		await assert.rejects(opening, { code: 'EADDRINUSE' });
	});
});
