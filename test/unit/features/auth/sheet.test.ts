// The sign-in sheet: what it shows of the server, of the page that opens, and of the host that gets the code.
import * as assert from 'node:assert/strict';
import { mock } from 'node:test';
import { askSignIn, createPrompt } from '../../../../src/features/auth/prompt.js';
import { SignInRequests } from '../../../../src/features/auth/signInRequests.js';
import { PendingRequests } from '../../../../src/core/requests/pendingRequests.js';
import type { ServerDefinition } from '../../../../src/core/config/serverDefinition.js';
import { closeHeldInput } from '../../../../src/editor/ui/quickInput.js';
import type { SignInNeed } from '../../../../src/mcp/index.js';
import { type QuickPickDouble, screen } from '../../../support/quickPickDouble.js';
import { commands } from '../../../support/vscodeDouble.js';
import { labelOfName } from '../../../../src/core/servers/serverLabels.js';
import { stopTime } from '../../../support/stoppedClock.js';

const definition = { name: 'tracker', source: { uri: 'file:///mcp.json' }, offset: 7 } as unknown as ServerDefinition;
const need: SignInNeed = { server: 'https://a/mcp', issuer: 'https://a', isGuess: false, scopes: [], why: 'first' };
const evil = 'https://mcp.evil.example';
/** The sign-in page of GitHub with the token endpoint of an attacker. */
const mixed: SignInNeed = {
	...need,
	server: `${evil}/mcp`,
	issuer: evil,
	page: 'https://github.com/login/oauth/authorize',
	tokenEndpoint: `${evil}/token`,
	isMixed: true,
};

