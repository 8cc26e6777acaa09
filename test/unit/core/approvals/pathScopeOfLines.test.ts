import * as assert from 'node:assert/strict';
import { findPathScope } from '../../../../src/core/approvals/pathScope.js';

const roots = [{ uri: 'file:///work/app', name: 'app' }];

/** Each leads out of the folder as a line of a text. */
const lines = [
	'..',
	'..\\..\\x',
	'../other/.env',
	'a/../../x',
	'- ../other/.env',
	'* ../other/.env',
	'1. ../other/.env',
	'- [ ] ../other/.env',
	'~',
	'~/.ssh/id_rsa',
	'~root/x',
	'~root',
	'$HOME/.ssh/id_rsa',
	'$HOME',
	'${HOME}/x',
	'%USERPROFILE%\\x',
	'C:\\Windows\\win.ini',
	'C:secret.txt',
	'\\\\host\\share\\x',
	'//host/share',
	'//etc',
	'//',
	'/',
	'/*/passwd',
	'\\Windows',
	'file:///etc/passwd',
	'zip:///etc/passwd',
	'"/etc/passwd"',
	"- '../x',",
	'</etc/passwd>',
	'%2e%2e/x',
	'a:/etc/passwd',
	'--file=$HOME/x',
	'--file=C:\\x',
	'-I/usr',
	'a.txt,~root/x',
	'/etc/passwd /etc/shadow',
	'/etc /root',
	'/home/me/.ssh/id rsa',
	'"/home/me/.ssh/id rsa"',
	'/Program Files/x',
	'~/.ssh/id rsa',
	'../other/a b',
	'C:\\Program Files\\x',
	'\\\\host\\my share\\x',
	'$HOME/a b',
	'file:///etc/a b',
	'/*tc/ss*/',
	'/*tc/ss*/a b',
	'/*tc/ss* b/',
	// Headers of patches.
	'+++ /etc/passwd',
	'--- /etc/passwd 2026-01-01 00:00:00',
	'+++ b/../../x',
	'*** /etc/passwd',
	'*** Update File: /etc/passwd',
	'*** Add File: ../x',
	'*** Delete File: ~/x',
	'*** Move to: C:\\x',
	'Index: ../x',
	'rename from ../x',
	'rename to /etc/passwd',
	'copy from $HOME/x',
	'copy to ../x',
	'diff --git a/x b/../../x',
];

/** Lists in other forms. */
const texts = [
	'README.md\0/etc/passwd',
	'README.md\u0085../x',
	'[\n  "~root/x"\n]',
	'[\n  ".."\n]',
	'[\n  "$HOME/x"\n]',
	'[\n  "C:/x"\n]',
	'[\n  "file:///x"\n]',
];

/** Source code and prose. */
const harmless = [
	'<a\n  b={c}\n/>',
	'#!/bin/sh\n$x++;\n$this->run();\n...\n',
	'class A {\n  ~A();\n  //\n  // more\n  /**/\n  /*x*/\n};',
	'Say and/or:\n\n- a/b\n- one of a, b\n~~~\nhttps://example.com/a\n',
	'a\n  .replace(/b/g,"")\n',
	'ab:\n  file:\n    - b',
	'diff --git a/x b/y\n--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+a/b\n',
	'*** Begin Patch\n*** Update File: a/b.ts\n*** Move to: a/c.ts\n--- a\n+++ b/c\n*** End Patch',
	'x\n***  /a b\nx to ../a b\nrename ../a b',
	'/*a*/\n/*a b/c*/\n/*!a */\n/** a/b */\n/*a',
];

describe('the folders that the lines of a text name', () => {
	const lists = lines.flatMap(it => [`README.md\n${it}`, `// A comment\r\n${it === '//' ? '//etc' : it}\nREADME.md`]);

	for (const text of [...lists, ...texts]) {
		it(`are not all known: ${JSON.stringify(text)}`, () => {
			const reach = findPathScope({ cwd: '/work/app', files: text }, roots, false);
			assert.deepEqual(reach, { roots: ['app'], outside: [text], unclear: [text] });
		});
	}

	for (const text of harmless) {
		it(`are none: ${JSON.stringify(text)}`, () => {
			assert.deepEqual(findPathScope({ text }, roots, false), { roots: [], outside: [], unclear: [] });
		});
	}
});
