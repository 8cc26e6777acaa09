/** PURE: what servers ask models for: as questions, because a person may have a say in each. Spec, sampling. */
import { type ClientHandlers, RpcError } from '../../mcp/index.js';
import type { Asker, ModelRequest, Question, QuestionEnd, Questions } from './questions.js';
import { readSampling } from './sampling.js';
import type { SamplingAnswer } from './samplingAnswer.js';
import type { ServerDefinition } from '../config/serverDefinition.js';

/** A question that a model may answer. */
export type Sampling = Question<ModelRequest>;

/** Spec, sampling, error handling: "User rejected sampling request". */
const rejected = -1;

/** What a server's run needs of it. */
export interface SamplingPort {
	/** @param operation another number for each operation of ours that the server may ask because of */
	handlersFor(server: Asker, operation: () => number): NonNullable<ClientHandlers['sampling']>;
}

export class Samplings implements SamplingPort {
	/** By server, how often it asked within the operation it asked in last. */
	private readonly counts = new Map<string, { readonly operation: number; readonly count: number }>();

	constructor(private readonly questions: Questions) {}

	handlersFor(server: Asker, operation: () => number): NonNullable<ClientHandlers['sampling']> {
		const { definition } = server;
		// Each run counts its own operations.
		this.counts.delete(definition.id);
		return {
			tools: true,
			handle: async (params, signal) => {
				const request = readSampling(params);
				const count = this.count(definition, operation());
				return this.questions.ask({
					server,
					request: { mode: 'model', request, count },
					params,
					signal,
					stage: 'underway',
					automatic: why => ({
						kind: 'refused',
						error: new RpcError(rejected, why === 'muted' ? 'User rejected sampling request' : 'Too many requests'),
					}),
				});
			},
		};
	}

	answer(sampling: Sampling, answer: SamplingAnswer): void {
		this.questions.end(sampling, answered(answer));
	}

	/** The person does not want it. */
	reject(sampling: Sampling): void {
		const error = new RpcError(rejected, 'User rejected sampling request');
		this.questions.end(sampling, { kind: 'refused', error });
	}

	private count({ id }: ServerDefinition, operation: number): number {
		const last = this.counts.get(id);
		const count = last?.operation === operation ? last.count + 1 : 1;
		this.counts.set(id, { operation, count });
		return count;
	}
}

export function isSampling(question: Question): question is Sampling {
	return question.request.mode === 'model';
}

function answered(answer: SamplingAnswer): QuestionEnd {
	return { kind: 'answered', result: { ...answer } };
}
