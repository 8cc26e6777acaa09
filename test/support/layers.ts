/**
 * Reads every import of the given sources and reports those that the layers of ARCHITECTURE.md forbid.
 *
 * It looks at trees: the bundler's own list of imports has no `import type`, and a regular expression would have to know
 * comments, templates and line breaks.
 */
import { isBuiltin } from 'node:module';
import * as posix from 'node:path/posix';
import { type Node, SyntaxKind } from 'typescript/unstable/ast';
import {
	isCallExpression,
	isExportAssignment,
	isExportDeclaration,
	isExportSpecifier,
	isExternalModuleReference,
	isIdentifier,
	isImportDeclaration,
	isImportTypeNode,
	isLiteralTypeNode,
	isNamedExports,
	isNoSubstitutionTemplateLiteral,
	isStringLiteral,
} from 'typescript/unstable/ast/is';
import { parse, type Sources, visit } from './sourceTrees.js';

export interface Import {
	readonly from: string;
	/** As written; `undefined` where it is computed. */
	readonly specifier: string | undefined;
}

export interface Layers {
	readonly imports: readonly Import[];
	/** Names of the layers that have a file: `base`, `features/tools`, `compose.ts`. */
	readonly names: readonly string[];
	/** One sentence each, in the order of files. */
	readonly violations: readonly string[];
}

interface Rule {
	readonly layers: readonly string[];
	readonly packages?: readonly string[];
	readonly node?: boolean;
	readonly vscode?: boolean;
	/** May import the protocols of all pages. */
	readonly webviewProtocols?: boolean;
}

/** ARCHITECTURE.md, the table of layers. A layer's own files need no mention, but see `features`. */
const rules: Readonly<Record<string, Rule>> = {
	base: { layers: [] },
	mcp: {
		layers: ['base'],
		packages: ['ajv', 'ajv-formats', 'eventsource-parser', 'oauth4webapi', 'url-template'],
	},
	core: { layers: ['base', 'mcp'], packages: ['js-yaml', 'jsonc-parser', 'picomatch', 'smol-toml'] },
	node: { layers: ['base', 'mcp'], packages: ['cross-spawn'], node: true },
	editor: { layers: ['base', 'mcp', 'core'], vscode: true, webviewProtocols: true },
	// `api.ts` is types alone: what one feature gives to other extensions.
	features: { layers: ['base', 'mcp', 'core', 'editor', 'api.ts'], vscode: true, webviewProtocols: true },
	// The UI library is not chosen yet.
	webviews: { layers: ['base'] },
	'api.ts': { layers: [] },
	// A thread of its own.
	'validator.ts': { layers: ['mcp'], node: true },
	'authorization.ts': { layers: ['mcp'] },
	'serverReader.ts': { layers: ['core'] },
	// A server of its own, which is never loaded by the extension.
	'demo.ts': { layers: [], node: true },
};

/** Which subjects of `core` a subject may import: those that stand above it. */
const coreSubjects: Readonly<Record<string, readonly string[]>> = {
	text: [],
	config: ['text'],
	launch: ['text', 'config'],
	messages: ['text', 'approvals'],
	approvals: ['text', 'config'],
	requests: ['text', 'config', 'launch', 'approvals'],
	servers: ['text', 'config', 'launch', 'messages', 'requests'],
	calls: ['text', 'config', 'approvals', 'requests', 'servers'],
	history: ['text', 'approvals', 'calls'],
	resources: ['approvals', 'calls', 'servers'],
	search: ['servers'],
	diagnosis: ['config', 'launch', 'servers'],
	addServer: ['text', 'config'],
};

const door = 'mcp/index.ts';

/** What is a bundle of its own: the bundle's root goes past the door to it, and nobody else does. */
const engines: Readonly<Record<string, string>> = {
	'validator.ts': 'mcp/schema/ajvValidator.ts',
	'authorization.ts': 'mcp/auth/authEngine.ts',
	'serverReader.ts': 'core/addServer/pastedServer.ts',
};

