// Plans and commands: lists that replace the one before. Families `plan` and `commands` of the
// catalogue.
import { isArray, get, obj, objects, str } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import { OPENERS } from '../../acp/method-groups.ts';
import type { Seq } from '../../trace/event.ts';
import type { Session } from '../connection.ts';
import { fact } from '../facts.ts';
import { onAnswer, onUpdate } from '../listen.ts';
import { fail, judged, type Fault, type Outcome } from '../outcome.ts';
import { quote, quoteAll } from '../quote.ts';
import type { Fold, Rule } from '../rule.ts';
import type { UpdateStep } from '../step.ts';

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

const planFold: Fold = {
  on: [
    onUpdate(PLANS, (step) => {
      const plan = planOf(step);
      if (plan === undefined) return;
      plans.of(step.session).set(plan.id, { seq: step.seq, entries: entriesOf(plan.holder) });
    }),
  ],
};

const partial: Rule = {
  id: 'plan/partial',
  versions: [1, 2],
  side: 'agent',
  severity: 'hint',
  clause: 'a plan update holds every entry of the plan, changed or not',
  on: [
    onUpdate(PLANS, (step) => {
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
  ],
};

/** Undefined: there is no list. */
function commandFaults(holder: Json | undefined, at: string): Outcome {
  if (!isArray(get(holder, 'availableCommands'))) return undefined;
  const faults: Fault[] = [];
  const seen = new Set<string>();
  for (const [i, command] of objects(holder, 'availableCommands').entries()) {
    const name = str(command, 'name');
    if (name === undefined) continue;
    const pointer = `${at}/availableCommands/${i}/name`;
    if (seen.has(name)) faults.push(fail(`the command ${quote(name)} is there twice`, { pointer }));
    seen.add(name);
    if (name.startsWith('/'))
      faults.push(fail(`the command is named ${quote(name)}, with its slash`, { pointer }));
    if (/\s/.test(name))
      faults.push(fail(`the command is named ${quote(name)}, with white space`, { pointer }));
  }
  return judged(faults);
}

const commandName: Rule = {
  id: 'commands/name',
  versions: [1, 2],
  side: 'agent',
  severity: 'error',
  // Only SDK 2.4.0 says what a name is made of.
  clause: 'the name of a command is unique, without white space and without the leading `/`',
  on: [
    onUpdate(['available_commands_update'], ({ update }) =>
      commandFaults(update, '/params/update'),
    ),
    onAnswer(OPENERS, ({ result }) => commandFaults(result, '/result')),
  ],
};

export const PLAN: readonly Rule[] = [partial, commandName];
export const PLAN_FOLDS: readonly Fold[] = [planFold];
