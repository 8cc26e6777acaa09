/** The page of messages: a list of messages, and a form for a request. */
import { announce, connect } from '../connection.js';
import { keepFocus } from '../focus.js';
import { MessageList } from './messageList.js';
import { type FromView, readToView } from './protocol.js';
import { RequestForm } from './requestForm.js';

export function showMessages(view: HTMLElement): void {
	const { tell } = connect<FromView>();
	let list: MessageList | undefined;
	let form: RequestForm | undefined;
	window.addEventListener('message', ({ data }) => {
		const message = readToView(data);
		if (message?.type === 'begin') {
			const made = new MessageList(message.strings, message.actions, tell);
			list = made;
			form = new RequestForm(message.strings, tell, () => made.focus());
			view.replaceChildren(form.root, made.root);
		} else if (message?.type === 'rows' || message?.type === 'detail') {
			list?.take(message);
		} else if (message?.type === 'announce') {
			announce(message.text);
		} else if (message) {
			form?.take(message);
		}
	});
	keepFocus();
	tell({ type: 'ready' });
}
