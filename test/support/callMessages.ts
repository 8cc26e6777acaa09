// The messages of one tool call, out of those that a ring has recorded.
import { type Exchange, Exchanges } from '../../src/core/messages/exchanges.js';
import type { MessageRing } from '../../src/core/messages/messageRing.js';

/** The exchanges of a call without a parent, oldest first. */
export function messagesOf({ records }: MessageRing, callId: string): readonly Exchange[] {
	return new Exchanges(records).all.filter(it => it.first.call.callId === callId);
}
