// What is due of a restore, clause by clause: whether it is legal, what is replayed and what not, what
// precedes the answer, which error is due. The restore form, the verdict on what came, the rules, the
// probes and the lab read it here. Facts: ACP schemas and pages 2.4.0, v1 and v2.
import type { CountsAs, EditionId } from '../../acp/editions/edition.ts';
import { BASE, countsIn } from '../../acp/editions/editions.ts';
import { nearestVersion } from '../../acp/handshake.ts';
import { jsonFault } from '../../acp/json-fault.ts';
import { get, str } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import { isMethodOf, RESTORES } from '../../acp/methods.ts';
import type { SessionFacts, HandshakeView } from '../facts/facts-view.ts';
import type { ReplayFault, ReplayRule } from '../replay/faults.ts';
import {
  type RestoreAsked,
  type Clause,
  type DueSentence,
  type ClauseFacts,
  type Came,
  type FindingParts,
  type FoundClause,
  askedOf,
  isAbout,
  requestSchema,
  ruleOfClause,
  sentencesOf,
} from './clauses/clause.ts';
import { CURSOR_INCLUSIVE, CURSOR_REFUSED, CURSOR_TYPE } from './clauses/cursor.ts';
import {
  FORK,
  IN_TIME,
  NONE,
  PROMPT_ID,
  REPLAY_FROM,
  RESULT,
  RETAINED,
  STATE_SNAPSHOT,
  WHOLE,
} from './clauses/history.ts';
import { ADVERTISED, ANSWER, OPEN, PARAMS, requestFaults, SESSION } from './clauses/request.ts';
import { CWD, DIRECTORIES, SERVERS, TRANSPORTS } from './clauses/surroundings.ts';
import type { RestoreVerdict } from './restore-verdict.ts';

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
  state: STATE_SNAPSHOT,
  fork: FORK,
  session: SESSION,
  open: OPEN,
  cwd: CWD,
  transports: TRANSPORTS,
  servers: SERVERS,
  directories: DIRECTORIES,
  answer: ANSWER,
} as const satisfies Readonly<Record<string, Clause>>;

export type ClauseId = keyof typeof CLAUSES;

/** Those of this request, by name, without those whose rule the edition does not have. */
function clausesOf(asked: RestoreAsked): readonly (readonly [ClauseId, Clause])[] {
  return ALL.filter(([, clause]) => {
    const rule = ruleOfClause(clause);
    const isOff = rule !== undefined && countsIn(BASE[asked.version], rule) === 'off';
    return !isOff && isAbout(clause, asked);
  });
}

const ALL = Object.entries(CLAUSES) as unknown as readonly (readonly [ClauseId, Clause])[];

/** What is due before anything came. */
export interface Due {
  readonly clause: ClauseId;
  readonly tone: DueSentence['tone'];
  readonly text: string;
  readonly more?: string;
  /** The rule that asks for it, or a name of the schema. */
  readonly source: string;
}

/**
 * What each clause makes due of a request. Of one that must be refused, what would come with its answer
 * is not due, and it is not called legal.
 */
export function dueOf(asked: RestoreAsked, session: SessionFacts | undefined): readonly Due[] {
  const isBroken = requestFaults(asked.method, asked.params).length > 0;
  return clausesOf(asked).flatMap(([clause, one]) => {
    const { source, ofRequest } = one;
    const own = typeof source === 'function' ? source(asked) : source;
    return sentencesOf(one, asked, session)
      .filter(
        ({ tone }) => !isBroken || ofRequest === true || (tone !== 'legal' && tone !== 'expected'),
      )
      .map(({ tone, text, more, legal, source: elsewhere }) => ({
        clause,
        tone,
        text: legal && !isBroken ? `Valid request. ${text}` : text,
        ...(more === undefined ? {} : { more }),
        source: elsewhere ?? ruleOfClause(one) ?? own ?? '',
      }));
  });
}

/** One thing that was seen of a restore: which clause it is of, and which of its sentences says it. */
export interface ClauseSeen {
  readonly clause: ClauseId;
  readonly code: string;
  readonly facts?: ClauseFacts;
}

/** How much breaking it counts in an edition; undefined: as ever. */
export function clauseCounts({ clause }: ClauseSeen, edition: EditionId): CountsAs | undefined {
  const rule = ruleOfClause(CLAUSES[clause]);
  return rule === undefined ? undefined : countsIn(edition, rule);
}

/** The sentence, as a clause. Of an error it stands right behind `rejected`. */
export function clauseWords({ clause, code, facts = {} }: ClauseSeen): string {
  const { said }: Clause = CLAUSES[clause];
  const words = said?.[code] ?? '';
  return typeof words === 'string' ? words : words(facts);
}

// What came of a restore, judged by the clauses on it: the verdict, whether it is as the protocol makes
// due, and what says so.

export interface JudgedRestore {
  readonly verdict: RestoreVerdict;
  /** Undefined: the trace cannot decide. */
  readonly due: boolean | undefined;
  /** What weighs most, first. */
  readonly seen: readonly ClauseSeen[];
}

/** What the checker reports of it. */
export interface RuledRestore extends JudgedRestore {
  readonly faults: readonly ReplayFault[];
  /** The rules that had something to judge. */
  readonly judged: readonly ReplayRule[];
}

type Told = readonly [ClauseId, FoundClause];

/** Of a restore that was answered. */
export function judgeRestore(asked: RestoreAsked, came: Came): RuledRestore {
  const { code } = came;
  return code === undefined ? answered(asked, came) : rejected(asked, came, code);
}

