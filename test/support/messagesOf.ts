import { type Exchange, Exchanges } from '../../src/core/messages/exchanges.js';
import type { MessageRing } from '../../src/core/messages/messageRing.js';
import { asCallOrigin } from '../../src/core/messages/wireRecord.js';

/** The requests of a call with everything beneath them. */
export function messagesOf(ring: MessageRing, callId: string): readonly Exchange[] {
	return new Exchanges(ring.records).all.filter(it => asCallOrigin(it.first.origin).callId === callId);
}