export function checkLayers(sources: Sources): Layers {
	const imports: Import[] = [];
	const violations: string[] = [];
	const names = new Set<string>();
	const trees = parse(sources);
	for (const [file, text] of Object.entries(sources)) {
		const layer = layerOf(file);
		if (layer !== undefined) {
			names.add(layer);
		}
		const complain = (why: string): void => void violations.push(`${file}: ${why}`);
		checkPlace(file, layer, complain);
		if (/^\/\/\/\s*<reference/m.test(text)) {
			complain('has a reference directive, which no rule can see through');
		}
		const tree = trees.get(file);
		if (!tree) {
			complain('could not be parsed');
			continue;
		}
		if (file === door) {
			checkDoor(tree, complain);
		}
		visit(tree, node => {
			if (isDefaultExport(node)) {
				complain('has a default export');
			}
			if (file !== door && isExportDeclaration(node) && node.moduleSpecifier) {
				complain('passes on exports of another file');
			}
			const specifier = importedBy(node);
			if (specifier) {
				imports.push({ from: file, specifier: specifier.text });
				checkImport(file, specifier.text, sources, complain);
			}
		});
	}
	return { imports, names: [...names].toSorted(), violations };
}

type Complain = (why: string) => void;

function checkPlace(file: string, layer: string | undefined, complain: Complain): void {
	if (layer === undefined) {
		complain('is in no layer');
	}
	const folders = file.split('/');
	const name = folders.pop() ?? '';
	if (!/^[a-z][A-Za-z0-9]*(\.web)?\.tsx?$/.test(name)) {
		complain('is not named in camelCase, .ts');
	}
	if (
		/^(utils?|helpers?|common|misc)\.tsx?$/.test(name) ||
		folders.some(it => /^(utils?|helpers?|common|misc)$/.test(it))
	) {
		complain('is named after nothing in particular');
	}
	if (folders.some(it => !/^[a-z][A-Za-z0-9]*$/.test(it))) {
		complain('is in a folder that is not named in camelCase');
	}
	if (name.startsWith('index.') && file !== door) {
		complain('is a barrel; the only door is mcp/index.ts');
	}
}

/** Named exports of other files, nothing else. */
function checkDoor(tree: Node, complain: Complain): void {
	tree.forEachChild(statement => {
		const isNamed = isExportDeclaration(statement) && statement.exportClause && isNamedExports(statement.exportClause);
		if (!(isNamed && statement.moduleSpecifier) && statement.kind !== SyntaxKind.EndOfFile) {
			complain('has something else than named exports of other files');
		}
	});
}

function checkImport(file: string, specifier: string | undefined, sources: Sources, complain: Complain): void {
	if (specifier === undefined) {
		complain('imports what only a run can tell');
		return;
	}
	const layer = layerOf(file);
	if (layer === undefined) {
		return;
	}
	const rule = rules[layer.split('/', 1)[0] ?? ''];
	const isWeb = file === 'compose.ts' || file === 'extension.web.ts';
	if (!specifier.startsWith('.')) {
		// A root may use any package, and Node where there is one.
		const any = { layers: [], node: !isWeb, vscode: true, packages: [packageOf(specifier)] };
		checkPackage(specifier, rule ?? any, complain);
		return;
	}
	const target = posix.join(posix.dirname(file), specifier.replace(/\.js$/, '.ts'));
	if (!(target in sources)) {
		complain(`imports ${specifier}, which is no source file`);
		return;
	}
	const targetLayer = layerOf(target) ?? '';
	const owner = Object.keys(engines).find(it => engines[it] === target);
	if (owner !== undefined && file !== owner) {
		complain(`imports ${target}, which only ${owner} may`);
		return;
	}
	if (targetLayer === layer && !isRoot(file)) {
		const [from = '', to = ''] = [file, target].map(it => it.split('/')[1]);
		if (layer === 'core' && from !== to && !coreSubjects[from]?.includes(to)) {
			complain(`imports ${target}, which core/${from} may not`);
		}
		return;
	}
	if (targetLayer === 'mcp' && target !== door && engines[file] !== target) {
		complain(`imports ${target} past the door`);
	}
	if (rule ? !mayImport(rule, target, targetLayer) : !mayRootImport(file, target, targetLayer, isWeb)) {
		complain(`imports ${target}, which ${rule ? layer : file} may not`);
	}
}