describe('the sign-in sheet', () => {
	beforeEach(() => stopTime());
	afterEach(() => {
		closeHeldInput();
		mock.reset();
	});

	/** What the person is shown, sheet by sheet, if they select these lines in turn; without a line, they press Escape. */
	async function shown(asked: SignInNeed, ...answers: readonly (string | undefined)[]): Promise<[unknown, string[][]]> {
		const sheets: string[][] = [];
		screen.onShow = pick => {
			const answer = answers[sheets.length];
			sheets.push([pick.title, ...pick.lines.filter(it => it !== '')]);
			if (answer === undefined) {
				pick.hide();
			} else {
				pick.accept(answer);
			}
		};
		const answer = await askSignIn('tracker', definition, asked, new AbortController().signal);
		return [answer, sheets];
	}

	it('opens the configuration, and stays open, where the authorization server is a guess', async () => {
		const execute = mock.method(commands, 'executeCommand', () => Promise.resolve());
		assert.equal((await shown({ ...need, isGuess: true }, 'Edit Configuration'))[0], 'aside');
		assert.deepEqual(
			execute.mock.calls.map(it => it.arguments as unknown[]),
			[['mcpWorkbench.configuration.open', { uri: 'file:///mcp.json', offset: 7 }]],
		);
	});

	it('has no such line where the server names it', async () => {
		const [answer, [lines = []]] = await shown(need, 'Not Now');
		assert.equal(answer, false);
		assert.deepEqual(
			lines.filter(it => /Edit|Warning/.test(it)),
			[],
		);
	});

	it('shows the hosts of the page and of the token endpoint, and asks once more if the two differ', async () => {
		const hosts = ['Sign-in page | github.com', 'Sign-in code goes to | mcp.evil.example'];
		const first = [
			'Sign in to "tracker"?',
			'Reason | The server requires sign-in',
			'Server | https://mcp.evil.example/mcp',
			'Authorization server | https://mcp.evil.example/',
			...hosts,
			'Scopes | Default scopes',
			'Warning | The sign-in page is not on the host that gets the code',
			'Sign In',
			'Not Now',
		];
		const reason = "Reason | The authorization server doesn't name itself in its responses";
		const second = ['Send the sign-in code for "tracker" to another host?', reason, ...hosts, 'Send Code', 'Not Now'];
		assert.deepEqual(await shown(mixed, 'Sign In', 'Send Code'), [true, [first, second]]);
		assert.deepEqual(await shown(mixed, 'Sign In', 'Not Now'), [false, [first, second]]);
		assert.deepEqual(await shown(mixed, 'Sign In', undefined), ['aside', [first, second]]);
		assert.deepEqual(await shown(mixed, 'Not Now'), [false, [first]]);
		const usual = first.filter(it => !it.startsWith('Warning'));
		assert.deepEqual(await shown({ ...mixed, isMixed: false }, 'Sign In'), [true, [usual]]);
	});

	it('shows which host gets a client secret for the first time', async () => {
		const { page: _, ...machine } = { ...mixed, isMixed: false, bindsSecret: true };
		const [, [lines = []]] = await shown(machine, 'Not Now');
		assert.deepEqual(
			lines.filter(it => it.includes('goes to')),
			['Client secret goes to | mcp.evil.example'],
		);
		const [, [both = []]] = await shown({ ...machine, page: `${evil}/authorize` }, 'Not Now');
		assert.deepEqual(
			both.filter(it => it.includes('goes to')),
			['Sign-in code goes to | mcp.evil.example', 'Client secret goes to | mcp.evil.example'],
		);
	});

	it('says which exceptions of the settings apply', async () => {
		const issuer = 'https://as.example';
		const exceptions = [
			{ what: 'issuer', issuer, named: `${issuer}/` },
			{ what: 'pkce', issuer },
			{ what: 'resource', issuer },
		] as const;
		const [, [lines = []]] = await shown({ ...need, exceptions }, 'Not Now');
		const text = lines.join('\n').replaceAll('\n… | ', '');
		assert.match(
			text,
			/Warning \| Issuer check is off for as\.example, which names https:\/\/as\.example\/ \(your ?setting\)/,
		);
		assert.match(text, /Warning \| PKCE check is off for as\.example \(your ?setting\)/);
		assert.match(text, /Warning \| The parameter "resource" isn't sent to as\.example \(your ?setting\)/);
	});

	it('spells hosts in ASCII, and cuts none', async () => {
		// Cyrillic letters that look like "accounts.google.com".
		const google = 'https://\u0430ccounts.g\u043e\u043egle.com';
		const long = `${'accounts.google.com.'.repeat(11)}evil.example`;
		const asked = { ...need, issuer: google, page: `${google}/auth`, tokenEndpoint: `https://${long}:8443/token` };
		const [, [lines = []]] = await shown(asked, 'Not Now');
		const text = lines.join('\n');
		assert.match(text, /^[ -~\n…]*$/);
		assert.ok(text.includes('Authorization server | https://xn--ccounts-1fg.xn--ggle-55da.com/'), text);
		assert.ok(text.includes('Sign-in page | xn--ccounts-1fg.xn--ggle-55da.com\n'), text);
		const begin = lines.findIndex(it => it.startsWith('Sign-in code goes to'));
		const end = lines.findIndex(it => it.startsWith('Scopes'));
		const host = lines.slice(begin, end).map(it => it.slice(it.indexOf(' | ') + 3));
		assert.equal(host.join(''), `${long}:8443`);
		assert.ok(host.every(it => it.length <= 64));
	});

	it('has a title that a server cannot write', async () => {
		const name = 'GitHub" (verified)? Sign\u2800';
		const titles: string[] = [];
		screen.onShow = (pick: QuickPickDouble) => {
			titles.push(pick.title);
			pick.accept(pick.title.startsWith('Allow') ? 'Deny' : 'Not Now');
		};
		const pending = new PendingRequests();
		const prompt = createPrompt({
			definition: { ...definition, id: 'x', name },
			pending,
			requests: new SignInRequests(pending, it => labelOfName(it.name)),
			interactivity: () => 'none',
		});
		const { signal } = new AbortController();
		for (const ask of [
			() => prompt.mayInteract(need, signal, false),
			() => prompt.mayInteract({ ...need, why: 'moreScopes' }, signal, false),
			() => prompt.mayVisit({ url: 'https://10.0.0.1/', server: need.server }, signal),
		]) {
			const asking = ask();
			const [request] = pending.all;
			assert.ok(request);
			await pending.review(request);
			assert.equal(await asking, false);
		}
		const shownName = 'GitHub\\u{0022} (verified)? Sign\\u{2800}';
		assert.deepEqual(titles, [
			`Sign in to "${shownName}"?`,
			`Grant "${shownName}" more permissions?`,
			`Allow "${shownName}" to contact a private address?`,
		]);
		pending.dispose();
	});
});
