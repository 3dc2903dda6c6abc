// How a v2 agent takes a prompt in: it answers with the id of the message that the prompt became, and
// shows that message under the same id. Family `prompt` of the catalogue.
import { arr, get, isArray, isObject, str } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import type { Seq } from '../../trace/event.ts';
import { type EarlierRequest, type Session, fact } from '../connection.ts';
import { onAnswer, onRequest, onUpdate, onEndOfEach } from '../listen.ts';
import type { UpdateStep } from '../steps.ts';
import { rulesOf, fail, judged, undecidable, type RuleFault, quote, type Fold } from '../rule.ts';
import { isReplay } from '../work/tool-facts.ts';
import { endsWork, isWorking, turnOf } from './turn-facts.ts';

/** A user message that came while a prompt was on its way in. */
interface Echo {
  readonly id: string;
  readonly seqs: Seq[];
  content: Json[];
}

/** A prompt from its request until work ends. */
interface Submission {
  readonly asked: EarlierRequest;
  /** No other prompt was on its way in while this one was. */
  alone: boolean;
  /** Idle states of earlier work that may come before its own. */
  idles: number;
  answer: Seq | undefined;
  id: string | undefined;
  /** Where its work ended, before it was answered. */
  over: Seq | undefined;
  readonly gaps: number;
}

interface Submissions {
  waiting: Submission[];
  /** User messages since the oldest that waits, by id. */
  readonly echoes: Map<string, Echo>;
  /** Of those, what looks like late history, unless an answer names it. */
  readonly late: Map<string, Echo>;
  /** Ids that prompts were answered with, and where. */
  readonly receipts: Map<string, Seq>;
}

const submissions = fact<Session, Submissions>(() => ({
  waiting: [],
  echoes: new Map(),
  late: new Map(),
  receipts: new Map(),
}));

const USER = ['user_message', 'user_message_chunk'] as const;

export const submissionFold: Fold = [
  onRequest(['session/prompt'], ({ session, asked, from }, { version, gaps }) => {
    if (session === undefined || from !== 'client' || version !== 2) return;
    const { waiting } = submissions.of(session);
    // Where several wait, they were told before.
    const [first] = waiting;
    if (first !== undefined) first.alone = false;
    waiting.push({
      asked,
      alone: waiting.length === 0,
      idles: isWorking(session) ? 1 : 0,
      answer: undefined,
      id: undefined,
      over: undefined,
      gaps,
    });
  }),
  onAnswer(['session/prompt'], ({ session, asked, result, error, seq }) => {
    if (session === undefined) return;
    const its = submissions.of(session);
    const one = its.waiting.find((submission) => submission.asked === asked);
    if (one === undefined) return;
    one.answer = seq;
    one.id = str(result, 'messageId');
    if (one.id !== undefined && !its.receipts.has(one.id)) its.receipts.set(one.id, seq);
    const isShown = one.id !== undefined && echoOf(its, one.id) !== undefined;
    // An answer that comes when the work is done already has nothing more to wait for.
    const isOver = !isWorking(session) && (turnOf.of(session).stateSeq ?? 0) > asked.seq;
    if (error !== undefined || (isShown && isOver)) drop(its, (other) => other !== one);
  }),
  onAnswer(['session/close'], ({ session, seq }) => {
    if (session?.closed === seq) drop(submissions.of(session), () => false);
  }),
  onUpdate(USER, (step) => {
    const { waiting, echoes, late } = submissions.of(step.session);
    if (waiting.length === 0 || step.itemId === undefined) return;
    if (isReplay(step) && !step.late) return;
    const all = step.late ? late : echoes;
    const echo: Echo = all.get(step.itemId) ?? { id: step.itemId, seqs: [], content: [] };
    all.set(step.itemId, echo);
    echo.seqs.push(step.seq);
    show(echo, step);
  }),
  onUpdate(['state_update'], (step) => {
    if (!endsWork(step)) return;
    const its = submissions.of(step.session);
    drop(its, (one) => !isDue(one));
    for (const one of its.waiting) {
      if (one.idles === 0) one.over ??= step.seq;
      one.idles = 0;
    }
  }),
];

/** What the message holds now; chunks add to it, all else replaces it. */
function show(echo: Echo, { variant, update }: UpdateStep): void {
  const content = get(update, 'content');
  if (content === undefined) return;
  if (variant === 'user_message_chunk') echo.content.push(content);
  else echo.content = isArray(content) ? [...content] : [];
}

/** Whether a prompt should be shown by now: it is in, and an idle state ended its work. */
function isDue({ answer, idles }: Submission): boolean {
  return answer !== undefined && idles === 0;
}

function drop(its: Submissions, keeps: (one: Submission) => boolean): void {
  its.waiting = its.waiting.filter(keeps);
  if (its.waiting.length > 0) return;
  its.echoes.clear();
  its.late.clear();
}

/** The user message that an answer names. */
function echoOf({ echoes, late }: Submissions, id: string): Echo | undefined {
  return echoes.get(id) ?? late.get(id);
}

/** The one message that came instead of the one that the answer named. */
function mistaken({ alone, id }: Submission, { echoes }: Submissions): Echo | undefined {
  const [only] = echoes.size === 1 ? echoes.values() : [];
  return alone && only !== undefined && only.id !== id ? only : undefined;
}

