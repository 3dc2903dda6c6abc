// What may be done to a frame on its way: the rules of an intercept, every field of them, and those that
// are ready made. The reader checks a file against this table.
import type { JsonObject, Json } from '../../acp/message.ts';
import { MAX_COPIES, type StepField, type StepShape } from '../scenario/file/shape.ts';
import type { Query } from '../../model/query/query.ts';

/** A key after another, from the message down. */
export type KeyPath = readonly [string, ...string[]];

/** A line of our own. What is asked has an id that the intercept gives. */
export type Injected =
  | { readonly kind: 'request' | 'notify'; readonly method: string; readonly params: Json }
  | { readonly kind: 'line'; readonly text: string };

/** Where a frame that is held back goes on by itself: milliseconds from its arrival. */
interface Deadline {
  readonly deadline: number;
}

export type InterceptAction =
  | ({ readonly kind: 'hold' } & Deadline)
  | {
      readonly kind: 'edit';
      /** The JSON of each new value. */
      readonly set: readonly { readonly keys: KeyPath; readonly json: string }[];
      readonly remove: readonly KeyPath[];
      readonly replace: readonly { readonly text: string; readonly by: string }[];
      /** Instead of all that: another line. */
      readonly line: string | undefined;
    }
  | { readonly kind: 'drop' }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'duplicate'; readonly more: number }
  /** Goes out behind the next frame of its side, or behind one that `behind` matches. */
  | ({ readonly kind: 'reorder'; readonly behind: Query | undefined } & Deadline)
  | { readonly kind: 'truncate'; readonly bytes: number }
  | { readonly kind: 'inject'; readonly what: Injected; readonly to: 'agent' | 'client' }
  /** `key` is `result` or `error`. */
  | { readonly kind: 'answer'; readonly key: 'result' | 'error'; readonly value: Json | JsonObject }
  | { readonly kind: 'cut' };

/** A rule, once it is known which frames it meets. */
export interface Acting {
  /** Its own, else its query. */
  readonly name: string;
  readonly action: InterceptAction;
  /** It acts so often at most. */
  readonly times: number;
  /** Of the frames that match, every so many-th; the first ones, as many as `skip`, do not count. */
  readonly every: number;
  readonly skip: number;
}

export interface InterceptRule extends Acting {
  readonly on: Query;
}

/** Each is asked of every frame on its way. */
export const MOST_RULES = 100;

/** A held frame goes on by itself after this, ms, and one that waits for another. */
export const HOLD_MS = 60_000;
export const REORDER_MS = 10_000;

const field = (
  is: 'text' | 'ms' | 'count' | 'copies' | 'times' | 'json' | 'object' | 'true',
  doc: string,
) => ({ kind: { is }, doc }) satisfies StepField;

const COMMON = {
  on: field('text', 'The frames it acts on, as a query: `side:agent type:res method:initialize`.'),
  name: field('text', 'What it is called in the record; its query where nothing is said.'),
  times: field('times', 'How often it acts at most; `"all"` where nothing is said.'),
  every: field('count', 'It acts on every so many-th frame that matches: 10 is one in ten.'),
  skip: field('count', 'So many that match pass before the first it acts on.'),
};

export const ACTIONS = {
  hold: {
    doc: 'Waits for a person; others pass it.',
    main: field('true', 'true.'),
    more: {
      ...COMMON,
      deadline: field('ms', `It goes on by itself after so many ms; ${HOLD_MS} if not said.`),
    },
  },
  edit: {
    doc: 'Changes the line, and nothing in it but what is named.',
    main: field(
      'object',
      '`set`: {PATH: VALUE}; `remove`: [PATH]; `replace`: {TEXT: TEXT}; or `line`: another line.',
    ),
    more: COMMON,
  },
  drop: { doc: 'Does not go on.', main: field('true', 'true.'), more: COMMON },
  delay: {
    doc: 'Goes on so much later; what follows from the same side stays behind it.',
    main: field('ms', 'Milliseconds.'),
    more: COMMON,
  },
  duplicate: {
    doc: 'Is sent so many times more.',
    main: field('copies', `How many times more, up to ${MAX_COPIES}.`),
    more: COMMON,
  },
  reorder: {
    doc: 'Goes on right behind the next frame of its side, or behind one that a query matches.',
    main: field('json', 'true, or a query.'),
    more: {
      ...COMMON,
      deadline: field('ms', `Without one it goes on after so many ms; ${REORDER_MS} if not said.`),
    },
  },
  truncate: {
    doc: 'Only the beginning of the line goes on, and a line feed.',
    main: field('count', 'Bytes that go on.'),
    more: COMMON,
  },
  inject: {
    doc: 'A line of ours follows it. What answers a request of ours is kept from the other side.',
    main: field(
      'object',
      '{"request": METHOD, "params"}, {"notify": METHOD, "params"} or {"line": TEXT}; `$sessionId` is the session of the frame.',
    ),
    more: { ...COMMON, to: field('text', '`agent`, if not said, or `client`.') },
  },
  answer: {
    doc: 'Of a request: it does not go on, and is answered in the place of the other side.',
    main: field('object', '{"result": …} or {"error": {"code", "message"}}.'),
    more: COMMON,
  },
  cut: {
    doc: 'The stream ends before it: both directions are dropped.',
    main: field('true', 'true.'),
    more: COMMON,
  },
} as const satisfies Readonly<Record<string, StepShape>>;

type ActionKind = keyof typeof ACTIONS;
export const ACTION_KINDS = Object.keys(ACTIONS) as readonly ActionKind[];

export interface InterceptPreset {
  readonly name: string;
  readonly doc: string;
  readonly rule: JsonObject;
}

/** A rule that is named in the place of one that is written out, or a start for one. */
export const PRESETS: readonly InterceptPreset[] = [
  {
    name: 'mask-load-session',
    doc: 'In v1, the client receives that the agent cannot load sessions. A response of v2 has no such field.',
    rule: {
      on: 'side:agent method:initialize type:res',
      edit: {
        replace: {
          '"loadSession":true': '"loadSession":false',
          '"loadSession": true': '"loadSession": false',
        },
      },
    },
  },
  {
    name: 'mask-client-files',
    doc: 'The agent is told that the client reads and writes no files.',
    rule: {
      on: 'side:client method:initialize type:req',
      edit: { remove: ['$.params.clientCapabilities.fs'] },
    },
  },
  {
    name: 'lose-prompt-answer',
    doc: 'The answer to a prompt does not come.',
    rule: { on: 'side:agent method:session/prompt type:res,err', drop: true },
  },
  {
    name: 'answer-permission-twice',
    doc: 'A permission is answered two times.',
    rule: { on: 'side:client method:session/request_permission type:res', duplicate: 1 },
  },
  {
    name: 'replay-late',
    doc: 'History comes after the answer of the restore.',
    rule: {
      on: 'side:agent is:replay method:session/update',
      reorder: 'side:agent type:res method:session/load,session/resume',
    },
  },
  {
    name: 'lose-updates',
    doc: 'One update in ten is lost.',
    rule: { on: 'side:agent method:session/update', every: 10, drop: true },
  },
  {
    name: 'slow',
    doc: 'Each frame takes 200 ms more.',
    rule: { on: 'side:agent,client', delay: 200 },
  },
  {
    name: 'cut-in-turn',
    doc: 'The stream breaks at the fifth update.',
    rule: { on: 'side:agent method:session/update', skip: 4, times: 1, cut: true },
  },
  {
    name: 'hold-permissions',
    doc: 'Each permission that is asked waits for you before the client sees it.',
    rule: { on: 'side:agent method:session/request_permission type:req', hold: true },
  },
];
