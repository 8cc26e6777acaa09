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
		switch (message?.type) {
			case 'begin': {
				const made = new MessageList(message.strings, message.actions, tell);
				list = made;
				form = new RequestForm(message.strings, tell, () => made.focus());
				view.replaceChildren(form.root, made.root);
				break;
			}
			case 'rows':
			case 'detail':
				list?.take(message);
				break;
			case 'form':
			case 'sent':
				form?.take(message);
				break;
			case 'said':
				announce(message.text);
				break;
			case undefined:
		}
	});
	keepFocus();
	tell({ type: 'ready' });
}
