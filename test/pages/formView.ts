/** Shows forms in a bare page. The extension's side is the real one: its model, its texts, and its check of the value. */
import * as assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { AjvValidator } from '../../src/mcp/schema/ajvValidator.js';
import { formModel, type JsonObject, type SchemaValidator } from '../../src/mcp/index.js';
import { findProblems, formStrings, shownForm } from '../../src/editor/pages/formView.js';
import { readMessage } from '../../src/webviews/page/checks.js';
import { formFromView, type FormToView } from '../../src/webviews/page/form/protocol.js';
import { window } from '../support/vscodeDouble.js';
import { BarePage } from './barePage.js';

const ajv = new AjvValidator();
const validator: SchemaValidator = {
	check: async (schema, value) => ajv.check(JSON.stringify(schema), JSON.stringify(value)),
};

const html = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Form</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src https://webview.test; style-src https://webview.test">
<link rel="stylesheet" href="/media/page.css"><link rel="stylesheet" href="/media/form.css"></head>
<body><script src="/out/pages/formPage.js"></script></body></html>`;

export class FormView {
	bare!: BarePage;
	private schema: JsonObject = {};

	/** Registers the hooks of a suite. */
	static use(): FormView {
		const view = new FormView();
		before(async () => {
			view.bare = await BarePage.shared();
		});
		beforeEach(() => view.bare.reset());
		afterEach(function () {
			assert.deepEqual(this.currentTest?.state === 'passed' ? view.bare.problems : [], []);
		});
		return view;
	}

	/** Opens a page with the form of a schema. */
	async show(schema: JsonObject, value?: JsonObject): Promise<void> {
		window.createWebviewPanel('form', 'Form', 1, {});
		const panel = this.bare.panel ?? assert.fail();
		panel.webview.html = html;
		panel.webview.onDidReceiveMessage(message => this.take(message));
		await this.bare.load();
		await this.showNext(schema, value);
	}

	/** Shows another form in the open page. */
	async showNext(schema: JsonObject, value?: JsonObject): Promise<void> {
		this.schema = schema;
		this.post({ type: 'form', form: shownForm(formModel(schema)), strings: formStrings(), value });
		await this.bare.settle();
	}

	/** The properties of one object. */
	async showFields(properties: JsonObject, more: JsonObject = {}, value?: JsonObject): Promise<void> {
		await this.show({ type: 'object', properties, ...more }, value);
	}

	value(): Promise<JsonObject> {
		return this.bare.page.evaluate<JsonObject>('form.value');
	}

	state(): Promise<unknown> {
		return this.bare.page.evaluate<unknown>('form.state');
	}

	/** The field with a label. */
	field(label: string): Locator {
		return this.bare.page.getByLabel(label, { exact: true });
	}

	/** The shown problems, by field. */
	problems(): Promise<string[]> {
		return this.bare.page.locator('.fields .problem:not(:empty)').allTextContents();
	}

	/** Leaves the focused field, and has the extension answer. */
	async leave(): Promise<void> {
		await this.bare.page.evaluate('document.activeElement.blur()');
		await this.bare.settle();
	}

	async toggleJson(): Promise<void> {
		await this.bare.page.evaluate('form.toggleJson()');
		await this.bare.settle();
	}

	/** Tries to use the value, as Run does. */
	async attempt(): Promise<boolean> {
		const isTried = await this.bare.page.evaluate<boolean>('form.attempt()');
		await this.bare.settle();
		return isTried;
	}

	private post(message: FormToView): void {
		this.bare.panel?.posted.push(message);
	}

	private async take(message: unknown): Promise<void> {
		const said = readMessage(message, formFromView);
		if (said?.type === 'formChanged') {
			const problems = await findProblems(validator, this.schema, said.value as JsonObject, said.variants);
			this.post({ type: 'formProblems', revision: said.revision, problems, isAttempt: false });
		}
	}
}
