/** The page of a tool, prompt or resource template: the description by its server, a form, Run, and the results. */
import { announce, connect } from '../connection.js';
import { button, drawn, element, type Icon, isolated, moveByArrows, pre } from '../elements.js';
import { keepFocus, startFocus } from '../focus.js';
import { Form } from '../form/form.js';
import type { FormState } from '../form/protocol.js';
import { MessageList } from '../messages/messageList.js';
import type { ToView as MessagesToView } from '../messages/protocol.js';
import { freezeImages } from '../motion.js';
import { ResultView } from '../result/result.js';
import type { ToView as ResultToView } from '../result/protocol.js';
import {
	type Action,
	type FromView,
	type PageHead,
	readToView,
	type RunRow,
	type RunUse,
	type State,
	type Strings,
	type Tab,
	tabs,
	type ToView,
} from './protocol.js';

/** Shows the page in `view`. */
export function showRunPage(view: HTMLElement): void {
	const connection = connect<FromView, State>();
	const page = new RunView(connection);
	view.replaceChildren(page.root);
	window.addEventListener('message', ({ data }) => {
		const message = readToView(data);
		if (message) {
			page.take(message);
		}
	});
	window.addEventListener('keydown', event => {
		if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
			event.preventDefault();
			event.stopPropagation();
			if (!event.repeat) {
				page.run(false);
			}
		}
	});
	new MutationObserver(() => freezeImages(view)).observe(document.body, { attributeFilter: ['class'] });
	keepFocus();
	connection.tell({ type: 'ready' });
}

class RunView {
	readonly root: HTMLElement;
	private readonly head = element('header', '');
	private readonly error = element('p', 'strip');
	private readonly form: Form;
	private readonly preview = isolated('code', 'preview', '');
	private readonly bar = element('div', 'bar');
	private readonly progress = element('p', 'progress');
	private readonly tabBar = element('div', 'tabs');
	/** Says which run the result is of. */
	private readonly shownRun = element('p', 'started');
	private readonly panels: Readonly<Record<Tab, HTMLElement>>;
	private readonly tabButtons = new Map<Tab, HTMLButtonElement>();
	private strings: Strings | undefined;
	private result: ResultView | undefined;
	private messages: MessageList | undefined;
	private anyway: HTMLButtonElement | undefined;
	private cancel: HTMLButtonElement | undefined;
	private toggle: HTMLButtonElement | undefined;
	private last: HTMLButtonElement | undefined;
	/** The state to keep when the window is reloaded. */
	private kept: State | undefined;
	/** Whether what was kept is in the form. */
	private isRestored = false;

	constructor(private readonly connection: ReturnType<typeof connect<FromView, State>>) {
		this.kept = connection.getState();
		this.form = new Form(
			it => connection.tell(it),
			() => this.didChange(),
		);
		this.error.setAttribute('role', 'alert');
		this.error.hidden = true;
		// Until the arguments are known.
		this.bar.hidden = true;
		this.progress.setAttribute('role', 'status');
		// The bar covers the lower end of the page, where a field that gets the focus must not be.
		new ResizeObserver(() => {
			document.documentElement.style.scrollPaddingBottom = `${this.bar.offsetHeight}px`;
		}).observe(this.bar);
		this.panels = {
			result: this.panel('result'),
			messages: this.panel('messages'),
			schema: this.panel('schema'),
			runs: this.panel('runs'),
		};
		this.tabBar.setAttribute('role', 'tablist');
		const main = element(
			'main',
			'',
			this.form.root,
			this.preview,
			this.bar,
			this.tabBar,
			...tabs.map(it => this.panels[it]),
		);
		this.root = element('div', 'run-page', this.head, this.error, main);
	}

	take(message: ToView): void {
		const focused = document.activeElement;
		const near = this.head.contains(focused) ? this.head : focused?.closest('.panel') ? this.tabBar : this.bar;
		this.show(message);
		const isMoved = ![focused, document.body].includes(document.activeElement);
		if (!isMoved && focused instanceof HTMLElement && (!focused.isConnected || focused.closest('[hidden]'))) {
			// What had the focus was replaced or hidden.
			const isSwitch = focused.getAttribute('role') === 'switch';
			const next = near.querySelector<HTMLElement>(isSwitch ? '[role=switch]' : 'h1,.primary,[aria-selected=true]');
			focused.blur();
			startFocus(next ?? this.root);
		}
	}

