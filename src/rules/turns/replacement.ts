// Characters that were lost on the way: U+FFFD, which a decoder puts in the place of bytes that it cannot read. Family
// `content` of the catalogue.
import { get } from '../../acp/json.ts';
import { chunkText } from '../../acp/update.ts';
import { contentParts, textOf } from '../../model/facts/content-parts.ts';
import type { Seq, Side } from '../../trace/event.ts';
import { type Session, fact } from '../connection.ts';
import { onFrame, onRequest, onUpdate } from '../listen.ts';
import { catalogue, fail, type Fold, type Outcome } from '../rule.ts';
import { type FrameStep, UpdateStep } from '../steps.ts';

const LOST = '\ufffd';
const SPEECH = ['agent_message_chunk', 'agent_thought_chunk', 'user_message_chunk'] as const;

interface Lost {
  /** A prompt, a file or a tool call holds the character, so that the agent may repeat it. */
  isKnown: boolean;
  /** The agent wrote it in a message. */
  isSaid: boolean;
  /** The last chunk, if it ends with the character. */
  end: { readonly of: string; readonly seq: Seq } | undefined;
}
const lost = fact<Session, Lost>(() => ({ isKnown: false, isSaid: false, end: undefined }));

function keyOf({ variant, itemId }: UpdateStep): string {
  return `${variant} ${itemId}`;
}

function textIn({ frame }: FrameStep): string {
  return 'text' in frame.line ? frame.line.text : '';
}

/** True if a line holds the character, as it is or as an escape. */
function holds(text: string): boolean {
  return text.includes(LOST) || text.includes('\\ufffd') || text.includes('\\uFFFD');
}

export const lostFold: Fold = [
  onUpdate(SPEECH, (step) => {
    const text = chunkText(step.update);
    const isEnd = text?.endsWith(LOST) === true;
    lost.of(step.session).end = isEnd ? { of: keyOf(step), seq: step.seq } : undefined;
  }),
  onFrame((step) => {
    if (!step.session || !holds(textIn(step))) return;
    const own = lost.of(step.session);
    const isSpeech = step instanceof UpdateStep && SPEECH.some((one) => one === step.variant);
    if (isSpeech) own.isSaid = true;
    else own.isKnown = true;
  }),
];

/** One place where the character appears first, by a side that did not read it from the other. */
function judge(session: Session, text: string, from: Side, pointer: string): Outcome {
  if (!text.includes(LOST)) return 'pass';
  const { isKnown, isSaid } = lost.of(session);
  if (isKnown || isSaid) return undefined;
  const near = text.slice(Math.max(0, text.indexOf(LOST) - 12), text.indexOf(LOST) + 12);
  return fail(
    `U+FFFD in “${near}”, which the ${from === 'agent' ? 'client' : 'agent'} has not sent`,
    pointer,
  );
}

export const REPLACEMENT = catalogue({
  'content/replacement': {
    side: 'sender',
    severity: 'hint',
    clause: 'a text holds no U+FFFD, which stands for bytes that could not be decoded',
    on: [
      onRequest(['session/prompt'], ({ session, params, from }) =>
        session && from === 'client'
          ? judge(session, textOf(contentParts(get(params, 'prompt'))), from, '/params/prompt')
          : undefined,
      ),
      onUpdate(SPEECH, (step): Outcome => {
        const { session, update, seq } = step;
        const text = chunkText(update);
        if (text === undefined) return undefined;
        const pointer = '/params/update/content/text';
        const { end, isKnown } = lost.of(session);
        if (!isKnown && end?.of === keyOf(step) && text.startsWith(LOST))
          return fail('U+FFFD ends a chunk and begins the next: one character was cut in two', {
            pointer,
            seqs: [end.seq, seq],
            severity: 'warning',
          });
        return judge(session, text, step.from, pointer);
      }),
    ],
  },
});