function checkPackage(specifier: string, rule: Rule, complain: Complain): void {
	if (specifier === 'vscode') {
		if (!rule.vscode) {
			complain('imports vscode');
		}
	} else if (isBuiltin(specifier)) {
		if (!rule.node) {
			complain(`imports ${specifier} of Node`);
		}
	} else if (!rule.packages?.includes(packageOf(specifier))) {
		complain(`imports the package ${packageOf(specifier)}`);
	}
}

function mayImport(rule: Rule, target: string, targetLayer: string): boolean {
	if (rule.layers.includes(targetLayer)) {
		return true;
	}
	return rule.webviewProtocols === true && /^webviews\/\w+\/(?:\w+\/)?protocol\.ts$/.test(target);
}

/** extension*.ts → compose.ts and the roots of the other bundles → everything below; nothing imports an extension*.ts. */
function mayRootImport(file: string, target: string, targetLayer: string, isWeb: boolean): boolean {
	if (isRoot(target)) {
		return target === 'compose.ts' && isExtension(file);
	}
	if (target in engines) {
		return isExtension(file);
	}
	return !(isWeb && targetLayer === 'node');
}

/** The layer a file is in, where each feature and each webview is its own layer; `undefined` for none. */
function layerOf(file: string): string | undefined {
	const [first = '', second, ...deeper] = file.split('/');
	if (second === undefined) {
		return isRoot(first) || first in rules ? first : undefined;
	}
	if (first === 'core') {
		return second in coreSubjects && deeper.length > 0 ? first : undefined;
	}
	if (first === 'features' || first === 'webviews') {
		return deeper.length > 0 ? `${first}/${second}` : undefined;
	}
	return first in rules ? first : undefined;
}

function isRoot(file: string): boolean {
	return isExtension(file) || file === 'compose.ts';
}

function isExtension(file: string): boolean {
	return /^extension(\.\w+)?\.ts$/.test(file);
}

function packageOf(specifier: string): string {
	return specifier
		.split('/')
		.slice(0, specifier.startsWith('@') ? 2 : 1)
		.join('/');
}

/** What a node imports, if it does: `text` is `undefined` where the name is computed. */
function importedBy(node: Node): { readonly text: string | undefined } | undefined {
	if (isImportDeclaration(node)) {
		return literal(node.moduleSpecifier);
	}
	if (isExportDeclaration(node)) {
		return node.moduleSpecifier && literal(node.moduleSpecifier);
	}
	if (isExternalModuleReference(node)) {
		return literal(node.expression);
	}
	if (isImportTypeNode(node)) {
		return literal(isLiteralTypeNode(node.argument) ? node.argument.literal : undefined);
	}
	if (isCallExpression(node)) {
		const { expression } = node;
		if (expression.kind === SyntaxKind.ImportKeyword || (isIdentifier(expression) && expression.text === 'require')) {
			return literal(node.arguments[0]);
		}
	}
	return undefined;
}

function literal(node: Node | undefined): { readonly text: string | undefined } {
	return { text: node && (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) ? node.text : undefined };
}

function isDefaultExport(node: Node): boolean {
	return (
		isExportAssignment(node) ||
		node.kind === SyntaxKind.DefaultKeyword ||
		(isExportSpecifier(node) && node.name.text === 'default')
	);
}