	private show(message: ToView): void {
		switch (message.type) {
			case 'head':
				this.showHead(message.head, message.strings);
				break;
			case 'completions':
				this.form.take(message);
				break;
			case 'form':
				this.form.take(message);
				this.restore(message.value);
				break;
			case 'formProblems':
				this.form.take(message);
				if (message.problems.length === 0) {
					this.setInvalid(false);
				}
				break;
			case 'preview':
				this.preview.textContent = message.text;
				break;
			case 'running':
				this.showRunning(message.count, message.text);
				break;
			case 'invalid':
				this.setInvalid(true);
				break;
			case 'result':
				this.showResult(message.message);
				break;
			case 'messages':
				this.showMessages(message.message);
				break;
			case 'runs':
				this.showRuns(message.runs);
				break;
			case 'select':
				this.select(message.tab);
				break;
			case 'focusForm':
				this.form.focusFirst();
				break;
			case 'run':
				this.run(false);
				break;
			case 'error':
				this.error.textContent = message.text;
				this.error.hidden = message.text === '';
				break;
			case 'announce':
				announce(message.text);
				break;
		}
	}

	/** @param isAnyway although the arguments aren't valid */
	run(isAnyway: boolean): void {
		if (!this.bar.hidden && this.form.attempt()) {
			this.connection.tell({ type: 'run', value: this.form.value, isAnyway });
			// The other tabs show that the run has ended.
			if (!this.panels.schema.hidden) {
				this.select('result');
			}
		}
	}

	private didChange(): void {
		if (this.kept && this.isRestored) {
			this.keep(this.kept);
		}
	}

	private keep({ server, name }: Pick<State, 'server' | 'name'>): void {
		this.kept = { server, name, form: this.form.state };
		this.connection.setState(this.kept);
	}

	/** Shows what was entered before a reload of the window. @param value the values that the extension has, with secrets */
	private restore(value: FormState['value']): void {
		const form = this.kept?.form as FormState | undefined;
		if (form && !this.isRestored) {
			this.form.restore({ ...form, value: value ?? form.value });
		}
		this.isRestored = true;
		this.bar.hidden = false;
	}

	private showHead(head: PageHead, strings: Strings): void {
		if (!this.strings) {
			this.strings = strings;
			this.buildBar(strings);
			this.buildTabs(strings);
			this.panels.result.replaceChildren(element('p', 'note', strings.noResult));
			this.panels.messages.replaceChildren(element('p', 'note', strings.noRuns));
		}
		this.kept ??= { server: head.server, name: head.name, form: undefined };
		const title = isolated('h1', '', head.title);
		title.tabIndex = -1;
		const state = element(
			'p',
			'facts',
			...head.facts.map(it => isolated('span', 'fact', it)),
			element('span', `state ${head.isRunning ? 'running' : 'stopped'}`, head.state),
			...(head.canStart ? [this.action(strings.start, 'play', 'start')] : []),
		);
		const hints = head.hints.map(it => isolated('li', 'badge', it));
		const quoted = [
			...(head.description === '' ? [] : [isolated('p', 'text', head.description)]),
			...(hints.length > 0 ? [element('ul', 'badges', ...hints, element('li', 'note', strings.unverified))] : []),
		];
		const isForModels = head.isForModels;
		this.head.replaceChildren(
			title,
			state,
			...(head.notice === ''
				? []
				: [
						element(
							'p',
							'notice',
							drawn('warning'),
							element('span', '', head.notice),
							...(head.noticeAction === 'review' ? [this.action(strings.review, 'compare', 'review')] : []),
							...(head.noticeAction === 'enable' ? [this.action(strings.enable, 'check', 'enable')] : []),
						),
					]),
			...(quoted.length > 0 ? [element('div', 'quoted', element('p', 'note', strings.fromServer), ...quoted)] : []),
			...(isForModels === undefined ? [] : [this.modelsSwitch(strings, isForModels)]),
		);
		this.last?.toggleAttribute('hidden', !head.hasLastArguments);
		// A restored page gets the schema when its server runs.
		this.tabButtons.get('schema')?.toggleAttribute('hidden', head.inputSchema === '');
		this.panels.schema.replaceChildren(
			...schema(strings.inputSchema, head.inputSchema),
			...schema(strings.outputSchema, head.outputSchema),
		);
	}

	private modelsSwitch(strings: Strings, isOn: boolean): HTMLElement {
		const box = element('input', '');
		box.type = 'checkbox';
		box.checked = isOn;
		box.setAttribute('role', 'switch');
		box.addEventListener('change', () => this.press('toggleModels'));
		return element('label', 'switch', box, element('span', '', strings.forModels));
	}

	private buildBar(strings: Strings): void {
		const run = button(strings.run, 'play', () => this.run(false));
		run.classList.add('primary');
		run.append(element('kbd', '', navigator.platform.startsWith('Mac') ? '⌘⏎' : 'Ctrl+Enter'));
		run.dataset['repeats'] = '';
		this.anyway = button(strings.runAnyway, undefined, () => this.run(true));
		this.cancel = button(strings.cancel, 'slash', () => this.press('cancel'));
		this.toggle = button(strings.editAsJson, 'edit', () => {
			this.form.toggleJson();
			this.labelToggle();
		});
		this.last = this.action(strings.lastArguments, 'history', 'lastArguments');
		const copy = this.action(strings.copyAs, 'copy', 'copyAs');
		this.anyway.hidden = true;
		this.cancel.hidden = true;
		const buttons = element('div', 'actions', run, this.anyway, this.cancel, this.toggle, this.last, copy);
		buttons.setAttribute('role', 'group');
		buttons.setAttribute('aria-label', strings.actions);
		this.bar.replaceChildren(buttons, this.progress);
	}

