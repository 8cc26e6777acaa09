/** Sampling: requests of servers to models. Each is a question, because the person may review it. Spec, client/sampling. */
import { type ClientHandlers, RpcError } from '../../mcp/index.js';
import type { AskingServer, ModelRequest, QuestionEnd, Questions, ServerQuestion } from './questions.js';
import { readSampling, type SamplingAnswer } from './samplingRequest.js';
import type { ServerDefinition } from '../config/serverDefinition.js';

/** A question that a model may answer. */
export type Sampling = ServerQuestion<ModelRequest>;

export class Samplings {
	/** By the id of the definition: the operation of the server's last request, and the number of its requests within it. */
	private readonly counts = new Map<string, { readonly operation: number; readonly count: number }>();

	constructor(private readonly questions: Questions) {}

	/** @param operation the id of the current operation; requests are counted for each operation */
	handlersFor(server: AskingServer, operation: () => number): NonNullable<ClientHandlers['sampling']> {
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
					automatic: why => (why === 'muted' ? refusal() : refusal('Too many requests')),
				});
			},
		};
	}

	answer(sampling: Sampling, answer: SamplingAnswer): void {
		this.questions.end(sampling, { kind: 'answered', result: { ...answer } });
	}

	/** Rejects a request for the person. */
	reject(sampling: Sampling): void {
		this.questions.end(sampling, refusal());
	}

	private count({ id }: ServerDefinition, operation: number): number {
		const last = this.counts.get(id);
		const count = last?.operation === operation ? last.count + 1 : 1;
		this.counts.set(id, { operation, count });
		return count;
	}
}

export function isSampling(question: ServerQuestion): question is Sampling {
	return question.request.mode === 'model';
}

/** Spec, sampling, error handling: code -1. */
function refusal(message = 'User rejected sampling request'): QuestionEnd {
	return { kind: 'refused', error: new RpcError(-1, message) };
}
