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
	{ root, nodes }: FormModel,
	whole: unknown,
	chosen: Readonly<Record<string, number>> = {},
): readonly ValueProblem[] {
	/** The found problems by node and pointer, because several variants can check the same part of the value. */
	const known = new Map<string, readonly ValueProblem[]>();
	const check = (index: number, value: unknown, pointer: string): readonly ValueProblem[] => {
		const key = `${index}${pointer}`;
		const problems = known.get(key) ?? find(nodes[index] as FormNode, value, pointer);
		known.set(key, problems);
		return problems;
	};
	const find = (node: FormNode, value: unknown, pointer: string): readonly ValueProblem[] => {
		const here = (problem: FieldProblem): readonly ValueProblem[] => [{ pointer, problem }];
		if (value === null && node.nullable) {
			return [];
		}
		switch (node.kind) {
			case 'object': {
				if (!isObject(value)) {
					return here({ code: 'notAnObject' });
				}
				const { members, additional } = node;
				const names = new Set(members.map(it => it.name));
				const others = Object.keys(value).filter(it => additional !== undefined && !names.has(it));
				const all = [...members, ...others.map(name => ({ name, node: additional ?? 0, required: false }))];
				return all.flatMap(({ name, node: part, required }) => {
					const at = `${pointer}/${escapeStep(name)}`;
					if (Object.hasOwn(value, name)) {
						return check(part, value[name], at);
					}
					return required ? [{ pointer: at, problem: { code: 'required' } as const }] : [];
				});
			}
			case 'list':
				return Array.isArray(value)
					? value.flatMap((it: unknown, at) => check(node.item, it, `${pointer}/${at}`))
					: here({ code: 'notAList' });
			case 'variants': {
				const meant = node.variants[chosen[pointer] ?? -1];
				if (meant) {
					return check(meant.node, value, pointer);
				}
				const checks = node.variants.map(it => check(it.node, value, pointer));
				const ofType = checks.filter(
					all => !all.some(it => it.pointer === pointer && typeProblems.has(it.problem.code)),
				);
				return ofType.toSorted((a, b) => misfit(a) - misfit(b))[0] ?? here({ code: 'notAVariant' });
			}
			default: {
				// `null` is the value of a row that isn't filled in yet.
				const isNothing = value === null && node.kind !== 'json';
				const problem = isNothing ? ({ code: 'required' } as const) : findProblem(node, value);
				return problem ? here(problem) : [];
			}
		}
	};
	return check(root, whole, '');
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
