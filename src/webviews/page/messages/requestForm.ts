/** The form for a request of any method. */
import { announce } from '../connection.js';
import { button, element, toolbar } from '../elements.js';
import type { FromView, Strings, ToView } from './protocol.js';

export class RequestForm {
	readonly root = element('section', 'request');
	private readonly server = element('select', '');
	private readonly method = element('input', 'method');
	private readonly methods = element('datalist', '');
	private readonly params = element('textarea', '');
	private readonly error = element('p', 'problem');
	private servers: Extract<ToView, { type: 'form' }>['servers'] = [];
	/** The parameters that the form has filled in, to find out whether the person has edited them. */
	private skeleton = '';

	constructor(
		strings: Strings,
		private readonly tell: (message: FromView) => void,
		leave: () => void,
	) {
		this.root.hidden = true;
		this.root.setAttribute('aria-label', strings.request);
		this.methods.id = 'methods';
		this.method.setAttribute('list', this.methods.id);
		this.params.rows = 8;
		this.params.spellcheck = false;
		this.server.setAttribute('aria-label', strings.server);
		this.method.setAttribute('aria-label', strings.method);
		this.params.setAttribute('aria-label', strings.parameters);
		this.method.placeholder = strings.method;
		this.server.addEventListener('change', () => this.listMethods());
		this.method.addEventListener('input', () => this.fill());
		const close = (): void => {
			this.root.hidden = true;
			leave();
		};
		this.root.addEventListener('keydown', event => {
			if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
				this.send();
			} else if (event.key === 'Escape') {
				close();
			}
		});
		const buttons = [button(strings.send, 'play', () => this.send()), button(strings.close, 'cross', close)];
		const bar = element('div', 'tools', this.server, this.method, this.methods, toolbar(strings.request, buttons));
		this.error.setAttribute('role', 'alert');
		this.root.append(element('h2', '', strings.request), bar, this.params, this.error);
	}

	take(message: Extract<ToView, { type: 'form' | 'sent' }>): void {
		if (message.type === 'sent') {
			this.error.textContent = message.error;
			return;
		}
		const { servers, server, method, params } = message;
		this.servers = servers;
		this.server.replaceChildren(...servers.map(it => new Option(it.label, it.id)));
		this.server.value = server;
		this.method.value = method;
		this.params.value = params;
		this.skeleton = '';
		this.error.textContent = '';
		this.listMethods();
		this.root.hidden = false;
		(method === '' ? this.method : this.params).focus();
	}

	private get known(): (typeof this.servers)[number]['methods'] {
		return this.servers.find(it => it.id === this.server.value)?.methods ?? [];
	}

	private listMethods(): void {
		this.methods.replaceChildren(...this.known.map(it => new Option('', it.name)));
	}

	/** Fills in the parameters of a known method, unless the person has written some. */
	private fill(): void {
		const known = this.known.find(it => it.name === this.method.value);
		if (known && this.params.value === this.skeleton) {
			this.skeleton = known.params;
			this.params.value = known.params;
		}
	}

	private send(): void {
		const { server, method, params } = this;
		announce('');
		this.error.textContent = '';
		this.tell({ type: 'send', server: server.value, method: method.value.trim(), params: params.value });
	}
}
