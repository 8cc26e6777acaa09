/**
 * Asks for a field that a server completes: a quick pick of its suggestions, with a line for the typed text. Enter takes
 * the first match. The person can always type a value, also while the server responds slowly or fails.
 */
import * as vscode from 'vscode';
import { isAbort } from '../../base/errors.js';
import type { Field, JsonObject } from '../../mcp/index.js';
import {
	type Completion,
	type Completions,
	type CompletionSubject,
	Typing,
	type TypingState,
} from '../../core/search/completions.js';
import type { TextEditing } from '../documents/textEditing.js';
import { describeError } from '../l10n/messages.js';
import { keepOrder, setQuickPickPrompt } from '../newerApi.js';
import { jsonText, notificationText, quickPickText } from '../ui/plainText.js';
import { untilAnswered } from '../ui/quickInput.js';
import { begin, leaveOut, pressed, type StepContext, stepPrompt, type StepResult } from './formStep.js';

const { t } = vscode.l10n;

/** A field, and how the server completes it, if it does. */
export type FormField = Field & { readonly suggestions?: Suggestions };

export interface Suggestions {
	readonly completions: Completions;
	/** The server's label. */
	readonly serverLabel: string;
	readonly editing: TextEditing;
	/** The subject of completion requests. @param before the values of the fields before this one */
	readonly subject: (before: TextValues) => CompletionSubject;
	/** Describes what is wrong with a value; `undefined` if it is valid. */
	readonly check: (value: string) => string | undefined;
	/** Describes the result of the values, such as a URI. */
	readonly preview: (values: TextValues) => string | undefined;
}

export type TextValues = Readonly<Record<string, string>>;

/** Arguments as the texts that prompts and resource templates take. */
export function toTexts(args: JsonObject): TextValues {
	return Object.fromEntries(
		Object.entries(args).map(([name, value]) => [name, typeof value === 'string' ? value : jsonText(value)]),
	);
}

/** Characters of a suggested value that are shown. */
const maxShown = 120;

interface SuggestedItem extends vscode.QuickPickItem {
	/** The answer of the line. A line without an answer only informs. */
	readonly answer?: { readonly value: string | undefined };
}

/** Another way to fill in the field than typing, shown as a button. */
interface Source extends vscode.QuickInputButton {
	/**
	 * Gives the value; `undefined` if the person discarded it.
	 * @throws Error with a message for the person if the value can't be used
	 */
	readonly read: (typed: string) => Promise<string | undefined>;
}

/**
 * Asks for one field. A text from a source becomes the text of the step, which is asked again.
 * @param before the values of the fields before this one
 */
export async function askSuggested(
	field: Field,
	suggestions: Suggestions,
	before: TextValues,
	context: StepContext,
): Promise<StepResult> {
	const value = typeof context.value === 'string' ? context.value : '';
	let text = context.text ?? value;
	for (;;) {
		const result = await new SuggestedStep(field, suggestions, before, context, text).ask();
		if (result.kind !== 'source') {
			const typed = result.kind === 'answered' || result.text !== value;
			return typed ? result : { ...result, text: undefined };
		}
		try {
			text = (await result.source.read(result.text)) ?? result.text;
		} catch (error) {
			({ text } = result);
			if (!isAbort(error)) {
				void vscode.window.showErrorMessage(notificationText(describeError(error)));
			}
		}
	}
}

type Answer = StepResult | { readonly kind: 'source'; readonly source: Source; readonly text: string };

class SuggestedStep {
	private readonly pick = vscode.window.createQuickPick<SuggestedItem>();
	/** An input can't show several lines, so a text of several lines is a line of the list. */
	private readonly held: string | undefined;

	constructor(
		private readonly field: Field,
		private readonly suggestions: Suggestions,
		private readonly before: TextValues,
		private readonly context: StepContext,
		text: string,
	) {
		const { pick } = this;
		this.held = /[\r\n]/.test(text) ? text : undefined;
		begin(pick, context);
		pick.keepScrollPosition = true;
		keepOrder(pick);
		setQuickPickPrompt(pick, stepPrompt(field, field.required ? t('Required') : t('Optional')));
		pick.value = this.held === undefined ? text : '';
		pick.buttons = [
			...(context.canGoBack ? [vscode.QuickInputButtons.Back] : []),
			...sourcesFor(field.name, suggestions.editing),
			...(field.required ? [] : [leaveOut()]),
		];
	}

