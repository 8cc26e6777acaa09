/** Checks a value by the nodes of a form, so that each problem is at the part of the value where a form shows it. */
import { escapeStep } from '../../base/jsonPointer.js';
import { isObject } from '../jsonrpc/messages.js';
import { findProblem } from './fieldCheck.js';
import type { FieldProblem } from './form.js';
import type { FormModel, FormNode } from './formModel.js';

/** Why a part of a value isn't valid. */
export interface ValueProblem {
	/** A JSON pointer (RFC 6901) to the part. */
	readonly pointer: string;
	readonly problem: FieldProblem;
}

/**
 * Finds the problems of a value that a form can show. Conditions between parts of the value, and patterns, aren't checked.
 * @param chosen indexes of the variants that the person has chosen, by the pointers of their values
 */
export function checkForm(
	model: FormModel,
	value: unknown,
	chosen: Readonly<Record<string, number>> = {},
): readonly ValueProblem[] {
	return new Checker(model, chosen).check(model.root, value, '');
}

class Checker {
	/** The found problems by node and pointer, because several variants can check the same part of the value. */
	private readonly known = new Map<string, readonly ValueProblem[]>();

	constructor(
		private readonly model: FormModel,
		private readonly chosen: Readonly<Record<string, number>>,
	) {}

	check(index: number, value: unknown, pointer: string): readonly ValueProblem[] {
		const key = `${index}${pointer}`;
		const problems = this.known.get(key) ?? this.find(index, value, pointer);
		this.known.set(key, problems);
		return problems;
	}

	private find(index: number, value: unknown, pointer: string): readonly ValueProblem[] {
		const node = this.model.nodes[index] as FormNode;
		if (value === null && node.nullable) {
			return [];
		}
		const here = (problem: FieldProblem | undefined): readonly ValueProblem[] =>
			problem ? [{ pointer, problem }] : [];
		switch (node.kind) {
			case 'object':
				return isObject(value) ? this.members(node, value, pointer) : here({ code: 'notAnObject' });
			case 'list':
				return Array.isArray(value)
					? value.flatMap((it: unknown, at) => this.check(node.item, it, `${pointer}/${at}`))
					: here({ code: 'notAList' });
			case 'variants':
				return this.variant(node, value, pointer) ?? here({ code: 'notAVariant' });
			default:
				// `null` is the value of a row that isn't filled in yet.
				return here(value === null && node.kind !== 'json' ? { code: 'required' } : findProblem(node, value));
		}
	}

	private members(
		{ members, additional }: Extract<FormNode, { kind: 'object' }>,
		value: Readonly<Record<string, unknown>>,
		pointer: string,
	): readonly ValueProblem[] {
		const names = new Set(members.map(it => it.name));
		const others = additional === undefined ? [] : Object.keys(value).filter(it => !names.has(it));
		const all = [...members, ...others.map(name => ({ name, node: additional ?? 0, required: false }))];
		return all.flatMap(({ name, node, required }) => {
			const at = `${pointer}/${escapeStep(name)}`;
			if (Object.hasOwn(value, name)) {
				return this.check(node, value[name], at);
			}
			return required ? [{ pointer: at, problem: { code: 'required' } as const }] : [];
		});
	}

	/** The problems according to the chosen or best-fitting variant; `undefined` if no variant has the type of the value. */
	private variant(
		{ variants }: Extract<FormNode, { kind: 'variants' }>,
		value: unknown,
		pointer: string,
	): readonly ValueProblem[] | undefined {
		const chosen = variants[this.chosen[pointer] ?? -1];
		if (chosen) {
			return this.check(chosen.node, value, pointer);
		}
		const checks = variants.map(it => this.check(it.node, value, pointer));
		const ofType = checks.filter(
			it => !it.some(({ pointer: at, problem }) => at === pointer && typeProblems.has(problem.code)),
		);
		return ofType.toSorted((a, b) => misfit(a) - misfit(b))[0];
	}
}

const typeProblems: ReadonlySet<FieldProblem['code']> = new Set([
	'required',
	'notAnObject',
	'notAList',
	'notAVariant',
	'notAString',
	'notANumber',
	'notABoolean',
]);

/** How badly a value fits a variant. Constants tell variants apart, so a wrong constant counts more than other problems. */
function misfit(problems: readonly ValueProblem[]): number {
	return problems.reduce((sum, { problem }) => sum + (problem.code === 'notAnOption' ? 100 : 1), 0);
}
