/** A prompt's messages as text: for documents, the clipboard and models. */
import type { PromptResult } from '../../mcp/index.js';
import { contentText, describeRole } from '../../editor/documents/contentText.js';

/** What is said, with who says it only where more than one speaks. Nothing is left out: what is no text is named. */
export function promptText({ messages }: PromptResult): string {
	const isConversation = messages.some(it => it.role !== 'user');
	const parts = messages.map(({ role, content }, index) => {
		const isNext = isConversation && messages[index - 1]?.role !== role;
		return `${isNext ? `${describeRole(role)}:\n` : ''}${contentText(content)}`;
	});
	return parts.join('\n\n');
}
