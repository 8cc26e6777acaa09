import * as assert from 'node:assert/strict';
import {
	NotOnDiskError,
	substitute,
	UnresolvedVariableError,
	variablesIn,
} from '../../../../src/core/config/variables.js';

describe('substitute', () => {
	const values: Readonly<Record<string, string>> = {
		a: 'A',
		'env:X': 'x',
		'workspaceFolder:my folder': '/w',
		empty: '',
		dollar: `$& $1 $$ \${a}`,
		'': 'nameless',
	};
	const resolve = (variable: string): string | undefined => values[variable];

	it('replaces variables, once, and nothing else', () => {
		const table = [
			['', ''],
			['plain', 'plain'],
			[`\${a}`, 'A'],
			[`\${a}\${a}-\${env:X}`, 'AA-x'],
			[`\${workspaceFolder:my folder}/b`, '/w/b'],
			[`[\${empty}]`, '[]'],
			[`\${}`, 'nameless'],
			// What a value says is not looked at again.
			[`\${dollar}`, `$& $1 $$ \${a}`],
			// No variables.
			['$a {a} $ {a} ${ $(a) %a%', '$a {a} $ {a} ${ $(a) %a%'],
			[`\${\${a}}`, `\${A}`],
			[`$$\${a}`, '$$A'],
			[`\\\${a}`, '\\A'],
		] as const;
		assert.deepEqual(
			table.map(([text]) => [text, substitute(text, resolve)]),
			table,
		);
	});

	it('never gives half a path', () => {
		assert.throws(
			() => substitute(`\${a}/\${input:key}/\${other}`, resolve),
			(error: unknown) => error instanceof UnresolvedVariableError && error.variable === 'input:key',
		);
	});

	it('says which variable, and which folder', () => {
		assert.equal(String(new UnresolvedVariableError('env:A')), 'UnresolvedVariableError: No value for ${env:A}.');
		assert.equal(String(new NotOnDiskError('x:/a')), 'NotOnDiskError: x:/a is on no disk.');
	});

	it('asks for what variablesIn tells, in that order', () => {
		for (const text of ['', '${a}${env:X}', '${${a}}${}', 'x${input:a b}$', '${a', '}${b}{']) {
			const asked: string[] = [];
			substitute(text, variable => {
				asked.push(variable);
				return '';
			});
			assert.deepEqual(variablesIn(text), asked);
		}
	});
});
