/**
 * Prompts as a person runs them: from the list, by a keybinding, in an editor. The page of the result is in the end-to-end tests.
 * Over 600 lines: a file of its own would start the same servers and repeat the gestures on the list.
 */
import * as assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../src/api.js';
import { QuickInputs } from '../quickInputs.js';
import { activate, eventually, inState } from '../support.js';

type Pick = vscode.QuickPick<vscode.QuickPickItem>;

describe('prompts', () => {
	let api: ExtensionApi;
	let inputs: QuickInputs;

	before(async () => {
		api = await activate();
		for (const server of ['everything', 'garden', 'shed']) {
			await vscode.commands.executeCommand('mcpWorkbench.server.start', { server });
			await inState(api, server, 'running');
		}
	});
	beforeEach(() => {
		inputs = new QuickInputs();
	});
	afterEach(async () => {
		inputs.dispose();
		await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
		await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});

	const run = (argument?: object): Thenable<unknown> =>
		vscode.commands.executeCommand('mcpWorkbench.prompt.run', argument);
	const linesOf = (pick: Pick): string[] =>
		pick.items.map(it => [it.label, it.description, it.detail].filter(Boolean).join(' | '));
	const open = async (): Promise<Pick> => (await inputs.look()) as Pick;

	/** What the open quick pick shows once a line begins so. */
	async function shows(beginning: string): Promise<Pick> {
		const pick = await open();
		try {
			return await eventually(beginning, () => (linesOf(pick).some(it => it.startsWith(beginning)) ? pick : undefined));
		} catch {
			throw new Error(`No line "${beginning}" in:\n${linesOf(pick).join('\n')}`);
		}
	}

	/** Chooses the line that begins so, and waits for the next question. */
	async function choose(beginning: string): Promise<void> {
		await shows(beginning);
		await inputs.pick(it => it.label.startsWith(beginning));
	}

	/** Types, and waits for the list that belongs to it. @param first line of that; the typed text may be any */
	async function type(text: string, first?: string): Promise<Pick> {
		const pick = await open();
		await delay(50);
		pick.value = text;
		const line = first ?? `${text} | Your input`;
		const isThere = (): boolean => {
			const index = linesOf(pick).findIndex(it => it.startsWith(line));
			return first === undefined ? index >= 0 : index === 0;
		};
		return eventually(line, () => (isThere() && !pick.busy ? pick : undefined)).catch(() => {
			throw new Error(`Not "${line}" but\n${linesOf(pick).join('\n')}`);
		});
	}

	function resultTab(label: string): Promise<vscode.Tab> {
		return eventually(label, () =>
			vscode.window.tabGroups.all
				.flatMap(it => it.tabs)
				.find(it => it.label === label && it.input instanceof vscode.TabInputWebview),
		);
	}

	/** An editor with the cursor at the end of its text. */
	async function untitled(content: string, language = 'markdown'): Promise<vscode.TextEditor> {
		const document = await vscode.workspace.openTextDocument({ language });
		const editor = await vscode.window.showTextDocument(document);
		await editor.edit(builder => builder.insert(new vscode.Position(0, 0), content));
		const end = document.lineAt(document.lineCount - 1).range.end;
		await eventually('the cursor', () => editor.selection.active.isEqual(end) || undefined);
		return editor;
	}

	/** What is proposed there, of ours. */
	async function complete({ document, selection }: vscode.TextEditor): Promise<vscode.CompletionItem[]> {
		const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
			'vscode.executeCompletionItemProvider',
			document.uri,
			selection.active,
		);
		return items.filter(it => it.command?.command === 'mcpWorkbench.prompt.run');
	}
	const labelOf = ({ label }: vscode.CompletionItem): string => (typeof label === 'string' ? label : label.label);

	/** The text of the document that is opened next. */
	async function newDocument(): Promise<string> {
		const before = vscode.window.activeTextEditor?.document;
		await choose('Open as Document');
		const document = await eventually('a document', () => {
			const there = vscode.window.activeTextEditor?.document;
			return there === before ? undefined : there;
		});
		assert.equal(document.languageId, 'markdown');
		return document.getText();
	}

	describe('in the list', () => {
		it('are found as slash commands, with what they are and what they take', async () => {
			void run();
			const pick = await type('/ev co', '/everything.completable-prompt');
			assert.match(
				linesOf(pick)[0] ?? '',
				/^\/everything\.completable-prompt \| department name \| Team Management — /,
			);
			await type('/ev ar city="New York"', '/everything.args-prompt | city="New York" state?');
		});

		it('have the names that they are typed by, whatever the server calls them', async () => {
			void run();
			const names = (await type('/garden', '/garden.plain')).items
				.map(it => it.label)
				.filter(it => it.startsWith('/garden.'));
			assert.deepEqual(names.slice(4, 6), ['/garden.line break', '/garden.right\uFFFDto left']);
			assert.equal(names.filter(it => it === '/garden.weather').length, 2);
			await type('/garden.line break', '/garden.line break');
			await choose('/garden.line break');
			assert.equal(await newDocument(), 'A name with a line break.');
		});

		it('are told apart where servers have the same', async () => {
			void run();
			const pick = await type('/plain', '/garden.plain');
			assert.deepEqual(
				pick.items.slice(0, 2).map(it => it.label),
				['/garden.plain', '/shed.plain'],
			);
		});

		it('change while they are looked at', async () => {
			void run();
			const pick = await type('/shed', '/shed.plain');
			await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'shed' });
			await shows('Start shed');
			assert.ok(!pick.items.some(it => it.label === '/shed.plain'));
			await vscode.commands.executeCommand('mcpWorkbench.server.start', { server: 'shed' });
			await shows('/shed.plain');
		});

		it('are offered from the first page on, though the second never comes', async () => {
			void run();
			await type('/endless', 'No matching prompts');
			// Started from the list, which then has them.
			await inputs.pick(it => it.label === 'Start endless');
			const pick = await shows('/endless.plain');
			assert.deepEqual(
				pick.items.map(it => it.label).filter(it => it.startsWith('/endless.')),
				['/endless.plain', '/endless.weather'],
			);
			await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
			inputs.forget();
			const editor = await untitled('/endless');
			const labels = (await complete(editor)).map(labelOf);
			assert.deepEqual(labels, ['/endless.plain', '/endless.weather']);
			void run({ server: 'endless', name: 'plain' });
			await choose('Insert at Cursor');
			await eventually('the text', () => editor.document.getText() === '/endlessSay hello.' || undefined);
			await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'endless' });
		});

		it('say when nothing fits', async () => {
			void run();
			await type('/nothing of this kind', 'No matching prompts');
		});
	});

	describe('ask for their arguments', () => {
		it('with what the server proposes, which knows what was said before', async () => {
			void run({ server: 'everything', name: 'completable-prompt' });
			const pick = await shows('Engineering');
			assert.deepEqual([pick.title, pick.step, pick.totalSteps], ['/completable-prompt · everything', 1, 2]);
			assert.match(linesOf(pick)[0] ?? '', /^Enter a value \| Required/);
			await type('Eng');
			await choose('Engineering');
			await choose('Alice');
			assert.match(await newDocument(), /Alice.*Engineering/s);
		});

		it('of which Enter takes the first match, or what was typed where nothing matches', async () => {
			void run({ server: 'everything', name: 'completable-prompt' });
			await shows('Engineering');
			const active = async (text: string): Promise<string[]> => {
				const pick = await type(text);
				const [line] = pick.activeItems;
				return [line?.label ?? '', ...linesOf(pick).filter(it => it !== '')];
			};
			assert.deepEqual(await active('Xyz'), ['Xyz', 'Xyz | Your input']);
			assert.deepEqual(await active('Sales'), ['Sales', 'Sales | Your input']);
			const [first, separator, ...lines] = await active('Eng');
			assert.deepEqual([first, lines], ['Engineering', ['Engineering', 'Eng | Your input']]);
			assert.equal(separator, 'Suggested by everything');
			await inputs.pick();
			await choose('Alice');
			assert.match(await newDocument(), /Alice.*Engineering/s);
		});

		it('only for those that are not given, and optional ones can be left out', async () => {
			void run({ server: 'garden', name: 'weather', arguments: { city: 'Lyon' } });
			const pick = await shows('France');
			assert.deepEqual([pick.step, pick.totalSteps], [undefined, undefined]);
			await choose('Leave Out');
			assert.equal(await newDocument(), 'What is the weather in Lyon?');
			inputs.forget();
			void run({ server: 'garden', name: 'weather', arguments: { city: 'Rome', country: 'Italy' } });
			assert.equal(await newDocument(), 'What is the weather in Rome, Italy?');
		});

		it('of what was typed in the list', async () => {
			void run();
			const { items } = await type('/garden.weather Lyon', '/garden.weather | city="Lyon" country?');
			await inputs.pick(it => it === items[0]);
			const pick = await shows('France');
			assert.equal(pick.title, '/weather · garden');
			await choose('France');
			assert.equal(await newDocument(), 'What is the weather in Lyon, France?');
		});

		it('and go back and forth without loss', async () => {
			void run({ server: 'garden', name: 'weather' });
			await type('Par');
			await choose('Paris');
			await type('Fra');
			await inputs.back();
			const pick = await shows('Paris | Your input');
			assert.equal(pick.value, 'Paris');
			await choose('Paris');
			assert.equal((await shows('Fra | Your input')).value, 'Fra');
			await choose('France');
			assert.equal(await newDocument(), 'What is the weather in Paris, France?');
		});

		it('and lead back to the list, where everything is as it was', async () => {
			void run();
			await type('/garden.weather country=Italy', '/garden.weather | city country="Italy"');
			await inputs.pick(it => it.description !== undefined && it.label === '/garden.weather');
			await shows('Paris');
			await inputs.back();
			const pick = await shows('/garden.weather | city country="Italy"');
			assert.equal(pick.value, '/garden.weather country=Italy');
			await inputs.pick(it => it.description !== undefined && it.label === '/garden.weather');
			await choose('Rome');
			assert.equal(await newDocument(), 'What is the weather in Rome, Italy?');
		});

		it('keep what was typed when the input disappears', async () => {
			void run({ server: 'garden', name: 'weather' });
			await type('Parm');
			await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
			inputs.forget();
			void run({ server: 'garden', name: 'weather' });
			assert.equal((await shows('Parma')).value, 'Parm');
			await choose('Parma');
			await choose('Leave Out');
			await newDocument();
		});

		it('while the server never answers', async () => {
			void run({ server: 'garden', name: 'silent' });
			const pick = await shows('Enter a value');
			pick.value = 'still here';
			await choose('still here');
			assert.equal(await newDocument(), 'Never completed.');
		});

		it('of 10,000 proposals show 100, and say so', async () => {
			void run({ server: 'garden', name: 'many' });
			const pick = await shows('value 99');
			assert.equal(pick.items.filter(it => it.label.startsWith('value ')).length, 100);
			assert.match(linesOf(pick).at(-1) ?? '', /^Some values aren't shown\./);
			await choose('value 42');
			await newDocument();
		});

		it('take no value that is no text, and show the others on one line', async () => {
			void run({ server: 'garden', name: 'strange' });
			const pick = await shows('one two');
			assert.deepEqual(
				pick.items.slice(2).map(it => it.label),
				['one two', 'right\uFFFDto left'],
			);
			await choose('one two');
			await newDocument();
		});

		it('say in the list what the server could not do', async () => {
			void run({ server: 'garden', name: 'failing' });
			const pick = await shows("garden couldn't suggest values");
			assert.match(linesOf(pick).join('\n'), /The shelf is empty\./);
			await type('a shelf');
			await choose('a shelf');
			await newDocument();
		});
	});

	describe('have a result', () => {
		it('that is shown, whatever is in it', async () => {
			void run({ server: 'garden', name: 'everything' });
			await resultTab('/everything · garden');
			const text = await newDocument();
			for (const part of [
				'Look at these.',
				'[image · image/png · 70 B]',
				'[audio · audio/wav · 3 B]',
				'garden://beds/north\nThree roses.',
				'Link to garden://beds/south',
				'"beam": "blue"',
				'Nobody says this.',
			]) {
				assert.ok(text.includes(part), `${part} in:\n${text}`);
			}
		});

		it('that says who says what', async () => {
			void run({ server: 'garden', name: 'talk' });
			assert.equal(await newDocument(), 'User:\nWho are you?\n\nAssistant:\nA gardener.\n\nUser:\nProve it.');
		});

		it('that is inserted at the cursor, and taken back by one undo', async () => {
			const editor = await untitled('Before: ');
			void run({ server: 'garden', name: 'plain' });
			await choose('Insert at Cursor');
			await eventually('the text', () => editor.document.getText() === 'Before: Say hello.' || undefined);
			await vscode.window.showTextDocument(editor.document);
			await vscode.commands.executeCommand('undo');
			assert.equal(editor.document.getText(), 'Before: ');
		});

		it('that is copied', async () => {
			void run({ server: 'garden', name: 'plain' });
			await choose('Copy');
			for (let turn = 0; turn < 100 && (await vscode.env.clipboard.readText()) !== 'Say hello.'; turn++) {
				await delay(25);
			}
			assert.equal(await vscode.env.clipboard.readText(), 'Say hello.');
		});

		it('or none, which the same tab says: it is not there any more, or the server ends', async () => {
			void run({ server: 'garden', name: 'gone' });
			await resultTab('/gone · garden');
			void run({ server: 'shed', name: 'quit' });
			await resultTab('/quit · shed');
			await inState(api, 'shed', 'running');
		});

		it('and there is a message for one that the server does not list', async () => {
			await run({ server: 'garden', name: 'nothing' });
			assert.equal(await inputs.message(), 'garden has no prompt "nothing".');
		});
	});

	it('refuse a call that nobody could mean', async () => {
		for (const request of [
			'weather',
			{},
			{ server: 'garden' },
			{ server: 'garden', name: 'weather', arguments: { city: 1 } },
		]) {
			await assert.rejects(async () => run(request as object), /Expected \{ server: string, name: string/);
		}
		await assert.rejects(async () => run({ server: 'nobody', name: 'x' }), /Server "nobody" not found\./);
	});

	describe('in an editor', () => {
		it('are proposed behind a slash at the start of a line, and nowhere else', async () => {
			assert.deepEqual((await complete(await untitled('Text\n/ev co'))).map(labelOf).slice(0, 1), [
				'/everything.completable-prompt',
			]);
			assert.ok((await complete(await untitled('/', 'plaintext'))).length > 10);
			for (const [text, language] of [
				['see /ev', 'markdown'],
				['//ev', 'markdown'],
				['ev', 'plaintext'],
				['/ev', 'javascript'],
			] as const) {
				assert.deepEqual(await complete(await untitled(text, language)), [], text);
			}
		});

		/** Does what the editor does when a line is accepted. */
		/** @returns the run of the prompt, which ends when its result is used or the questions are left */
		async function accept(editor: vscode.TextEditor, label: string): Promise<{ readonly ended: Thenable<unknown> }> {
			const item = (await complete(editor)).find(it => labelOf(it) === label);
			assert.ok(item?.command && item.range instanceof vscode.Range && typeof item.insertText === 'string');
			const edit = new vscode.WorkspaceEdit();
			edit.replace(editor.document.uri, item.range, item.insertText);
			await vscode.workspace.applyEdit(edit);
			return { ended: vscode.commands.executeCommand(item.command.command, ...(item.command.arguments ?? [])) };
		}

		it('are replaced by the result, which one undo takes back', async () => {
			const editor = await untitled('# Title\n\n/ga we');
			await accept(editor, '/garden.weather');
			assert.equal(editor.document.getText(), '# Title\n\n/garden.weather');
			await type('Lyon');
			await choose('Lyon');
			await choose('France');
			const expected = '# Title\n\nWhat is the weather in Lyon, France?';
			await eventually('the result', () => editor.document.getText() === expected || undefined);
			// The last input may still have the focus.
			await vscode.window.showTextDocument(editor.document);
			await vscode.commands.executeCommand('undo');
			assert.equal(editor.document.getText(), '# Title\n\n/garden.weather');
		});

		it('stay as they are when the question is left', async () => {
			const editor = await untitled('/garden.weather city="Rome"');
			const done = await accept(editor, '/garden.weather');
			await shows('Italy');
			await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
			await done.ended;
			assert.equal(editor.document.getText(), '/garden.weather city="Rome"');
		});

		it('are found where they have moved to, and shown where they are gone', async () => {
			const editor = await untitled('/garden.wea');
			await accept(editor, '/garden.weather');
			await type('Rome');
			await choose('Rome');
			await shows('Italy');
			await editor.edit(builder => builder.insert(new vscode.Position(0, 0), 'A new line\n'));
			await choose('Italy');
			const expected = 'A new line\nWhat is the weather in Rome, Italy?';
			await eventually('the result', () => editor.document.getText() === expected || undefined);
			inputs.forget();

			const other = await untitled('/garden.plain');
			await accept(other, '/garden.plain');
			await other.edit(builder => builder.delete(new vscode.Range(0, 0, 0, 6)));
			await resultTab('/plain · garden');
			await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
		});
	});
});
