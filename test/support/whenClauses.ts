/** What `when` clauses of package.json name, and what the code sets: every context, view and line exists. */
import { collect, type Project } from './manifestChecks.js';

export function checkWhenClauses({ manifest, contributions }: Project): string[] {
	const problems: string[] = [];
	const views = new Set(Object.values(contributions.Views));
	const contexts = Object.values(contributions.TreeContexts);
	const used = new Set<string>();
	for (const clause of collect(manifest.contributes, key => key === 'when' || key === 'enablement')) {
		const rest = clause
			.replace(/\bview\s*==\s*([\w.]+)/g, (_, id: string) => {
				if (id.startsWith('mcpWorkbench') && !views.has(id)) {
					problems.push(`when-clause names ${id}, which is no view`);
				}
				return '';
			})
			.replace(/\bviewItem\s*(?:==|!=)\s*([\w.]+)/g, (_, context: string) => {
				problems.push(...unknownContexts([context], contexts));
				return '';
			})
			.replace(/\bviewItem\s*=~\s*\/((?:[^/\\]|\\.)*)\/\w*/g, (_, pattern: string) => {
				problems.push(...checkPattern(pattern, contexts));
				return '';
			});
		if (/\bviewItem\b/.test(rest)) {
			problems.push(`when-clause tests viewItem in a way that is not understood: ${clause}`);
		}
		for (const [key] of rest.matchAll(/(?<![\w.])(config\.)?mcpWorkbench\.[\w.]+/g)) {
			used.add(key);
		}
	}
	// The steps of a walkthrough wait for them too.
	const events = manifest.contributes.walkthroughs?.flatMap(it =>
		it.steps.flatMap(step => step.completionEvents ?? []),
	);
	for (const event of events ?? []) {
		if (event.startsWith('onContext:')) {
			used.add(event.slice('onContext:'.length));
		}
	}
	const keys = new Set(Object.values(contributions.ContextKeys));
	const settings = new Set(Object.values(contributions.Settings).map(it => `config.${it}`));
	for (const key of used) {
		if (!keys.has(key) && !settings.has(key)) {
			problems.push(`when-clause reads ${key}, which nothing sets`);
		}
	}
	for (const key of keys) {
		if (!used.has(key)) {
			problems.push(`context key ${key} is set and no when-clause reads it`);
		}
	}
	return problems;
}

/** `^server\.(a|b)$` names what it means; each must exist. Another pattern must at least mean something. */
function checkPattern(pattern: string, contexts: readonly string[]): string[] {
	const [, prefix = '', alternatives, suffix = ''] =
		/^\^((?:\w|\\\.)*)(?:\(([\w|\\.]+)\))?((?:\w|\\\.)*)\$$/.exec(pattern) ?? [];
	if (alternatives !== undefined) {
		const named = alternatives.split('|').map(it => `${prefix}${it}${suffix}`.replaceAll(String.raw`\.`, '.'));
		return unknownContexts(named, contexts);
	}
	return contexts.some(it => new RegExp(pattern).test(it))
		? []
		: [`when-clause has /${pattern}/, which matches no viewItem`];
}

function unknownContexts(named: readonly string[], contexts: readonly string[]): string[] {
	return named
		.filter(it => !contexts.includes(it))
		.map(it => `when-clause names the viewItem ${it}, which no node has`);
}
