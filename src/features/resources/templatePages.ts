/** The pages of resource templates. Their form has a field for each variable, which the server completes. */
import * as vscode from 'vscode';
import { clock } from '../../base/clock.js';
import { escapeStep } from '../../base/jsonPointer.js';
import { endOf } from '../../core/calls/calls.js';
import type { Interactions } from '../../core/calls/interactions.js';
import type { CallOrigin } from '../../core/messages/wireRecord.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import type { Server } from '../../core/servers/server.js';
import { templateViewType } from '../../editor/contributions.js';
import { copyText } from '../../editor/documents/export.js';
import { toTexts } from '../../editor/forms/suggestedStep.js';
import { lineFormat } from '../../editor/pages/formView.js';
import type { PageRun, RunPageDeps } from '../../editor/pages/runPage.js';
import { RunPages } from '../../editor/pages/runPages.js';
import { notificationText, webviewText } from '../../editor/ui/plainText.js';
import { withProgress } from '../../editor/ui/progress.js';
import { type JsonObject, parseUriTemplate, type ResourceTemplate } from '../../mcp/index.js';
import type { FormProblem } from '../../webviews/page/form/protocol.js';
import { openForPerson } from './openResource.js';
import { describeProblem, describeVariable, describeInvalidTemplate, templatesOf } from './templates.js';

const { t } = vscode.l10n;

export interface TemplatePagesDeps extends RunPageDeps {
	readonly pending: Pick<PendingRequests, 'mayHoldUp'>;
	readonly interactions: Pick<Interactions, 'read'>;
}

export function createTemplatePages(deps: TemplatePagesDeps): RunPages<ResourceTemplate> {
	const { registry } = deps;
	return new RunPages(deps, {
		viewType: templateViewType,
		list: 'resourceTemplates',
		find: (server, uriTemplate) => templatesOf(server).find(it => it.uriTemplate === uriTemplate),
		createUnlisted: uriTemplate => ({ uriTemplate, name: uriTemplate }),
		getName: template => template.uriTemplate,
		getTabName: ({ title, name }) => title ?? name,
		getSchema,
		describeHead: (server, { title, name, uriTemplate }) => ({
			title: webviewText(title ?? name, 200),
			facts: [...(name === uriTemplate ? [] : [webviewText(uriTemplate, 300)]), registry.label(server)],
			notice: parseUriTemplate(uriTemplate) ? '' : describeInvalidTemplate(uriTemplate, registry.label(server)),
		}),
		goneText: t('The server no longer offers this resource template.'),
		strings: {
			run: t('Read'),
			runAnyway: t('Read Anyway'),
			noResult: t('Read the resource to see its contents here.'),
		},
		check: findProblems,
		getPreview: expand,
		getCompletionRef: ({ uriTemplate }) => ({ type: 'ref/resource', uri: uriTemplate }),
		createRequest: (template, args) => ({ method: 'resources/read', params: { uri: expand(template, args) } }),
		getCopyFormats: (_, template, args) => [{ label: t('Resource URI'), text: () => expand(template, args) }],
		run: (server, template, args, pageRun) => read(server, template, args, pageRun, deps),
	});
}

/** The variables of a template as a schema. All of them are single lines of text. */
function getSchema({ uriTemplate }: ResourceTemplate): JsonObject {
	const variables = parseUriTemplate(uriTemplate)?.variables ?? [];
	const properties = variables.map(it => [
		it.name,
		{ type: 'string', format: lineFormat, description: describeVariable(it), minLength: it.isRequired ? 1 : 0 },
	]);
	return {
		type: 'object',
		properties: Object.fromEntries(properties) as JsonObject,
		required: variables.filter(it => it.isRequired).map(it => it.name),
		additionalProperties: false,
	};
}

function findProblems({ uriTemplate }: ResourceTemplate, args: JsonObject): readonly FormProblem[] {
	const values = toTexts(args);
	const parsed = parseUriTemplate(uriTemplate);
	return (parsed?.variables ?? []).flatMap(({ name }) => {
		const problem = parsed?.check(name, values[name] ?? '');
		return problem ? [{ pointer: `/${escapeStep(name)}`, text: describeProblem(problem) }] : [];
	});
}

function expand({ uriTemplate }: ResourceTemplate, args: JsonObject): string {
	return parseUriTemplate(uriTemplate)?.expand(toTexts(args)) ?? '';
}

/** Reads the resource, with progress and Cancel. */
async function read(
	server: Server,
	template: ResourceTemplate,
	args: JsonObject,
	{ id, signal, onProgress, onOutcome }: PageRun,
	{ registry, pending, interactions }: TemplatePagesDeps,
): Promise<void> {
	const serverLabel = registry.label(server);
	if (!parseUriTemplate(template.uriTemplate)) {
		throw new Error(describeInvalidTemplate(template.uriTemplate, serverLabel));
	}
	const uri = expand(template, args);
	const startedAt = clock.now();
	const caller = { kind: 'person' } as const;
	const reading = withProgress(
		`${serverLabel}: ${notificationText(uri)}`,
		async (progressSignal, report) => {
			server.client?.forgetResource(uri);
			const options = { origin: { callId: id, caller } satisfies CallOrigin, onProgress: report };
			const request = { kind: 'resource', caller, server, uri, options } as const;
			return interactions.read(request, AbortSignal.any([progressSignal, signal]));
		},
		() => pending.mayHoldUp(server.definition, startedAt),
		undefined,
		onProgress,
	);
	const end = await endOf(reading.then(contents => contents.map(resource => ({ type: 'resource', resource }))));
	onOutcome({
		server,
		tool: { name: template.name, inputSchema: {} },
		arguments: args,
		durationMs: clock.now() - startedAt,
		end,
		uri,
		uses: [
			...(end.kind === 'answered'
				? [{ label: t('Open'), icon: 'file' as const, run: () => openForPerson(server, uri) }]
				: []),
			{ label: t('Copy URI'), icon: 'copy', run: () => copyText(uri) },
		],
	});
}
