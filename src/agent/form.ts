// A form as an elicitation, alike in both protocol versions, and its answer.
import type { JsonObject } from '../acp/message.ts';
import type { Form, FormAnswer } from './port.ts';

export function elicitation(sessionId: string, { message, text, choice }: Form) {
  return {
    mode: 'form' as const,
    sessionId,
    message,
    requestedSchema: {
      type: 'object' as const,
      properties: {
        [text.name]: { type: 'string' as const, title: text.title },
        [choice.name]: { type: 'string' as const, title: choice.title, enum: [...choice.options] },
      },
      required: [text.name],
    },
  };
}

/** No answer, an error, and an action that is not known all count as cancelled. */
export function formAnswer(
  answer: { readonly action: string; readonly content?: unknown } | undefined,
): FormAnswer {
  switch (answer?.action) {
    case 'accept':
      return { action: 'accept', content: (answer.content ?? {}) as JsonObject };
    case 'decline':
      return { action: 'decline' };
    default:
      return { action: 'cancel' };
  }
}
