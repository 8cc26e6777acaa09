/**
 * Finds text of others on its way to a person that passes none of the functions of `editor/ui/plainText.ts`.
 *
 * Everything that a person reads goes through `vscode.l10n.t`. What is filled into a message must not be a bare property
 * that is named like text of others (`server.name`, `failure.message`): a function cleans it first, for the place where the
 * message is shown. Constants and parameters are not followed.
 */
import { isCallExpression, isPropertyAccessExpression } from 'typescript/unstable/ast/is';
import { parse, type Sources, visit } from './sourceTrees.js';

/** Properties that servers, models, configurations and other extensions fill. */
const foreign =
	/^(?:name|title|description|message|uri|uriTemplate|text|label|command|path|url|href|host|origin|issuer|version|mimeType|why|reason|instructions|server|tool)$/;

/** One line for each, in the order of files: `file: argument`. */
export function rawTexts(sources: Sources): string[] {
	const found = new Set<string>();
	for (const [file, tree] of parse(sources)) {
		visit(tree, node => {
			if (isCallExpression(node) && /^(?:t|vscode\.l10n\.t)$/.test(node.expression.getText(tree))) {
				for (const it of node.arguments.slice(1)) {
					if (isPropertyAccessExpression(it) && foreign.test(it.name.text)) {
						found.add(`${file}: ${it.getText(tree)}`);
					}
				}
			}
		});
	}
	return [...found];
}
