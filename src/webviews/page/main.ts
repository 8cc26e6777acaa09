/**
 * The script of all pages. The attribute `data-kind` of the body names the kind of the page. Every text becomes a text node,
 * and nothing here parses markup.
 */
import { announcer } from './connection.js';
import { element } from './elements.js';
import { showMessages } from './messages/messages.js';
import { showReading } from './reading/reading.js';
import { showRunPage } from './run/run.js';

const kinds: Readonly<Record<string, (view: HTMLElement) => void>> = {
	messages: showMessages,
	reading: showReading,
	run: showRunPage,
};

const view = element('div', '');
document.body.replaceChildren(view, announcer);
kinds[document.body.dataset['kind'] ?? '']?.(view);
