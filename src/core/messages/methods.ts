/** The methods that a client may send. `test/source/methods.test.ts` compares them with the official schemas. */
const first = '2024-11-05';
const tasks = '2025-11-25';
const modern = '2026-07-28';

interface Method {
	readonly name: string;
	/** The first and the last revision with this method. Without `to`, the newest has it. */
	readonly from: string;
	readonly to?: string;
	/** The required and the usual parameters, with empty values. */
	readonly params: object;
}

const methods: readonly Method[] = [
	{ name: 'tools/call', from: first, params: { name: '', arguments: {} } },
	{ name: 'tools/list', from: first, params: {} },
	{ name: 'resources/read', from: first, params: { uri: '' } },
	{ name: 'resources/list', from: first, params: {} },
	{ name: 'resources/templates/list', from: first, params: {} },
	{ name: 'resources/subscribe', from: first, to: tasks, params: { uri: '' } },
	{ name: 'resources/unsubscribe', from: first, to: tasks, params: { uri: '' } },
	{ name: 'prompts/get', from: first, params: { name: '' } },
	{ name: 'prompts/list', from: first, params: {} },
	{
		name: 'completion/complete',
		from: first,
		params: { ref: { type: 'ref/prompt', name: '' }, argument: { name: '', value: '' } },
	},
	{ name: 'logging/setLevel', from: first, to: tasks, params: { level: 'info' } },
	{ name: 'ping', from: first, to: tasks, params: {} },
	{ name: 'tasks/list', from: tasks, to: tasks, params: {} },
	{ name: 'tasks/get', from: tasks, to: tasks, params: { taskId: '' } },
	{ name: 'tasks/result', from: tasks, to: tasks, params: { taskId: '' } },
	{ name: 'tasks/cancel', from: tasks, to: tasks, params: { taskId: '' } },
	{ name: 'server/discover', from: modern, params: {} },
	{ name: 'subscriptions/listen', from: modern, params: { notifications: {} } },
];

/** The methods of a revision, except `initialize`, which only begins a session. */
export function methodsOf(revision = modern): readonly Pick<Method, 'name' | 'params'>[] {
	return methods.filter(it => it.from <= revision && revision <= (it.to ?? revision));
}

/** Whether a person may send the method. `initialize` and notifications can't be sent by hand. */
export function isSendable(method: string): boolean {
	return method !== '' && method !== 'initialize' && !method.startsWith('notifications/');
}
