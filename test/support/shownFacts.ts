/**
 * Finds names of servers and tools, and addresses, that views show without the function for them: `ServerRegistry.label`
 * (or `labelOf`), `toolName` and `shownAddress`. Searches `editor` and `features`.
 */
import type { Node } from 'typescript/unstable/ast';
import {
	isCallExpression,
	isPropertyAccessExpression,
	isPropertyAssignment,
	isTemplateSpan,
} from 'typescript/unstable/ast/is';
import { parse, type Sources, visit } from './sourceTrees.js';

/** Functions that make any other text safe for a view. */
const cleaner =
	/^(?:oneLine|(?:quickPick|quickInput|notification|tooltip|webview|document)Text|quickPickLines|iconless)$/;
const fact =
	/^(?:.*\.)?(?:label|labelOf|labelOfName|fullName|toolName|toolTitle|shownAddress|shownHost|resourceUri|treeRowUri)$/;

/** The problem of a text that a view shows; `undefined` if there is none. */
function problemOf(code: string): string | undefined {
	return /(?:^|\.)tool(?:\.name)?$/.test(code)
		? 'use toolName'
		: /(?:^|\.)(?:url|href|host|hostname|origin|issuer|redirectUri|address)$/.test(code)
			? 'use shownAddress or shownHost'
			: undefined;
}

/** One line for each finding, in the order of files: `file: code (what to use)`. */
export function otherwiseShown(sources: Sources): string[] {
	const found = new Set<string>();
	for (const [file, tree] of parse(sources)) {
		if (!/^(?:editor|features)\//.test(file) || /^editor\/ui\/(?:plainText|exactText|shownNames)\.ts$/.test(file)) {
			continue;
		}
		const tell = (node: Node, problem: string | undefined): void => {
			if (problem !== undefined) {
				found.add(`${file}: ${node.getText(tree)} (${problem})`);
			}
		};
		/** Names as arguments of the function that shows them. */
		const given = new Set<Node>();
		visit(tree, node => {
			if (isCallExpression(node) && fact.test(node.expression.getText(tree))) {
				node.arguments.forEach(it => visit(it, below => given.add(below)));
			}
			if (
				!given.has(node) &&
				isPropertyAccessExpression(node) &&
				/(?:^|\.|\b)(?:server|definition)\??\.name$/i.test(node.getText(tree))
			) {
				tell(node, 'use registry.label or registry.labelOf');
			} else if (isCallExpression(node)) {
				const name = node.expression.getText(tree);
				const [first, ...others] = node.arguments;
				if (/^(?:t|vscode\.l10n\.t)$/.test(name)) {
					others.forEach(it => tell(it, problemOf(it.getText(tree))));
				} else if (first && cleaner.test(name)) {
					const code = first.getText(tree);
					const isFact = isCallExpression(first) ? fact.test(first.expression.getText(tree)) : code === 'serverLabel';
					tell(first, isFact && name !== 'quickPickLines' ? 'is fit for every view as it is' : problemOf(code));
				}
			} else if (isTemplateSpan(node)) {
				const code = node.expression.getText(tree);
				tell(node.expression, /(?:^|\.)tool\.name$/.test(code) ? problemOf(code) : undefined);
			} else if (
				isPropertyAssignment(node) &&
				/^(?:label|title|description|detail|value)$/.test(node.name.getText(tree))
			) {
				tell(node.initializer, problemOf(node.initializer.getText(tree)));
			}
		});
	}
	return [...found];
}
