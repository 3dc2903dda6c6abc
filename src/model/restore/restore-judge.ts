// What came of a restore, judged by the clauses on it: the verdict, whether it is as the protocol makes
// due, and what says so.
import type { Asked, Came, Clause, Found } from './clauses/clause.ts';
import { CLAUSES, clausesOf, type ClauseId, type Seen } from './clauses.ts';
import type { RestoreVerdict } from './restore-verdict.ts';

export interface Judged {
  readonly verdict: RestoreVerdict;
  /** Undefined: the trace cannot decide. */
  readonly due: boolean | undefined;
  /** What weighs most, first. */
  readonly seen: readonly Seen[];
}

type Told = readonly [ClauseId, Found];

/** Of a restore that was answered. */
export function judgeRestore(asked: Asked, came: Came): Judged {
  const { code } = came;
  return code === undefined ? answered(asked, came) : rejected(asked, came, code);
}

function rejected(asked: Asked, came: Came, code: number): Judged {
  const told = found(asked, ({ onError }) => onError?.(asked, came, code));
  const [clause, { verdict, due, ...what }] =
    told.find((one) => one[1].due === true) ??
    told.find((one) => one[1].due === false) ??
    (['answer', CLAUSES.answer.onError(asked, came)] as const);
  return { verdict, due, seen: seenOf(clause, what) };
}

function answered(asked: Asked, came: Came): Judged {
  const told = found(asked, ({ onResult }) => onResult?.(came, asked));
  // That no agent can know the session explains more than what else is said of an empty answer.
  const [clause, { verdict, due, ...what }] =
    told.find(([id]) => id === 'session') ?? told[0] ?? NOTHING;
  const faults = clausesOf(asked).flatMap(([id, { fault }]) =>
    seenOf(id, fault?.(came, asked) ?? {}),
  );
  // What came too late says best why nothing came before.
  const isSaid = faults.length > 0 && (due === true || (due === undefined && came.history === 0));
  return {
    verdict,
    due: faults.length > 0 ? false : due,
    seen: isSaid ? faults : [...seenOf(clause, what), ...faults],
  };
}

/** No clause says what it means: there is none such. */
const NOTHING: Told = ['none', { verdict: 'undecidable', due: undefined }];

function found(asked: Asked, judge: (clause: Clause) => Found | undefined): Told[] {
  return clausesOf(asked).flatMap(([id, clause]): Told[] => {
    const one = judge(clause);
    return one ? [[id, one]] : [];
  });
}

function seenOf(clause: ClauseId, { code, facts }: Pick<Found, 'code' | 'facts'>): Seen[] {
  return code === undefined ? [] : [{ clause, code, ...(facts && { facts }) }];
}
