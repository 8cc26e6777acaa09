/** The models of `test/fixtures/model`, which answer what a test has told them to. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from './support.js';

export type Step =
	| string
	| { readonly toolCall: { readonly callId: string; readonly name: string; readonly input: object } }
	| { readonly data: { readonly mimeType: string; readonly base64: string } }
	| { readonly wait: true }
	/** The same, by a model that does not hear that it is cancelled. */
	| { readonly deaf: true }
	| { readonly fail: string; readonly code?: 'NotFound' | 'NoPermissions' | 'Blocked' };

export type AskedPart =
	| { readonly text: string }
	| { readonly toolCall: { readonly callId: string; readonly name: string; readonly input: object } }
	| { readonly toolResult: { readonly callId: string; readonly content: readonly AskedPart[] } }
	| { readonly data: { readonly mimeType: string; readonly bytes: number } };

export interface AskedRequest {
	readonly model: string;
	readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly parts: readonly AskedPart[] }[];
	readonly tools?: readonly vscode.LanguageModelChatTool[];
	readonly toolMode: vscode.LanguageModelChatToolMode;
	readonly modelOptions: Readonly<Record<string, unknown>>;
}

export interface Asked {
	/** The last request: role and text of each message. */
	readonly asked: readonly (readonly [role: string, text: string])[];
	/** Since the script was set. */
	readonly requests: readonly AskedRequest[];
	/** Questions about tokens since then. */
	readonly counted: { readonly calls: number; readonly characters: number };
	readonly isCancelled: boolean;
}

export const hasScriptedModels = 'registerLanguageModelChatProvider' in vscode.lm;

/** Why tests are skipped where there are none. */
export const noScriptedModels = 'the editor takes no language models of extensions (since 1.104)';

/** What the models do at every request; or, as lists, at one after the other. */
export async function script(...steps: readonly (Step | readonly Step[])[]): Promise<void> {
	await vscode.commands.executeCommand('fixture.model.script', steps);
}

export async function goOn(): Promise<void> {
	await vscode.commands.executeCommand('fixture.model.goOn');
}

export async function asked(): Promise<Asked> {
	return vscode.commands.executeCommand<Asked>('fixture.model.asked');
}

/** Waits until a model has heard that it is cancelled. */
export async function modelCancelled(): Promise<void> {
	let heard = false;
	await eventually('the model is cancelled', () => {
		void asked().then(it => (heard = it.isCancelled));
		return heard || undefined;
	});
}

/** Has these models and no other: `scripted` (no images; the only one otherwise), `seeing-mini-2` (takes images). */
export async function haveModels(
	...ids: readonly ('scripted' | 'seeing-mini-2')[]
): Promise<vscode.LanguageModelChat[]> {
	await vscode.commands.executeCommand('fixture.model.have', ...ids);
	let models: vscode.LanguageModelChat[] = [];
	const look = async (): Promise<void> => {
		models = await vscode.lm.selectChatModels({ vendor: 'fixture' });
	};
	await look();
	await eventually(`models ${ids.join(', ')}`, () => {
		void look();
		return models
			.map(it => it.id)
			.toSorted()
			.join() === ids.toSorted().join()
			? models
			: undefined;
	});
	return models;
}

/** One of them, which must be there. */
export async function scriptedModel(id: 'scripted' | 'seeing-mini-2'): Promise<vscode.LanguageModelChat> {
	const model = (await haveModels(id))[0];
	assert.ok(model);
	return model;
}
