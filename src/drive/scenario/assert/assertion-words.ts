// What an assertion and a query may say, in words for an editor: the calls and what they compare with,
// the fields of a query and the values that are known of them.
import {
  choicesOf,
  FIELD_FACTS,
  QUERY_FIELD_NAMES,
  type QueryField,
} from '../../../model/query/fields.ts';
import { RESTORE_VERDICTS } from '../../../model/restore/restore-verdict.ts';
import { SEVERITIES } from '../../../rules/finding.ts';
import { METHOD_NAMES, UPDATE_NAMES } from '../file/query-names.ts';
import { MEASURES } from './arguments.ts';
import { CALLS, FIDELITY_ORDER } from './assertion.ts';

/** A word that may stand there, what it is for, and the values that go with it. */
export interface ScenarioWord {
  readonly name: string;
  readonly doc: string;
  readonly values: readonly string[];
}

const CALL_WORDS: Readonly<Record<(typeof CALLS)[number], Omit<ScenarioWord, 'name'>>> = {
  count: { doc: 'How many frames match: `count(is:replay) = 21`.', values: [] },
  exists: { doc: 'Holds if a frame matches.', values: [] },
  none: { doc: 'Holds if no frame matches.', values: [] },
  order: {
    doc: 'Holds if a frame matches the first query, a later one the second, and so on: `order(type:req, type:res)`.',
    values: [],
  },
  first: { doc: 'The first frame that matches; `.at` is its time in the run.', values: [] },
  last: { doc: 'The last frame that matches; `.at` is its time in the run.', values: [] },
  max: {
    doc: 'The greatest `latency`, `size` or `gap` of the frames that match: `max(latency, method:session/prompt) < 2s`.',
    values: [],
  },
  min: { doc: 'The least of the same: `min(size, type:res) > 10b`.', values: [] },
  fidelity: {
    doc: 'How faithful a replay is: `fidelity(S1) >= cosmetic`. Of a session, `last`, `all` or the request’s frame.',
    values: FIDELITY_ORDER,
  },
  restore: {
    doc: 'What came of a restore, a word: `restore(last) = replayed-from-start`.',
    values: RESTORE_VERDICTS,
  },
  finding: {
    doc: 'How many findings: of a severity or worse, or of rules, such as `replay/*`.',
    values: [],
  },
};

export const ASSERTION_CALLS: readonly ScenarioWord[] = CALLS.map((name) => ({
  name,
  ...CALL_WORDS[name],
}));

const MEASURE_NAMES = Object.keys(MEASURES).map((name) => `${name}, `);

/** What stands first between the brackets of calls that do not begin with a query. */
export const CALL_TAKES: Readonly<Record<string, readonly string[]>> = {
  fidelity: ['last', 'all', 'S1'],
  restore: ['last', 'all', 'S1'],
  finding: SEVERITIES,
  max: MEASURE_NAMES,
  min: MEASURE_NAMES,
};

const KNOWN: Readonly<Partial<Record<QueryField, readonly string[]>>> = {
  update: UPDATE_NAMES,
  method: METHOD_NAMES,
  session: ['S1', 'S2'],
  finding: ['any'],
  connection: ['1', '2'],
};

export const QUERY_FIELDS: readonly ScenarioWord[] = QUERY_FIELD_NAMES.map((name) => ({
  name,
  doc: FIELD_FACTS[name].doc,
  values: choicesOf(name) ?? KNOWN[name] ?? [],
}));