	private labelToggle(): void {
		const { strings, toggle } = this;
		const label = toggle?.querySelector('span');
		if (label && strings) {
			label.textContent = this.form.isJson ? strings.editAsForm : strings.editAsJson;
		}
	}

	private buildTabs(strings: Strings): void {
		this.tabBar.setAttribute('aria-label', strings.tabs);
		const buttons = tabs.map(tab => {
			const made = element('button', 'tab', strings[tab]);
			made.type = 'button';
			made.id = `tab-${tab}`;
			made.setAttribute('role', 'tab');
			made.setAttribute('aria-controls', this.panels[tab].id);
			made.addEventListener('click', () => this.select(tab));
			this.tabButtons.set(tab, made);
			return made;
		});
		moveByArrows(this.tabBar, buttons, index => this.select(tabs[index] ?? 'result'));
		this.tabBar.replaceChildren(...buttons);
		this.select('result');
	}

	private panel(tab: Tab): HTMLElement {
		const made = element('div', `panel ${tab}`);
		made.id = `panel-${tab}`;
		made.setAttribute('role', 'tabpanel');
		made.setAttribute('aria-labelledby', `tab-${tab}`);
		return made;
	}

	private select(selected: Tab): void {
		for (const tab of tabs) {
			const isSelected = tab === selected;
			this.panels[tab].hidden = !isSelected;
			const made = this.tabButtons.get(tab);
			made?.setAttribute('aria-selected', String(isSelected));
			made?.setAttribute('tabindex', isSelected ? '0' : '-1');
		}
	}

	private showRunning(count: number, text: string): void {
		this.progress.textContent = text;
		this.progress.classList.toggle('active', count > 0);
		this.cancel?.toggleAttribute('hidden', count === 0);
		this.panels.result.setAttribute('aria-busy', String(count > 0));
	}

	private setInvalid(isInvalid: boolean): void {
		this.anyway?.toggleAttribute('hidden', !isInvalid);
	}

	private showResult(message: ResultToView): void {
		if (message.type === 'page') {
			this.result?.dispose();
			this.result = new ResultView(message.page, message.strings, it =>
				this.connection.tell({ type: 'result', message: it }),
			);
			this.panels.result.replaceChildren(this.shownRun, ...this.result.parts);
			this.panels.result.firstElementChild?.scrollIntoView({ block: 'nearest' });
			announce(`${message.page.facts} · ${message.page.title}`);
		} else {
			this.result?.take(message);
		}
	}

	private showMessages(message: MessagesToView): void {
		if (message.type === 'begin') {
			this.messages = new MessageList(message.strings, message.actions, it =>
				this.connection.tell({ type: 'messages', message: it }),
			);
			this.panels.messages.replaceChildren(this.messages.root);
		} else if (message.type === 'rows' || message.type === 'detail') {
			this.messages?.take(message);
		} else if (message.type === 'announce') {
			announce(message.text);
		}
	}

	private showRuns(runs: readonly RunRow[]): void {
		const { strings } = this;
		if (!strings) {
			return;
		}
		this.shownRun.textContent = strings.startedAt.replace('{0}', () => runs.find(it => it.isShown)?.time ?? '');
		const rows = runs.map(({ id, state, time, facts, isShown, arguments: args, uses }) => {
			const tell = (use: RunUse) => () => this.connection.tell({ type: 'useRun', id, use });
			const show = button(`${time} · ${facts}`, state === 'running' ? 'history' : icons[state], tell('show'));
			show.disabled = !uses.includes('show');
			show.setAttribute('aria-current', String(isShown));
			const others = uses.flatMap(it =>
				it === 'show' ? [] : button(strings[it], it === 'compare' ? it : 'edit', tell(it)),
			);
			return element('li', `run ${state}`, show, isolated('code', '', args), ...others);
		});
		this.panels.runs.replaceChildren(
			rows.length > 0 ? element('ul', 'runs', ...rows) : element('p', 'note', strings.noRuns),
		);
	}

	private action(label: string, icon: Icon, action: Action): HTMLButtonElement {
		return button(label, icon, () => this.press(action));
	}

	private press(action: Action): void {
		this.connection.tell({ type: 'press', action });
	}
}

const icons: Readonly<Record<Exclude<RunRow['state'], 'running'>, Icon>> = {
	done: 'check',
	warned: 'warning',
	mismatch: 'warning',
	toolError: 'warning',
	failed: 'cross',
	cancelled: 'slash',
};

function schema(title: string, text: string): readonly HTMLElement[] {
	return text === '' ? [] : [element('h2', '', title), pre(text, title)];
}
