// Names that a query and an assertion ask for, held against what there is: a slip of the pen finds
// nothing, and nothing is what `none(…)` and `= 0` wait for.
import { methodsOf } from '../../../acp/methods.ts';
import { termsIn, type FieldTerm, type Query, type Value } from '../../../model/query/query.ts';
import { ITEM_UPDATES } from '../../../model/facts/variants.ts';
import { SEVERITIES } from '../../../rules/finding.ts';
import { RULES } from '../../../rules/registry.ts';
import { didYouMean, nearest } from '../../../lib/nearest.ts';

export interface NameProblem {
  /** One that can be meant so is told, and hinders nothing. */
  readonly isWarning: boolean;
  readonly message: string;
  readonly term: FieldTerm;
}

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
export const METHODS: readonly string[] = [
  ...new Set(
    ([1, 2] as const).flatMap((version) =>
      (['client', 'agent'] as const).flatMap((side) =>
        methodsOf(version, side).map(({ name }) => name),
      ),
    ),
  ),
];

/** What is wrong with the names of a query that can be read. */
export function queryNames(query: Query): readonly NameProblem[] {
  return termsIn(query).flatMap((term) => {
    if (term.kind === 'path') return [];
    return term.values.flatMap((value): readonly NameProblem[] => {
      const error = errorIn(term, value);
      if (error !== undefined) return [{ isWarning: false, message: error, term }];
      const warning = 'text' in value ? warningIn(term, value.text) : undefined;
      return warning === undefined ? [] : [{ isWarning: true, message: warning, term }];
    });
  });
}

function errorIn({ field }: FieldTerm, value: Value): string | undefined {
  if (!('text' in value)) return undefined;
  const { text } = value;
  if (field === 'finding')
    return FINDING_WORDS.includes(text) ? undefined : ruleProblem(text, FINDING_WORDS);
  if (field === 'kind' && !isOneOf(text, TOOL_KINDS) && !text.startsWith('_'))
    return `There is no tool kind ${text}.${didYouMean(text, TOOL_KINDS)} Kinds are ${TOOL_KINDS.join(', ')}.`;
  return undefined;
}

function warningIn({ field }: FieldTerm, text: string): string | undefined {
  if (field === 'method') return methodWarning(text);
  if (field !== 'update' || text.startsWith('_') || isOneOf(text, ITEM_UPDATES)) return undefined;
  const near = nearest(text, ITEM_UPDATES);
  return near === undefined ? undefined : `ACP has no update ${text}. Did you mean ${near}?`;
}

/** Of a method that ACP does not know, and that is no extension. May end in `*`. */
export function methodWarning(name: string): string | undefined {
  if (name.startsWith('_') || isOneOf(name, METHODS)) return undefined;
  return `ACP has no method ${name}.${didYouMean(name, METHODS)}`;
}

/** The known method that one may be a slip of. */
export function methodMeant(name: string): string | undefined {
  return isOneOf(name, METHODS) ? undefined : nearest(name, METHODS);
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
