// Frames that a report keeps, as rows like those of the trace: what each is called and what it says.
import { idKey, parseMessage, type Message, type Request } from '../../acp/message.ts';
import { updateOf } from '../../acp/update.ts';
import type { Excerpt } from '../../drive/lab/report.ts';
import { summarize } from '../../model/timeline/summary.ts';
import type { Frame } from '../../trace/event.ts';
import { millis } from '../../lib/time.ts';

interface ExcerptRow {
  readonly seq: Excerpt['frames'][number]['seq'];
  readonly from: Excerpt['frames'][number]['from'];
  /** The method, of an update its variant; of a line that says none, what it is. */
  readonly name: string;
  readonly words: string;
  /** As much of the line as is kept. */
  readonly text: string;
}

export interface ExcerptView extends Omit<Excerpt, 'frames'> {
  readonly frames: readonly ExcerptRow[];
}

/** The variant of an update, else the method. */
const NAMED = /^\{.*"sessionUpdate":\s*"(\w+)"|^\{.*"method":\s*"([^"]+)"/;

/** `version`: what was spoken. */
export function excerptViews(excerpts: readonly Excerpt[], version: 1 | 2): readonly ExcerptView[] {
  return excerpts.map((excerpt) => {
    const asked = new Map<string, Request>();
    const frames = excerpt.frames.map(({ seq, from, text }): ExcerptRow => {
      const message = parseMessage(text);
      if (message.kind === 'request') asked.set(`${from} ${idKey(message.id)}`, message);
      const other = from === 'client' ? 'agent' : 'client';
      const isAnswer = message.kind === 'success' || message.kind === 'failure';
      const request = isAnswer ? asked.get(`${other} ${idKey(message.id)}`) : undefined;
      // Cut, or broken as it came: it is shown as it stands, under what its beginning says it is.
      if (message.kind === 'invalid') {
        const [, variant, method] = NAMED.exec(text) ?? [];
        return { seq, from, name: variant ?? method ?? 'line', words: text, text };
      }
      if (isAnswer && !request) {
        const [name, said] =
          message.kind === 'success' ? ['answer', message.result] : ['error', message.error];
        return { seq, from, name, words: JSON.stringify(said), text };
      }
      const event: Frame = {
        ...{ type: 'frame' as const, seq, at: millis(0), from, line: { text } },
        origin: 'peer',
      };
      const words = summarize(event, message, { request, version });
      return { seq, from, name: nameOf(message, request), words, text };
    });
    return { ...excerpt, frames };
  });
}

function nameOf(message: Exclude<Message, { kind: 'invalid' }>, request: Request | undefined) {
  if (message.kind === 'success' || message.kind === 'failure') return request?.method ?? 'answer';
  if (message.method !== 'session/update') return message.method;
  return updateOf(message.params)?.variant ?? message.method;
}