/** What blocks say to a reader: texts joined, all else by kind. */
function digest(blocks: readonly Json[]): string {
  let text = '';
  for (const block of blocks.filter(isObject)) {
    const said = str(block, 'text');
    text += str(block, 'type') === 'text' && said !== undefined ? said : `[${str(block, 'type')}]`;
  }
  return text;
}

export const PROMPT_ECHO = rulesOf({ versions: [2], side: 'agent' })({
  'prompt/receipt-id': {
    severity: 'error',
    clause: 'each prompt that is inserted has an id of its own',
    on: onAnswer(['session/prompt'], ({ session, result, seq }) => {
      const id = str(result, 'messageId');
      if (session === undefined || id === undefined) return undefined;
      const earlier = submissions.of(session).receipts.get(id);
      if (earlier === undefined) return 'pass';
      return fail(`${quote(id)}, with which #${earlier} answered an earlier prompt`, {
        pointer: '/result/messageId',
        seqs: [earlier, seq],
      });
    }),
  },
  'prompt/echo-missing': {
    severity: 'error',
    clause: 'a prompt that is in is shown as a user message with the id that its answer names',
    on: [
      onAnswer(['session/prompt'], ({ session, result }) => {
        const id = str(result, 'messageId');
        return session && id !== undefined && echoOf(submissions.of(session), id) !== undefined
          ? 'pass'
          : undefined;
      }),
      onUpdate(['state_update'], (step, { gaps }) => {
        const its = submissions.of(step.session);
        if (its.waiting.length === 0 || !endsWork(step)) return undefined;
        const faults = its.waiting.flatMap((one): RuleFault[] => {
          const { id, answer, asked } = one;
          if (!isDue(one) || id === undefined || answer === undefined) return [];
          if (echoOf(its, id) !== undefined) return [];
          if (mistaken(one, its) || one.gaps !== gaps) return [];
          return [
            fail(`no user message ${quote(id)} until the work ended`, {
              seqs: [asked.seq, answer, step.seq],
              method: 'session/prompt',
            }),
          ];
        });
        return judged(faults);
      }),
      onEndOfEach((session) => {
        const its = submissions.of(session);
        return its.waiting.flatMap(({ id, answer, asked, over }) =>
          id === undefined || answer === undefined || echoOf(its, id) !== undefined
            ? []
            : [
                undecidable(
                  `the trace ends before the user message ${quote(id)}`,
                  over === undefined
                    ? 'a recording that goes on until the work ends'
                    : `a recording that goes on: the work ended in #${over}, before the answer`,
                  { seqs: [asked.seq, answer], session: session.id, method: 'session/prompt' },
                ),
              ],
        );
      }),
    ],
  },
  'prompt/echo-id-mismatch': {
    severity: 'error',
    clause: 'the user message of a prompt has the id that the answer to the prompt names',
    on: onUpdate(['state_update'], (step) => {
      const its = submissions.of(step.session);
      if (its.waiting.length === 0 || !endsWork(step)) return undefined;
      const due = its.waiting.filter((one) => isDue(one) && one.id !== undefined);
      if (due.length === 0) return undefined;
      const faults = due.flatMap((one): RuleFault[] => {
        const echo = mistaken(one, its);
        if (echo === undefined || one.answer === undefined) return [];
        return [
          fail(`the message ${quote(echo.id)} for the answer’s ${quote(one.id)}`, {
            seqs: [...echo.seqs, one.answer].sort((a, b) => a - b),
            method: 'session/prompt',
          }),
        ];
      });
      return judged(faults);
    }),
  },
  'prompt/echo-content': {
    severity: 'hint',
    clause: 'the user message of a prompt shows what was submitted',
    on: onUpdate(['state_update'], (step) => {
      const its = submissions.of(step.session);
      if (its.waiting.length === 0 || !endsWork(step)) return undefined;
      const shown = its.waiting.flatMap((one) => {
        const echo = isDue(one) && one.id !== undefined ? echoOf(its, one.id) : undefined;
        return echo === undefined ? [] : [{ asked: one.asked, echo }];
      });
      if (shown.length === 0) return undefined;
      const faults = shown.flatMap(({ asked, echo }): RuleFault[] => {
        const submitted = digest(arr(asked.request.params, 'prompt'));
        const told = digest(echo.content);
        if (submitted === told) return [];
        return [
          fail(`${quote(told)} is shown for ${quote(submitted)}`, {
            seqs: [asked.seq, ...echo.seqs],
            method: 'session/prompt',
          }),
        ];
      });
      return judged(faults);
    }),
  },
  'prompt/error-after-insert': {
    severity: 'error',
    clause: 'a prompt that is in is not answered with an error; what fails later ends its work',
    on: onAnswer(['session/prompt'], ({ session, asked, error, seq }) => {
      if (session === undefined) return undefined;
      const { waiting, echoes } = submissions.of(session);
      const one = waiting.find((submission) => submission.asked === asked);
      const [echo] = echoes.values();
      if (one === undefined || !one.alone || echo === undefined) return undefined;
      if (error === undefined) return 'pass';
      return fail(`the error ${error.code} after the user message ${quote(echo.id)}`, {
        pointer: '/error',
        seqs: [...echo.seqs, seq],
      });
    }),
  },
});
