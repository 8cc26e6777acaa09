/** The tabs of pages. */
import { mock } from 'node:test';
import { registerPages } from '../../../../src/features/pages/pages.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { Uri, window } from '../../../support/vscodeDouble.js';

describe('the tab of a page', () => {
	const { own } = leakCheck();
	afterEach(() => mock.reset());

	it('can be disposed after the person has closed it', () => {
		let isDisposed = false;
		let didDispose = (): void => undefined;
		mock.method(window, 'createWebviewPanel', () => ({
			webview: {
				onDidReceiveMessage: () => ({ dispose: () => undefined }),
				asWebviewUri: (uri: Uri) => uri,
			},
			onDidDispose: (listener: () => void) => (didDispose = listener),
			get title(): string {
				if (isDisposed) {
					throw new Error('Webview is disposed');
				}
				return '';
			},
			set title(_: string) {},
			dispose: () => undefined,
		}));
		const { showPage } = own(registerPages({ context: { extensionUri: Uri.parse('file:///x') } }));
		const content = { title: '', summary: '', tone: 'plain', facts: [], sections: [] } as const;
		const tab = showPage({ name: '', content, actions: [] });
		isDisposed = true;
		didDispose();
		tab.close();
	});
});
