/** What a person sees whose editor speaks Chinese: that the editor finds our translations, and how they look. */
import * as assert from 'node:assert/strict';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { eventually, pictureOnFailure } from './support.js';

describe('in Chinese', function () {
	this.timeout(180_000);
	let workbench: Workbench;

	before(async () => {
		workbench = await openWorkbench({
			workspace: path.join(projectRoot, 'test', 'fixtures', 'workspaces', 'elicitation'),
			confirmServers: 'newOrChanged',
			language: 'zh-cn',
		});
	});
	after(() => workbench.dispose());
	pictureOnFailure(() => workbench);

	const tree = async (): Promise<string[]> => (await workbench.rows()).map(it => it.text);
	const title = (text: string): Promise<void> =>
		eventually(text, async () => assert.equal((await workbench.readQuickInput()).title, text));

	it('the tree, its buttons and the sheet of a new server', async () => {
		await workbench.openView('MCP Workbench');
		await eventually('the servers', async () => {
			assert.deepEqual(await tree(), ['asking 已停止', 'other 已停止', 'everything 已停止', 'rounds 已停止']);
		});
		await workbench.clickAction(workbench.row('everything'), '启动服务器');
		await title('允许“everything”启动？');
		await workbench.screenshot('chinese-1-consent');
		await workbench.pick('启动');
		await eventually('the groups', async () => {
			const lines = (await tree()).slice(2, 8).map(it => it.replace(/[\d,]+ 个 token/, 'N 个 token'));
			assert.deepEqual(lines, [
				'everything 正在运行 · 2025-11-25 · stdio',
				'工具 19 · ≈ N 个 token',
				'资源 7',
				'模板 2',
				'提示词 4',
				'公开的文件夹 1/1',
			]);
		});
		await workbench.screenshots(['light', 'dark'], theme => `chinese-2-tree-${theme}`);
	});

	it('the form of a tool and its result', async () => {
		await workbench.toggle(workbench.row('工具'));
		await workbench.runTool(workbench.row('Get Sum'), '运行工具');
		await workbench.field('a').fill('12x');
		await workbench.field('b').fill('30');
		await workbench.resultFrame().locator('.form').getByText('请输入数字').first().waitFor();
		await workbench.screenshot('chinese-3-form');
		await workbench.runPage({ a: '12' });
		await workbench.resultFrame().getByText('完成').first().waitFor();
		await workbench.screenshots(['light', 'dark'], theme => `chinese-5-result-${theme}`);
	});
});
