/** Resource templates: their group in the tree, and the questions for their variables. */
import * as vscode from 'vscode';
import { assertNever } from '../../base/errors.js';
import type { Disposable } from '../../base/lifecycle.js';
import {
	parseUriTemplate,
	type ResourceTemplate,
	type TemplateValueProblem,
	type UriTemplate,
} from '../../mcp/index.js';
import { itemsOf } from '../../core/servers/catalog.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { ArgumentInputs, ArgumentsRequest, ArgumentValues } from '../../editor/forms/argumentInputs.js';
import { InternalCommands, TreeContexts } from '../../editor/contributions.js';
import { quickPickLines } from '../../editor/ui/exactText.js';
import { notificationText, titleText } from '../../editor/ui/plainText.js';
import { askForOne, back } from '../../editor/ui/quickInput.js';
import type { ServersTree } from '../../editor/tree/tree.js';
import { ensureRunning, openForPerson } from './openResource.js';

const { t } = vscode.l10n;
/** Number of letters that fit on a line of a quick pick. */
const lineWidth = 70;

export interface TemplateDeps {
	readonly registry: ServerRegistry;
	readonly argumentInputs: ArgumentInputs;
}

export interface ChosenTemplate {
	readonly server: Server;
	readonly template: ResourceTemplate;
}

type ReviewChoice = 'open' | 'copy' | 'change';

interface ReviewItem extends vscode.QuickPickItem {
	readonly choice?: ReviewChoice;
}

export function registerTemplateGroup(tree: ServersTree): Disposable {
	return tree.registerGroup<ResourceTemplate>({
		id: 'resourceTemplates',
		order: 30,
		// "Resource Templates" would leave no room for the count in a narrow side bar.
		label: t('Templates'),
		icon: 'symbol-namespace',
		list: catalog => catalog.resourceTemplates,
		open: InternalCommands.openTemplate,
		search: ({ name, title, uriTemplate, description }) => ({ names: [title, name, uriTemplate], description }),
		describe: ({ name, title, uriTemplate, description }) => ({
			key: uriTemplate,
			label: title ?? name,
			description: uriTemplate,
			tooltip: [uriTemplate, description].filter(Boolean).join('\n'),
			icon: new vscode.ThemeIcon('symbol-snippet'),
			context: TreeContexts.resourceTemplate,
		}),
	});
}

export function templatesOf({ catalog }: Server): readonly ResourceTemplate[] {
	return itemsOf(catalog?.resourceTemplates);
}

/** Asks for the variables, shows the URI, and opens or copies it. Back returns from the URI to the variables. */
export async function useTemplate(
	{ server, template }: ChosenTemplate,
	{ registry, argumentInputs }: TemplateDeps,
): Promise<void> {
	const { uriTemplate } = template;
	const parsed = parseUriTemplate(uriTemplate);
	if (!parsed) {
		throw new Error(describeInvalidTemplate(uriTemplate, registry.label(server)));
	}
	if (!(await ensureRunning(server))) {
		return;
	}
	const title = titleText(template.title ?? template.name, registry.label(server));
	const request: ArgumentsRequest = {
		server,
		ref: { type: 'ref/resource', uri: uriTemplate },
		title,
		serverLabel: registry.label(server),
		arguments: parsed.variables.map(it => ({
			name: it.name,
			required: it.isRequired,
			description: describeVariable(it),
		})),
		check: (name, value) => {
			const problem = parsed.check(name, value);
			return problem && describeProblem(problem);
		},
		preview: values => expand(parsed, values),
	};
	let first: ArgumentValues | undefined;
	for (;;) {
		const outcome = await argumentInputs.ask({ ...request, ...(first && { first }) });
		first = outcome.kind === 'given' ? outcome.values : undefined;
		const uri = first && expand(parsed, first);
		const choice = uri === undefined ? undefined : await review(uri, title, parsed.variables.length > 0);
		if (uri === undefined || choice === undefined) {
			return;
		}
		if (choice === 'copy') {
			await vscode.env.clipboard.writeText(uri);
			return;
		}
		if (choice === 'open') {
			await openForPerson(server, uri);
			return;
		}
	}
}

/** The URI for these values; `undefined` while one of them is invalid. */
function expand(parsed: UriTemplate, values: ArgumentValues): string | undefined {
	return parsed.variables.some(({ name }) => values[name] !== undefined && parsed.check(name, values[name]))
		? undefined
		: parsed.expand(values);
}

export function describeVariable({ isList }: UriTemplate['variables'][number]): string {
	return isList ? t('Separate values with commas.') : '';
}

export function describeInvalidTemplate(uriTemplate: string, serverLabel: string): string {
	return t(
		'{0}: The template "{1}" is invalid because its variables don\'t follow RFC 6570.',
		serverLabel,
		notificationText(uriTemplate),
	);
}

export function describeProblem(problem: TemplateValueProblem): string {
	switch (problem.code) {
		case 'required':
			return t('Required');
		case 'invisible':
			return t("Value can't contain line breaks or invisible characters");
		case 'tooLong':
			return t('Value must have at most {0} characters', problem.limit);
		default:
			return assertNever(problem);
	}
}

/** Shows the whole URI before the server is asked for it. */
async function review(uri: string, title: string, canChange: boolean): Promise<ReviewChoice | undefined> {
	const lines = quickPickLines(uri, lineWidth).map(label => ({ label, choice: 'open' as const }));
	const item = (label: string, icon: string, choice: ReviewChoice): ReviewItem => ({
		label,
		iconPath: new vscode.ThemeIcon(icon),
		choice,
	});
	const items: readonly ReviewItem[] = [
		...lines,
		{ label: '', kind: vscode.QuickPickItemKind.Separator },
		item(t('Open'), 'go-to-file', 'open'),
		item(t('Copy URI'), 'copy', 'copy'),
		...(canChange ? [item(t('Change Variables'), 'edit', 'change')] : []),
	];
	const question = { title, placeholder: t('Review the resource URI'), canGoBack: canChange };
	const chosen = await askForOne(question, items);
	return chosen === back ? 'change' : chosen?.choice;
}
