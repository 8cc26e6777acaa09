/** What a request is sent with, so that the server knows who we are. */
import type { AuthorizedRequest, HttpProof } from '../transport/httpAuth.js';
import type { Prover } from './engine.js';
import type { Grant } from './grant.js';

export interface Proof extends HttpProof {
	readonly grant: Grant | undefined;
	readonly prover: Prover | undefined;
}

export const noProof: Proof = { headers: {}, grant: undefined, prover: undefined };

/** For this request: a bearer token is the same for each, what a key signs is not. */
export function proofFor(proof: Proof, request: AuthorizedRequest): Promise<Proof> | Proof {
	return proof.prover ? withProver(proof, proof.prover, request) : proof;
}

async function withProver(proof: Proof, prover: Prover, request: AuthorizedRequest): Promise<Proof> {
	return { ...proof, headers: await prover.headers(request) };
}
