/** Resource templates: chosen, filled in with what the server proposes, looked at, and opened. */
import * as vscode from 'vscode';
import { assertNever } from '../../base/errors.js';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import {
	isObject,
	parseUriTemplate,
	type ResourceTemplate,
	type TemplateValueProblem,
	type UriTemplate,
} from '../../mcp/index.js';
import { itemsOf } from '../../core/servers/catalog.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { ArgumentInputs, ArgumentValues } from '../../editor/forms/argumentInputs.js';
import { tellNothing } from '../../editor/ui/chooseServer.js';
import { registerCommand } from '../../editor/commands.js';
import { Commands, TreeContexts } from '../../editor/contributions.js';
import { notificationText, quickPickLines, quickPickText, titleText } from '../../editor/ui/plainText.js';
import { askForOne, back } from '../../editor/ui/quickInput.js';
import type { ServersTree } from '../../editor/tree/tree.js';
import { LeafNode } from '../../editor/tree/treeNodes.js';
import { type ChosenResource, ensureRunning } from './openResource.js';
import { readableName } from '../../editor/documents/resourceUri.js';

const { t } = vscode.l10n;
/** Letters that surely fit on a line of a quick pick. */
const lineWidth = 70;

export interface TemplateDeps {
	readonly registry: ServerRegistry;
	readonly tree: ServersTree;
	readonly inputs: ArgumentInputs;
	readonly open: (resource: ChosenResource) => Promise<void>;
}

interface ChosenTemplate {
	readonly server: Server;
	readonly template: ResourceTemplate;
}

type Way = 'open' | 'copy' | 'change';

export function registerTemplates(deps: TemplateDeps): Disposable {
	const { registry, tree } = deps;
	const owned = new DisposableStore();
	owned.add(registry.withServers(() => registerTemplateGroup(tree)));
	owned.add(
		registerCommand(Commands.openTemplate, async argument => {
			const chosen = await chooseTemplate(registry, argument);
			await (chosen && useTemplate(chosen, deps));
		}),
	);
	return owned;
}

function registerTemplateGroup(tree: ServersTree): Disposable {
	return tree.registerGroup<ResourceTemplate>({
		id: 'resourceTemplates',
		order: 30,
		label: t('Resource Templates'),
		icon: 'symbol-namespace',
		list: catalog => catalog.resourceTemplates,
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

/** From the tree, from a caller's `{ server, uriTemplate }`, or from those of all servers that run. */
async function chooseTemplate(registry: ServerRegistry, argument: unknown): Promise<ChosenTemplate | undefined> {
	if (argument instanceof LeafNode) {
		return { server: argument.server, template: argument.entry as ResourceTemplate };
	}
	await registry.configured;
	if (isObject(argument) && typeof argument['server'] === 'string' && typeof argument['uriTemplate'] === 'string') {
		const { uriTemplate } = argument;
		const server = registry.find(argument['server']);
		const known = server && templatesOf(server).find(it => it.uriTemplate === uriTemplate);
		return server && { server, template: known ?? { uriTemplate, name: uriTemplate } };
	}
	const items = registry.servers.flatMap(server =>
		templatesOf(server).map(template => ({
			label: quickPickText(template.title ?? template.name),
			description: quickPickText(registry.label(server)),
			detail: quickPickText(template.uriTemplate),
			chosen: { server, template },
		})),
	);
	if (items.length === 0) {
		tellNothing(registry, t('No server that runs has resource templates.'));
		return undefined;
	}
	const placeholder = t('Choose a template of resources');
	const item = await askForOne({ title: t('Open from Template'), placeholder }, items);
	return item === back ? undefined : item?.chosen;
}

function templatesOf({ catalog }: Server): readonly ResourceTemplate[] {
	return itemsOf(catalog?.resourceTemplates);
}

/** Variables, the address that they come to, and what to do with it. Back leads from there to the variables. */
async function useTemplate(
	{ server, template }: ChosenTemplate,
	{ registry, inputs, open }: TemplateDeps,
): Promise<void> {
	const { uriTemplate } = template;
	const parsed = parseUriTemplate(uriTemplate);
	if (!parsed) {
		const [whose, text] = [registry.label(server), uriTemplate].map(notificationText);
		throw new Error(
			t('{0}: the template "{1}" cannot be read: its braces hold no variables of RFC 6570.', whose ?? '', text ?? ''),
		);
	}
	if (!(await ensureRunning(server))) {
		return;
	}
	const title = titleText(template.title ?? template.name, registry.label(server));
	let values: ArgumentValues | undefined;
	for (;;) {
		values = await askForValues(server, uriTemplate, parsed, title, registry.label(server), inputs, values);
		const uri = values && expand(parsed, values);
		const way = uri === undefined ? undefined : await review(uri, title, parsed.variables.length > 0);
		if (uri === undefined || way === undefined) {
			return;
		}
		switch (way) {
			case 'change':
				continue;
			case 'copy':
				await vscode.env.clipboard.writeText(uri);
				return;
			case 'open':
				await open({ server, uri, name: readableName(uri), size: undefined });
				return;
		}
	}
}

/** `undefined` while a value is wrong. */
function expand(parsed: UriTemplate, values: ArgumentValues): string | undefined {
	return parsed.variables.some(({ name }) => values[name] !== undefined && parsed.check(name, values[name]))
		? undefined
		: parsed.expand(values);
}

/** @param before what they were, to be changed */
async function askForValues(
	server: Server,
	uriTemplate: string,
	parsed: UriTemplate,
	title: string,
	whose: string,
	inputs: ArgumentInputs,
	before: ArgumentValues | undefined,
): Promise<ArgumentValues | undefined> {
	const outcome = await inputs.ask({
		server,
		ref: { type: 'ref/resource', uri: uriTemplate },
		title,
		whose,
		arguments: parsed.variables.map(({ name, isRequired, isList }) => ({
			name,
			required: isRequired,
			...(isList ? { description: t('several, with commas between') } : {}),
		})),
		check: (name, value) => {
			const problem = parsed.check(name, value);
			return problem && describeProblem(problem);
		},
		preview: values => expand(parsed, values),
		...(before ? { first: before } : {}),
	});
	return outcome.kind === 'given' ? outcome.values : undefined;
}

function describeProblem(problem: TemplateValueProblem): string {
	switch (problem.code) {
		case 'required':
			return t('required');
		case 'invisible':
			return t('no line breaks, and nothing that cannot be seen');
		case 'tooLong':
			return t('at most {0} characters', problem.limit);
		default:
			return assertNever(problem);
	}
}

/** The whole address, before anything is asked of the server. */
async function review(uri: string, title: string, canChange: boolean): Promise<Way | undefined> {
	const lines = quickPickLines(uri, lineWidth).map(label => ({ label, way: 'open' as const }));
	const separator = { label: '', kind: vscode.QuickPickItemKind.Separator, way: undefined };
	const item = (label: string, icon: string, way: Way): vscode.QuickPickItem & { readonly way: Way } => ({
		label,
		iconPath: new vscode.ThemeIcon(icon),
		way,
	});
	const items = [
		...lines,
		separator,
		item(t('Open'), 'go-to-file', 'open'),
		item(t('Copy URI'), 'copy', 'copy'),
		...(canChange ? [item(t('Change Variables'), 'edit', 'change')] : []),
	];
	const question = { title, placeholder: t('This is what the server will be asked for'), canGoBack: canChange };
	const chosen = await askForOne<vscode.QuickPickItem & { readonly way: Way | undefined }>(question, items);
	return chosen === back ? 'change' : chosen?.way;
}
