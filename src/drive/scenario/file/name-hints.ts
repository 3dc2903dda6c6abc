// What may be a slip of the pen in a scenario that can be run: methods and updates that ACP does not
// know. Extensions exist, so it is told and hinders nothing.
import { isObject, str } from '../../../acp/json.ts';
import type { Json } from '../../../acp/message.ts';
import { parseQuery } from '../../../model/query/query.ts';
import { queriesIn, type Assertion } from '../assert/assertion.ts';
import type { Path } from './place.ts';
import { methodMeant, methodWarning, queryNames } from './query-names.ts';

export interface Hint {
  readonly path: Path;
  readonly message: string;
}

/** Of a step, or of a rule under `faults`. */
export function stepHints(step: Json, path: Path): readonly Hint[] {
  if (!isObject(step)) return [];
  return Object.keys(step).flatMap((key) => {
    const said = str(step, key);
    const message = said === undefined ? undefined : hintOn(key, said);
    return message === undefined ? [] : [{ path: [...path, key], message }];
  });
}

function hintOn(key: string, said: string): string | undefined {
  switch (key) {
    case 'answer':
    case 'on':
      return methodWarning(said);
    case 'request':
    case 'notify':
      // To send what nobody knows is a test too.
      return methodMeant(said) === undefined ? undefined : methodWarning(said);
    case 'expect': {
      if (said.includes('${')) return undefined;
      const parsed = parseQuery(said);
      return parsed.ok ? queryNames(parsed.terms)[0]?.message : undefined;
    }
    default:
      return undefined;
  }
}

export function assertHints(assertion: Assertion): readonly string[] {
  return queriesIn(assertion).flatMap(({ terms }) =>
    queryNames(terms).map(({ message }) => message),
  );
}
