// The words for a restore: its outcome in one clause, and whether the protocol expects that outcome.
import { clauseWords, type JudgedRestore } from './clauses.ts';
import { RESTORE_VERDICT_WORDS, type RestoreVerdict, type Shortfall } from './restore-verdict.ts';

interface ResultWords {
  /** One clause: what came, or what is wrong and what was due. */
  readonly whole: string;
  /** The same, without that it is as due. */
  readonly plain: string;
  /** What stands right behind the words of the verdict. */
  readonly rest: string;
}

/** Their words say what came, and what was seen goes on from there. */
const BEGUN: ReadonlySet<RestoreVerdict> = new Set([
  'open',
  'incomplete',
  'rejected',
  'rejected-as-due',
]);

export function resultWords({ verdict, due, seen }: JudgedRestore): ResultWords {
  const said = seen.map(clauseWords).join('; ');
  if (BEGUN.has(verdict)) {
    const whole = `${RESTORE_VERDICT_WORDS[verdict]}${said}`;
    return { whole, plain: whole, rest: said };
  }
  return due === true
    ? { whole: `as due: ${said}`, plain: said, rest: `, as due: ${said}` }
    : { whole: said, plain: said, rest: `: ${said}` };
}

/** Whether a restore is as expected, its history included; undefined: the traces do not tell. */
export function wholeDue(
  due: boolean | undefined,
  shortfall: Shortfall | undefined,
): boolean | undefined {
  if (shortfall === undefined || shortfall.weight === 'hint') return due;
  return shortfall.weight === 'open' ? undefined : false;
}
