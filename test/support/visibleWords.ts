/**
 * Finds what a person may read in the sources: the messages that go through `vscode.l10n.t`, and the literals that look
 * like words and do not.
 *
 * A message has to be a literal, because its translation is found by its English text alone. A literal that is no message
 * counts as words if it is prose (two words side by side) or stands where the editor shows it (a `label`, a `tooltip`);
 * log lines are English by design (ARCHITECTURE.md, decision 1) and are passed over.
 */
import type { CallExpression, Node, SourceFile } from 'typescript/unstable/ast';
import {
	isArrayLiteralExpression,
	isBinaryExpression,
	isBindingElement,
	isCallExpression,
	isIdentifier,
	isImportDeclaration,
	isNoSubstitutionTemplateLiteral,
	isObjectLiteralExpression,
	isPropertyAccessExpression,
	isPropertyAssignment,
	isSpreadElement,
	isStringLiteral,
	isTemplateExpression,
} from 'typescript/unstable/ast/is';
import { parse, type Sources } from './sourceTrees.js';

/** What a bundle of translations calls a message: its English text, and after a slash its comment if it has one. */
export interface Messages {
	/** The files that say it, by key. */
	readonly places: ReadonlyMap<string, readonly string[]>;
	/** Calls that nobody can translate, one sentence each. */
	readonly problems: readonly string[];
	/** Literals that a person may read and that are no messages, as `file: text`. `${}` stands for what is filled in. */
	readonly literals: readonly string[];
}

/** Properties whose text the editor shows. */
const shown = /^(label|description|detail|title|place[hH]older|prompt|tooltip|validationMessage|heading)$/;

export function readMessages(sources: Sources): Messages {
	const places = new Map<string, string[]>();
	const problems: string[] = [];
	const literals: string[] = [];
	for (const [file, tree] of parse(sources)) {
		if (!/^(editor|features|webviews)\/|^(compose|extension)\.ts$/.test(file)) {
			if (sources[file]?.includes('l10n.')) {
				problems.push(`${file}: contains translated texts, which only "editor" and "features" may have`);
			}
			continue;
		}
		const say = (node: Node, why: string): void => {
			problems.push(`${file}: ${why}: ${node.getText(tree).replace(/\s+/g, ' ').slice(0, 80)}`);
		};
		const look = (node: Node): void => {
			if (isImportDeclaration(node) || isLogged(node, tree)) {
				return;
			}
			if (isMessage(node, tree)) {
				const key = keyOf(node, why => say(node, why));
				if (key !== undefined) {
					const files = places.get(key) ?? [];
					places.set(key, files.includes(file) ? files : [...files, file]);
				}
				// What is filled in may be messages again.
				node.arguments.slice(1).forEach(look);
				return;
			}
			if (isMessageFunction(node, tree)) {
				say(node.parent, 'hands the function on, which hides the messages');
			}
			const text = textOf(node);
			if (text !== undefined && looksVisible(node, text)) {
				literals.push(`${file}: ${text}`);
			}
			node.forEachChild(look);
		};
		look(tree);
	}
	return { places, problems, literals };
}

/** `t(…)` where it is `vscode.l10n.t`, by either name. */
function isMessage(node: Node, tree: SourceFile): node is CallExpression {
	return isCallExpression(node) && /^(vscode\.l10n\.)?t$/.test(node.expression.getText(tree));
}

/** The function itself, neither called nor given its short name. */
function isMessageFunction(node: Node, tree: SourceFile): boolean {
	if (isPropertyAccessExpression(node)) {
		return /\bl10n\.t$/.test(node.getText(tree));
	}
	const isName = isIdentifier(node) && node.text === 't' && /\bl10n\b/.test(tree.text);
	return isName && !isBindingElement(node.parent) && !isPropertyAccessExpression(node.parent);
}

function keyOf(call: CallExpression, complain: (why: string) => void): string | undefined {
	const [first, ...filledIn] = call.arguments;
	const isObject = first !== undefined && isObjectLiteralExpression(first);
	const message = isObject ? literal(property(first, 'message')) : literal(first);
	if (message === undefined) {
		complain('is no literal, so that nobody can translate it');
		return undefined;
	}
	const slots = new Set(message.match(/\{\w+\}/g));
	// With nothing to fill in it is a template, which somebody else fills: a webview.
	if (filledIn.length > 0 && !filledIn.some(isSpreadElement) && slots.size !== filledIn.length) {
		complain(`fills in ${filledIn.length} of ${slots.size} places`);
	}
	const comment = isObject ? commentOf(property(first, 'comment')) : '';
	return comment === '' ? message : `${message}/${comment}`;
}

function property(node: Node, name: string): Node | undefined {
	let found: Node | undefined;
	node.forEachChild(it => {
		if (isPropertyAssignment(it) && isIdentifier(it.name) && it.name.text === name) {
			found = it.initializer;
		}
	});
	return found;
}

function commentOf(node: Node | undefined): string {
	return node && isArrayLiteralExpression(node) ? node.elements.map(literal).join('') : (literal(node) ?? '');
}

function literal(node: Node | undefined): string | undefined {
	return node && (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) ? node.text : undefined;
}

function textOf(node: Node): string | undefined {
	if (isTemplateExpression(node)) {
		return node.head.text + node.templateSpans.map(it => `\${}${it.literal.text}`).join('');
	}
	return literal(node);
}

function looksVisible(node: Node, text: string): boolean {
	const words = text.replace(/\$\([\w~-]+\)/g, '');
	if (/[A-Za-z]{2,}[,.:;]? [A-Za-z]{2,}/.test(words)) {
		return true;
	}
	const { parent } = node;
	return /[A-Za-z]{2}/.test(words) && (isPropertyAssignment(parent) || isBinaryExpression(parent)) && isShown(parent);
}

function isShown(node: Node): boolean {
	if (isPropertyAssignment(node)) {
		return isIdentifier(node.name) && shown.test(node.name.text);
	}
	return isBinaryExpression(node) && isPropertyAccessExpression(node.left) && shown.test(node.left.name.text);
}

/** A call of a logger, or one that only a programmer hears of. */
function isLogged(node: Node, tree: SourceFile): boolean {
	return isCallExpression(node) && /\blog(ger)?\??\.\w+$/i.test(node.expression.getText(tree));
}