	ask(): Promise<Answer> {
		const { pick, suggestions, context } = this;
		const typing = new Typing(suggestions.completions, suggestions.subject(this.before), it => this.draw(it));
		// Not sent before the person types: a text of several lines, and a value, which may be another extension's.
		typing.start(pick.value === context.value ? '' : pick.value);
		let isOver = false;
		let typed = pick.value;
		const text = (): string => (pick.value === '' ? (this.held ?? '') : pick.value);
		const listen = (resolve: (answer: Answer) => void): void => {
			pick.onDidChangeValue(value => {
				if (value !== typed && !isOver) {
					typed = value;
					pick.activeItems = [];
					typing.type(value);
				}
			});
			pick.onDidAccept(() => {
				const answer = (pick.selectedItems[0] ?? pick.activeItems[0])?.answer;
				if (answer && (answer.value === undefined || suggestions.check(answer.value) === undefined)) {
					resolve({ kind: 'answered', ...answer });
				} else if (answer?.value !== undefined) {
					// The value goes into the input, where the person can correct it.
					pick.value = typed = answer.value;
					pick.activeItems = [];
					typing.type(answer.value);
				}
			});
			pick.onDidTriggerButton(button =>
				resolve(
					'read' in button ? { kind: 'source', source: button as Source, text: text() } : pressed(button, text()),
				),
			);
		};
		return untilAnswered(pick, listen, (): Answer => ({ kind: 'left', text: text() }), context.signal).finally(() => {
			isOver = true;
			typing.dispose();
		});
	}

	private draw(state: TypingState): void {
		const { pick } = this;
		const { completion, isLoading } = state;
		const [before] = pick.activeItems;
		const hasMoved = before !== undefined && before !== firstLine(pick.items);
		pick.busy = isLoading;
		pick.items = this.lines(pick.value, state);
		pick.placeholder =
			completion.kind === 'values' && completion.values.length > 0
				? t('Enter a value or select one below')
				: t('Enter a value');
		const same = pick.items.find(it => it.answer && it.answer.value === before?.answer?.value);
		// Keeps the line that the person has moved to; otherwise the first match or the typed text is active.
		const active = (hasMoved ? same : undefined) ?? firstLine(pick.items);
		pick.activeItems = active ? [active] : [];
	}

	/** Suggestions that match a part of the typed text come before it, others after it. */
	private lines(text: string, state: TypingState): SuggestedItem[] {
		const { held } = this;
		const { completion } = state;
		const own = [
			...(text === '' ? [] : [this.typedLine(text)]),
			...(held === undefined ? [] : [this.heldLine(held)]),
			...(text === '' && held === undefined ? [this.emptyLine()] : []),
		];
		const proposed = suggestionLines(this.suggestions.serverLabel, text, state);
		const values = completion.kind === 'values' ? completion.values : [];
		const hasMatches = text !== '' && !values.includes(text) && values.some(it => holds(it, text));
		const separator = { label: '', kind: vscode.QuickPickItemKind.Separator };
		const lines = hasMatches ? [...proposed, separator, ...own] : [...own, ...proposed];
		return lines.map(it => ({ ...it, alwaysShow: true }));
	}

	private typedLine(text: string): SuggestedItem {
		const problem = this.suggestions.check(text);
		return {
			label: quickPickText(text),
			description: problem === undefined ? t('Your input') : quickPickText(problem),
			iconPath: new vscode.ThemeIcon(problem === undefined ? 'edit' : 'error'),
			...this.detail(text),
			answer: { value: text },
		};
	}

