/** The page of messages: a list of messages, and a form for a request. */
import { announce, connect } from '../connection.js';
import { keepFocus } from '../focus.js';
import { MessageList } from './messageList.js';
import type { FromView, ToView } from './protocol.js';
import { RequestForm } from './requestForm.js';

export function showMessages(view: HTMLElement): void {
	const { tell, listen } = connect<FromView, ToView>();
	let list: MessageList | undefined;
	let form: RequestForm | undefined;
	listen(message => {
		if (message.type === 'begin') {
			const made = new MessageList(message.strings, message.actions, tell);
			list = made;
			form = new RequestForm(message.strings, tell, () => made.focus());
			view.replaceChildren(form.root, made.root);
		} else if (message.type === 'rows' || message.type === 'detail') {
			list?.take(message);
		} else if (message.type === 'said') {
			announce(message.text);
		} else {
			form?.take(message);
		}
	});
	keepFocus();
	tell({ type: 'ready' });
}
