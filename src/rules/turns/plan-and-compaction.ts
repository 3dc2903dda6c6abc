// Plans and commands: lists that replace the one before; and compactions, which begin, stream a summary,
// and end once. Families `plan`, `commands` and `compaction` of the catalogue.
import { arr, get, str, isArray, obj, objects } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import { OPENERS } from '../../acp/methods.ts';
import { isFinal } from '../../acp/update.ts';
import { type Session, fact } from '../connection.ts';
import { onUpdate, onAnswer } from '../listen.ts';
import type { UpdateStep } from '../steps.ts';
import {
  catalogue,
  rulesOf,
  fail,
  judged,
  undecidable,
  type RuleFault,
  quote,
  type Fold,
  type Outcome,
  quoteAll,
} from '../rule.ts';
import { isReplay } from '../work/tool-facts.ts';
import { knownFromStart } from '../work/tools.ts';
import type { Seq } from '../../trace/event.ts';

interface Plan {
  readonly seq: Seq;
  /** What is to be done, and whether it is over. */
  readonly entries: ReadonlyMap<string, boolean>;
}

/** The last plan of a session by its id; v1 has one without. */
const plans = fact<Session, Map<string, Plan>>(() => new Map());

const PLANS = ['plan', 'plan_update'] as const;
const OVER: ReadonlySet<unknown> = new Set(['completed', 'cancelled']);

function planOf({ variant, update }: UpdateStep): { id: string; holder: JsonObject } | undefined {
  const holder = variant === 'plan' ? update : obj(update, 'plan');
  if (holder === undefined || !isArray(get(holder, 'entries'))) return undefined;
  return { id: str(holder, 'planId') ?? '', holder };
}

function entriesOf(holder: JsonObject): ReadonlyMap<string, boolean> {
  return new Map(
    objects(holder, 'entries').map((entry) => [
      str(entry, 'content') ?? '',
      OVER.has(get(entry, 'status')),
    ]),
  );
}

export const planFold: Fold = [
  onUpdate(PLANS, (step) => {
    const plan = planOf(step);
    if (plan === undefined) return;
    plans.of(step.session).set(plan.id, { seq: step.seq, entries: entriesOf(plan.holder) });
  }),
];

/** Undefined: there is no list. */
function commandFaults(holder: Json | undefined, at: string): Outcome {
  if (!isArray(get(holder, 'availableCommands'))) return undefined;
  const faults: RuleFault[] = [];
  const seen = new Set<string>();
  for (const [i, command] of objects(holder, 'availableCommands').entries()) {
    const name = str(command, 'name');
    if (name === undefined) continue;
    const pointer = `${at}/availableCommands/${i}/name`;
    if (seen.has(name)) faults.push(fail(`the command ${quote(name)} is there twice`, pointer));
    seen.add(name);
    if (name.startsWith('/'))
      faults.push(fail(`the command is named ${quote(name)}, with its slash`, pointer));
    if (/\s/.test(name))
      faults.push(fail(`the command is named ${quote(name)}, with white space`, pointer));
  }
  return judged(faults);
}

export const PLAN = rulesOf({ side: 'agent' })({
  'plan/partial': {
    severity: 'hint',
    clause: 'a plan update holds every entry of the plan, changed or not',
    on: onUpdate(PLANS, (step) => {
      // A replay tells the plans of a whole session again.
      if (step.window !== undefined || step.late) return undefined;
      const plan = planOf(step);
      if (plan === undefined) return undefined;
      const before = plans.of(step.session).get(plan.id);
      if (before === undefined) return undefined;
      const now = entriesOf(plan.holder);
      // Another plan may say anything; some of the same one looks like an update of those alone.
      const known = [...now.keys()].every((content) => before.entries.has(content));
      const gone = [...before.entries].filter(([content, over]) => !over && !now.has(content));
      if (now.size === 0 || !known || gone.length === 0) return 'pass';
      return fail(
        `the plan is without ${quoteAll(gone.map(([content]) => content))}, open in #${before.seq}`,
        {
          pointer:
            step.variant === 'plan' ? '/params/update/entries' : '/params/update/plan/entries',
          seqs: [before.seq, step.seq],
        },
      );
    }),
  },
  'commands/name': {
    severity: 'error',
    // Only SDK 2.4.0 says what a name is made of.
    clause: 'the name of a command is unique, without white space and without the leading `/`',
    on: [
      onUpdate(['available_commands_update'], ({ update }) =>
        commandFaults(update, '/params/update'),
      ),
      onAnswer(OPENERS, ({ result }) => commandFaults(result, '/result')),
    ],
  },
});

interface Compaction {
  status: string | undefined;
  /** Where it got a final status. */
  ended: Seq | undefined;
}

const compactions = fact<Session, Map<string, Compaction>>(() => new Map());

export const compactionFold: Fold = [
  onUpdate(['compaction_update'], ({ session, itemId, update, seq }) => {
    if (itemId === undefined) return;
    const status = str(update, 'status');
    const ended = compactions.of(session).get(itemId)?.ended;
    const last = isFinal(status) ? (ended ?? seq) : undefined;
    compactions.of(session).set(itemId, { status, ended: last });
  }),
  onUpdate(['compaction_summary_chunk'], ({ session, itemId }) => {
    const known = compactions.of(session);
    if (itemId !== undefined && !known.has(itemId))
      known.set(itemId, { status: 'in_progress', ended: undefined });
  }),
];

const AT = '/params/update';

export const COMPACTION = catalogue({
  'compaction/order': {
    side: 'agent',
    severity: 'error',
    clause:
      'a compaction begins with `compaction_update`, streams its summary and ends once; a summary is of a completed one, an error of a failed one',
    on: [
      onUpdate(['compaction_update'], (step) => {
        const { session, itemId, update, seq } = step;
        if (itemId === undefined) return undefined;
        const faults: RuleFault[] = [];
        const status = str(update, 'status');
        const known = compactions.of(session).get(itemId);
        if (!isReplay(step) && known?.ended !== undefined && status !== known.status)
          faults.push(
            fail(`${quote(itemId)} from ${known.status} to ${status}`, {
              pointer: `${AT}/status`,
              seqs: [known.ended, seq],
            }),
          );
        if (typeof get(update, 'error') === 'string' && status !== 'failed')
          faults.push(fail(`an error with the status ${status}`, `${AT}/error`));
        if (arr(update, 'summary').length > 0 && status !== 'completed')
          faults.push(fail(`a summary with the status ${status}`, `${AT}/summary`));
        return judged(faults);
      }),
      onUpdate(['compaction_summary_chunk'], (step, connection) => {
        const { session, itemId } = step;
        if (itemId === undefined || isReplay(step)) return undefined;
        const known = compactions.of(session).get(itemId);
        const pointer = `${AT}/compactionId`;
        if (known?.ended !== undefined)
          return fail(`a chunk of ${quote(itemId)}, which ended in #${known.ended}`, pointer);
        if (known !== undefined) return 'pass';
        const seen = `a chunk of ${quote(itemId)} before its \`compaction_update\``;
        // The schema lets such a chunk begin one.
        return knownFromStart(session, connection)
          ? fail(seen, { pointer, severity: 'warning' })
          : undecidable(
              `${seen}, which may have come before this trace`,
              'the whole session',
              pointer,
            );
      }),
    ],
  },
});
