// What is due of a restore, clause by clause: whether it is legal, what is replayed and what not, what
// precedes the answer, which error is due. The restore form, the verdict on what came, the rules, the
// probes and the lab read it here. Facts: ACP schemas and pages 2.4.0, v1 and v2.
import { CURSOR_INCLUSIVE, CURSOR_REFUSED, CURSOR_TYPE } from './clauses/cursor.ts';
import {
  FORK,
  IN_TIME,
  NONE,
  PROMPT_ID,
  REPLAY_FROM,
  RESULT,
  RETAINED,
  STATE,
  WHOLE,
} from './clauses/history.ts';
import { ADVERTISED, ANSWER, PARAMS, requestFaults, SESSION } from './clauses/request.ts';
import { CWD, DIRECTORIES, SERVERS, TRANSPORTS } from './clauses/surroundings.ts';
import type { Counts, EditionId } from '../../acp/editions/edition.ts';
import { countsIn } from '../../acp/editions/editions.ts';
import type { Asked, Clause, DueSentence, Facts } from './clauses/clause.ts';
import type { SessionFacts } from '../facts/facts-view.ts';

/** In the order they are told in, and in which they explain an answer. */
export const CLAUSES = {
  advertised: ADVERTISED,
  params: PARAMS,
  whole: WHOLE,
  result: RESULT,
  'cursor-type': CURSOR_TYPE,
  'cursor-refused': CURSOR_REFUSED,
  'cursor-inclusive': CURSOR_INCLUSIVE,
  none: NONE,
  'replay-from': REPLAY_FROM,
  retained: RETAINED,
  'prompt-id': PROMPT_ID,
  'in-time': IN_TIME,
  state: STATE,
  fork: FORK,
  session: SESSION,
  cwd: CWD,
  transports: TRANSPORTS,
  servers: SERVERS,
  directories: DIRECTORIES,
  answer: ANSWER,
} as const satisfies Readonly<Record<string, Clause>>;

export type ClauseId = keyof typeof CLAUSES;

/** Those of this request, by name. */
export function clausesOf({ version, wish }: Asked): readonly (readonly [ClauseId, Clause])[] {
  return ALL.filter(
    ([, { versions, wishes }]) => versions.includes(version) && wishes?.includes(wish) !== false,
  );
}

const ALL = Object.entries(CLAUSES) as unknown as readonly (readonly [ClauseId, Clause])[];

/** What is due before anything came. */
export interface Due {
  readonly clause: ClauseId;
  readonly tone: DueSentence['tone'];
  readonly text: string;
  readonly more?: string;
  readonly source: string;
}

/**
 * What each clause makes due of a request. Of one that must be refused, what would come with its answer
 * is not due, and it is not called legal.
 */
export function dueOf(asked: Asked, session: SessionFacts | undefined): readonly Due[] {
  const isBroken = requestFaults(asked.method, asked.params).length > 0;
  return clausesOf(asked).flatMap(([clause, { due, source, ofRequest }]) =>
    [typeof due === 'function' ? (due(asked, session) ?? []) : (due ?? [])]
      .flat()
      .filter(({ tone }) => !isBroken || ofRequest === true || tone !== 'holds')
      .map(({ tone, text, more, legal, ...own }) => ({
        clause,
        tone,
        text: legal && !isBroken ? `Legal. ${text}` : text,
        ...(more === undefined ? {} : { more }),
        source: own.source ?? (typeof source === 'string' ? source : source(asked)),
      })),
  );
}

/** One thing that was seen of a restore: which clause it is of, and which of its sentences says it. */
export interface Seen {
  readonly clause: ClauseId;
  readonly code: string;
  readonly facts?: Facts;
}

/** How much breaking it counts in an edition; undefined: as ever. */
export function countsOf({ clause }: Seen, edition: EditionId): Counts | undefined {
  const { rule }: Clause = CLAUSES[clause];
  return rule === undefined ? undefined : countsIn(edition, rule);
}

/** The sentence, as a clause. Of an error it stands right behind `rejected`. */
export function seenWords({ clause, code, facts = {} }: Seen): string {
  const { said }: Clause = CLAUSES[clause];
  const words = said?.[code] ?? '';
  return typeof words === 'string' ? words : words(facts);
}