function rejected(asked: RestoreAsked, came: Came, code: number): RuledRestore {
  const told = found(asked, ({ onError }) => onError?.(asked, came, code));
  const [clause, { verdict, due, ...what }] =
    told.find((one) => one[1].due === true) ??
    told.find((one) => one[1].due === false) ??
    (['answer', CLAUSES.answer.onError(asked, came)] as const);
  // What is rejected as expected violates nothing.
  const faults = told.filter((one) => due !== true || one[1].due === true);
  return { verdict, due, seen: seenOf(clause, what), ...ruled(asked, came, faults) };
}

function answered(asked: RestoreAsked, came: Came): RuledRestore {
  const told = found(asked, ({ onResult }) => onResult?.(came, asked));
  // That no agent can know the session explains more than what else is said of an empty answer.
  const [clause, { verdict, due, ...what }] =
    told.find(([id]) => id === 'session' || id === 'open') ?? told[0] ?? NOTHING;
  const faults = clausesOf(asked).flatMap(([id, { fault }]) =>
    fault ? [[id, fault(came, asked) ?? FOLLOWED] as const] : [],
  );
  const isWrong = faults.some(([, one]) => one.due === false);
  // What came too late says best why nothing came before.
  const isSaid = isWrong && (due === true || (due === undefined && came.history === 0));
  const seen = faults.flatMap(([id, one]) => seenOf(id, one));
  return {
    verdict,
    due: isWrong ? false : seen.length > 0 && due === true ? undefined : due,
    seen: isSaid ? seen : [...seenOf(clause, what), ...seen],
    ...ruled(asked, came, [...told, ...faults]),
  };
}

const FOLLOWED: Omit<FoundClause, 'verdict'> = { due: true };

/** Returns what the clauses that are rules found, as their rules report it. */
function ruled(
  { method, params }: RestoreAsked,
  { answerSeq, code: error }: Came,
  told: readonly (readonly [ClauseId, Omit<FoundClause, 'verdict'>])[],
): Pick<RuledRestore, 'faults' | 'judged'> {
  const all = told.flatMap(([clause, one]) => {
    const { decides }: Clause = CLAUSES[clause];
    const { due, finding } = one;
    const isSaid = due !== undefined || finding?.due !== undefined || isHint(finding);
    return decides && isSaid ? [{ rule: decides, clause, ...one }] : [];
  });
  const session = str(params, 'sessionId') ?? '';
  return {
    judged: all.map(({ rule }) => rule),
    faults: all.flatMap(({ rule, clause, due, code, facts, finding }): ReplayFault[] => {
      const isHinted = isHint(finding);
      if ((due === true && !isHinted) || code === undefined) return [];
      const words = clauseWords({ clause, code, ...(facts && { facts }) });
      const seen = error === undefined ? words : `rejected${words}`;
      const verdict = due === false || isHinted ? 'fail' : 'undecidable';
      return [{ rule, verdict, seen, session, method, seqs: [answerSeq], ...finding }];
    }),
  };
}

function isHint(finding: FindingParts | undefined): boolean {
  return finding?.severity === 'hint';
}

/** No clause says what it means: there is none such. */
const NOTHING: Told = ['none', { verdict: 'undecidable', due: undefined }];

function found(asked: RestoreAsked, judge: (clause: Clause) => FoundClause | undefined): Told[] {
  return clausesOf(asked).flatMap(([id, clause]): Told[] => {
    const one = judge(clause);
    return one ? [[id, one]] : [];
  });
}

function seenOf(
  clause: ClauseId,
  { code, facts }: Pick<FoundClause, 'code' | 'facts'>,
): ClauseSeen[] {
  return code === undefined ? [] : [{ clause, code, ...(facts && { facts }) }];
}

// What the protocol makes due for a restore line. Read from the line itself, so a line typed by hand is
// judged like one of the prepared shapes. Nothing here changes or forbids a line.

interface DueContext {
  readonly handshake: HandshakeView | undefined;
  readonly sessions: readonly SessionFacts[];
}

/** `clause`: of a line that is no restore, or of no session, there is none. */
export type LineDue = Omit<Due, 'clause'>;

export function dueFor(line: string, context: DueContext): readonly LineDue[] {
  const fault = jsonFault(line);
  if (fault)
    return [
      {
        tone: 'breaks',
        text: `This is not JSON: ${fault.what}, at column ${fault.at + 1}.`,
        more: 'The agent should answer −32700 with id null.',
        source: 'JSON-RPC',
      },
    ];
  const message = JSON.parse(line) as Json;
  const method = str(message, 'method');
  if (!isMethodOf(RESTORES, method)) {
    const what =
      method === undefined ? 'This line has no method and' : `This line requests ${method}, which`;
    return [{ tone: 'open', text: `${what} restores no session.`, source: 'JSON-RPC' }];
  }
  const { handshake, sessions } = context;
  if (handshake?.version === undefined) {
    const text = 'The agent has not responded to initialize yet. Expected error: −32600.';
    return [{ tone: 'breaks', text, source: 'InitializeRequest' }];
  }
  const params = get(message, 'params');
  const sessionId = str(params, 'sessionId');
  if (sessionId === '') {
    const text = 'sessionId is empty: choose a session, or type an id.';
    return [{ tone: 'open', text, source: requestSchema({ method }) }];
  }
  const asked = askedOf(method, nearestVersion(handshake.version), params, handshake);
  return dueOf(
    asked,
    sessions.find((session) => session.sessionId === sessionId),
  );
}
