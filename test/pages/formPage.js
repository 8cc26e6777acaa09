// The script of a page that has only a form, for tests of the form.
import { Form } from '../../src/webviews/page/form/form.js';
import { readMessage } from '../../src/webviews/page/checks.js';
import { formToView } from '../../src/webviews/page/form/protocol.js';

const { postMessage, getState, setState } = acquireVsCodeApi();
const form = new Form(postMessage, () => setState(form.state));
const kept = getState();
globalThis.form = form;
document.body.append(form.root);
addEventListener('message', ({ data }) => {
	const message = readMessage(data, formToView);
	if (message) {
		form.take(message);
	}
	if (message?.type === 'form' && kept) {
		form.restore(kept);
	}
});
