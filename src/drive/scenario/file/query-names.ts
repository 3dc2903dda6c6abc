// Names that a query and an assertion ask for, held against what there is: a slip of the pen finds
// nothing, and nothing is what `none(…)` and `= 0` wait for.
import { KINDS } from '../../../model/columns.ts';
import { methodsOf } from '../../../acp/methods.ts';
import { termsIn, type FieldTerm, type Query } from '../../../model/query/query.ts';
import { ITEM_UPDATES } from '../../../model/facts/variants.ts';
import { SEVERITIES } from '../../../rules/finding.ts';
import { RULES } from '../../../rules/registry.ts';
import { didYouMean, nearest } from '../../../lib/nearest.ts';

interface NameProblem {
  /** One that can be meant so is told, and hinders nothing. */
  readonly isWarning: boolean;
  readonly message: string;
  readonly term: FieldTerm;
  /** Of the name, in the query. */
  readonly from: number;
  readonly to: number;
}

/** What is asked: of a recorded one, what breaks the protocol may be looked for. */
export type RunTense = 'to come' | 'recorded';

/** Beside rules: any that counts, or by what it counts as. */
const FINDING_WORDS: readonly string[] = ['any', ...SEVERITIES, 'undecidable', 'suppressed'];

/** Source: `ToolKind` of both schemas; in v2 an agent's own begin with `_`. */
const TOOL_KINDS: readonly string[] = [
  'read',
  'edit',
  'delete',
  'move',
  'search',
  'execute',
  'think',
  'fetch',
  'switch_mode',
  'other',
];

const RULE_IDS: readonly string[] = RULES.map(({ id }) => id);
/** Of both versions and sides. */
export const METHOD_NAMES: readonly string[] = [
  ...new Set(
    ([1, 2] as const).flatMap((version) =>
      (['client', 'agent'] as const).flatMap((side) =>
        methodsOf(version, side).map(({ name }) => name),
      ),
    ),
  ),
];

/** Those of both versions. */
export const UPDATE_NAMES: readonly string[] = [
  ...ITEM_UPDATES,
  'plan',
  'state_update',
  'available_commands_update',
  'current_mode_update',
  'config_option_update',
  'session_info_update',
  'usage_update',
  'notice',
  'subagent_update',
  'replay_complete',
];

export function queryNames(query: Query, run: RunTense): readonly NameProblem[] {
  return termsIn(query).flatMap((term) => (term.kind === 'path' ? [] : namesIn(term, run)));
}

/** A name that stands twice in a term is told once. */
function namesIn(term: FieldTerm, run: RunTense): readonly NameProblem[] {
  const texts = new Set(term.values.flatMap((value) => ('text' in value ? value.text : [])));
  return [...texts].flatMap((text) => {
    const message = problemOf(term, text);
    if (message === undefined) return [];
    const isWarning = term.field !== 'finding' && (term.field !== 'kind' || run === 'recorded');
    return { isWarning, message, term, ...placeOf(term, text) };
  });
}

/** Of a value as it is written; of the whole term where escapes make it another text. */
function placeOf(
  { source, field, from, to }: FieldTerm,
  text: string,
): Pick<NameProblem, 'from' | 'to'> {
  for (let at = source.indexOf(text, field.length); at >= 0; at = source.indexOf(text, at + 1)) {
    const isWhole =
      /[:,"\s]/.test(source[at - 1] ?? '') && /[,"\s]|^$/.test(source[at + text.length] ?? '');
    if (isWhole) return { from: from + at, to: from + at + text.length };
  }
  return { from, to };
}

function problemOf({ field }: FieldTerm, text: string): string | undefined {
  switch (field) {
    case 'finding':
      return FINDING_WORDS.includes(text) ? undefined : ruleProblem(text, FINDING_WORDS);
    case 'kind':
      if (text.startsWith('_') || isOneOf(text, TOOL_KINDS)) return undefined;
      if (isOneOf(text, KINDS))
        return `${text} is a type of message, no kind of tool: type:${text} finds it.`;
      return `There is no tool kind ${text}.${didYouMean(text, TOOL_KINDS)} Kinds are ${TOOL_KINDS.join(', ')}.`;
    case 'method':
      return methodWarning(text);
    case 'update': {
      if (text.startsWith('_') || isOneOf(text, UPDATE_NAMES)) return undefined;
      const near = nearest(text, UPDATE_NAMES);
      return near === undefined ? undefined : `ACP has no update ${text}. Did you mean ${near}?`;
    }
    default:
      return undefined;
  }
}

/** Of a method that ACP does not know, and that is no extension. May end in `*`. */
export function methodWarning(name: string): string | undefined {
  if (name.startsWith('_') || isOneOf(name, METHOD_NAMES)) return undefined;
  return `ACP has no method ${name}.${didYouMean(name, METHOD_NAMES)}`;
}

/** The known method that one may be a slip of. */
export function methodMeant(name: string): string | undefined {
  return isOneOf(name, METHOD_NAMES) ? undefined : nearest(name, METHOD_NAMES);
}

/** Of a rule's id, which may end in `*`. `words`: what may stand there beside it. */
export function ruleProblem(name: string, words: readonly string[]): string | undefined {
  if (isOneOf(name, RULE_IDS)) return undefined;
  return name.endsWith('*')
    ? `No rule begins with ${name.slice(0, -1)}. docs/rules.md lists them.`
    : `There is no rule ${name}.${didYouMean(name, [...words, ...RULE_IDS])} It is one of ${words.join(', ')}, or a rule of docs/rules.md.`;
}

function isOneOf(name: string, known: readonly string[]): boolean {
  if (!name.endsWith('*')) return known.includes(name);
  return known.some((one) => one.startsWith(name.slice(0, -1)));
}
