/** Tools and results as plain text. */
import * as vscode from 'vscode';
import type { ContentBlock, JsonObject, SchemaCheck, Tool, ToolResult } from '../../mcp/index.js';
import { describeHints } from '../../host/approvalWords.js';
import { describeDuration, describeSize } from '../../host/messages.js';
import { jsonText, oneLine } from '../../host/plainText.js';

/** Schema of Tool.annotations: title, then annotations.title, then name. */
export function displayName({ title, annotations, name }: Tool): string {
	const annotated: unknown = annotations?.title;
	return title || (typeof annotated === 'string' && annotated) || name;
}

/** Everything the server says about a tool, marked as its own words. */
export function describeTool(server: string, tool: Tool): string {
	const { t } = vscode.l10n;
	const hints = describeHints(tool.annotations);
	return sections([
		[
			`${displayName(tool)} (${tool.name})`,
			t('A tool of the server "{0}".\nEverything below is what the server says.', server),
		],
		[t('Description'), tool.description ?? t('none')],
		...(hints.length > 0 ? [[t('Hints (unverified)'), hints.join('\n')] as const] : []),
		[t('Arguments (JSON Schema)'), json(tool.inputSchema)],
		...(tool.outputSchema ? [[t('Structured result (JSON Schema)'), json(tool.outputSchema)] as const] : []),
	]);
}

/** A finished call. */
export interface FinishedCall {
	readonly server: string;
	readonly tool: Tool;
	readonly arguments: JsonObject;
	readonly result: ToolResult;
	readonly durationMs: number;
	/** What its structured content is against the tool's own `outputSchema`, where it has both. */
	readonly schemaCheck: SchemaCheck | undefined;
}

/** What was asked and what came back; images and sound are named, not spelled out. */
export function describeResult(call: FinishedCall): string {
	const { server, tool, arguments: args, result, durationMs, schemaCheck } = call;
	const { t } = vscode.l10n;
	const structured = schemaCheck
		? t('Structured result ({0})', describeSchemaCheck(schemaCheck))
		: t('Structured result');
	const outcome = result.isError ? t('The tool reports an error') : t('Done');
	return sections([
		[`${displayName(tool)} · ${server}`, `${outcome} · ${describeDuration(durationMs)}`],
		[t('Arguments'), json(args)],
		[t('Result'), result.content.map(describeBlock).join('\n\n') || t('empty')],
		...('structuredContent' in result ? [[structured, json(result.structuredContent)] as const] : []),
	]);
}

/** Server-provided texts stay out of it: places and keywords say enough. */
function describeSchemaCheck(check: SchemaCheck): string {
	const { t } = vscode.l10n;
	switch (check.kind) {
		case 'valid':
			return t('as its schema promises');
		case 'invalid': {
			const places = check.problems.slice(0, 5).map(({ path, code }) => `${oneLine(path, 60) || '/'}: ${code}`);
			return t('against its schema: {0}', places.join(', '));
		}
		case 'unchecked':
			return t('not checked against its schema: {0}', check.why);
	}
}

function describeBlock(block: ContentBlock): string {
	const { t } = vscode.l10n;
	switch (block.type) {
		case 'text':
			return block.text;
		case 'image':
		case 'audio':
			return `[${block.type} · ${block.mimeType} · ${describeSize(base64Size(block.data))}]`;
		case 'resource_link':
			return t('Link to {0}', block.uri);
		case 'resource':
			return `${block.resource.uri}\n${block.resource.text ?? `[${describeSize(base64Size(block.resource.blob ?? ''))}]`}`;
		case 'unknown':
			return json(block.raw);
	}
}

function sections(parts: readonly (readonly [title: string, text: string])[]): string {
	return parts.map(([title, text]) => `${title}\n${'─'.repeat(Math.min(60, title.length))}\n${text}\n`).join('\n');
}

function json(value: unknown): string {
	return jsonText(value, 2);
}

function base64Size(text: string): number {
	return Math.floor((text.replace(/=+$/, '').length * 3) / 4);
}