	private heldLine(held: string): SuggestedItem {
		return {
			label: quickPickText(held, maxShown),
			description: t('{0} lines, {1} characters', held.split(/\r\n?|\n/).length, held.length),
			iconPath: new vscode.ThemeIcon('list-selection'),
			...this.detail(held),
			answer: { value: held },
		};
	}

	private emptyLine(): SuggestedItem {
		return {
			...(this.field.required
				? { label: t('Enter a value'), description: t('Required'), iconPath: new vscode.ThemeIcon('edit') }
				: {
						label: t('Leave Out'),
						description: t('No value is sent'),
						iconPath: new vscode.ThemeIcon('circle-slash'),
						answer: { value: undefined },
					}),
			...this.detail(undefined),
		};
	}

	private detail(value: string | undefined): { detail?: string } {
		const own = value === undefined ? {} : { [this.field.name]: value };
		const text = this.suggestions.preview({ ...this.before, ...own });
		return text === undefined ? {} : { detail: quickPickText(text) };
	}
}

/** The sources that have a value now. @param name of the field, which also names the text editor */
function sourcesFor(name: string, editing: TextEditing): Source[] {
	const editor = vscode.window.activeTextEditor;
	const selected = editor?.selections.filter(it => !it.isEmpty) ?? [];
	const source = (tooltip: string, icon: string, read: Source['read']): Source => ({
		iconPath: new vscode.ThemeIcon(icon),
		tooltip,
		read,
	});
	const fromEditor = (tooltip: string, icon: string, read: (from: vscode.TextEditor) => string): Source[] =>
		editor ? [source(tooltip, icon, async () => read(editor))] : [];
	return [
		...(selected.length > 0
			? fromEditor(t('Use Selection'), 'list-selection', ({ document }) =>
					selected.map(it => document.getText(it)).join('\n'),
				)
			: []),
		...fromEditor(t('Use Active File'), 'file', ({ document }) => document.getText()),
		source(t('Write in Editor'), 'go-to-file', typed => editing.edit(name, typed)),
	];
}

function firstLine(lines: readonly SuggestedItem[]): SuggestedItem | undefined {
	return lines.find(it => it.kind !== vscode.QuickPickItemKind.Separator);
}

function holds(value: string, text: string): boolean {
	return value.toLowerCase().includes(text.toLowerCase());
}

/** The suggestions, and notes about them. */
function suggestionLines(serverLabel: string, text: string, { completion, isLoading }: TypingState): SuggestedItem[] {
	switch (completion.kind) {
		case 'none':
			return [];
		case 'away':
			return [note('debug-disconnect', t("{0} isn't running", serverLabel), t('No suggestions'))];
		case 'failed':
			return [
				note('warning', t("{0} couldn't suggest values", serverLabel), quickPickText(describeError(completion.error))),
			];
		case 'values': {
			// Until the server responds, earlier suggestions that match the text stay. Matches come first.
			const values = completion.values
				.filter(it => it !== text && (!isLoading || holds(it, text)))
				.toSorted((a, b) => Number(holds(b, text)) - Number(holds(a, text)));
			const more = isLoading ? undefined : describeMore(completion);
			return [
				...(values.length > 0
					? [{ label: t('Suggested by {0}', serverLabel), kind: vscode.QuickPickItemKind.Separator }]
					: []),
				...values.map(value => ({ label: quickPickText(value, maxShown), answer: { value } })),
				...(more === undefined ? [] : [note('ellipsis', more)]),
			];
		}
	}
}

/** Says that the server has more values than those that are listed; `undefined` if it doesn't, or if none is listed. */
export function describeMore({
	values,
	total,
	hasMore,
}: Extract<Completion, { readonly kind: 'values' }>): string | undefined {
	if (values.length === 0) {
		return undefined;
	}
	if (total !== undefined && total > values.length) {
		return t('{0} of {1} shown. Type to see others.', values.length, total);
	}
	return hasMore ? t("Some values aren't shown. Type to see others.") : undefined;
}

function note(icon: string, label: string, description?: string): SuggestedItem {
	return { label, iconPath: new vscode.ThemeIcon(icon), ...(description === undefined ? {} : { description }) };
}
