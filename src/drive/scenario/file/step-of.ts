// Steps and rules out of values that were found sound.
import type { Wrong } from '../../../acp/answers.ts';
import { knownVersion } from '../../../acp/handshake.ts';
import { get, isArray, num, obj, str } from '../../../acp/json.ts';
import type { Json } from '../../../acp/message.ts';
import { parseQuery } from '../../../model/query/parse.ts';
import { ruleIn } from '../../intercept/read.ts';
import type { AnswerRule, Captures, Interception, LineFault, ScenarioStep } from './scenario.ts';
import { FAULT_KINDS, STEP_KINDS, type FaultKind } from './table.ts';

/** Undefined: it is no step. */
export function stepOf(value: Json): ScenarioStep | undefined {
  const kind = STEP_KINDS.find((one) => get(value, one) !== undefined);
  const fault = faultIn(value);
  const params = get(value, 'params') ?? {};
  const within = num(value, 'within');
  const text = (kind === undefined ? undefined : str(value, kind)) ?? '';
  const ms = (kind === undefined ? undefined : num(value, kind)) ?? 0;
  switch (kind) {
    case undefined:
      return undefined;
    case 'request': {
      const lost = ['drop', 'reorder', 'truncate'].includes(fault?.kind ?? '');
      const said = get(value, 'wait');
      const wait = said === undefined ? !lost : said === true;
      return { kind, method: text, params, capture: capturesIn(value), within, wait, fault };
    }
    case 'notify':
      return { kind, method: text, params, fault };
    case 'line':
      return { kind, text, fault };
    case 'expect': {
      const parsed = text.includes('${') ? undefined : parseQuery(text);
      const parts = parsed?.ok ? parsed.query : undefined;
      const nth = num(value, 'nth') ?? 1;
      return { kind, query: text, parts, nth, within, capture: capturesIn(value) };
    }
    case 'answer':
      return { kind, rule: answerRuleOf(value, text) };
    case 'quiet':
      return { kind, ms, within };
    case 'wait':
      return { kind, ms };
    case 'kill':
      return { kind, how: text === 'SIGKILL' || text === 'SIGTERM' ? text : 'stdin' };
    case 'cut':
      return { kind };
    case 'restart': {
      const handshake = get(value, 'handshake');
      return {
        kind,
        protocol: versionIn(value),
        handshake: typeof handshake === 'boolean' ? handshake : undefined,
      };
    }
    case 'intercept':
      return { kind, by: interceptionOf(get(value, kind)) };
  }
}

function answerRuleOf(value: Json, method: string): AnswerRule {
  const wrong = str(value, 'wrong');
  return {
    method,
    says: saysIn(value),
    times: timesIn(value),
    late: num(value, 'late'),
    twice: get(value, 'twice') === true,
    never: get(value, 'never') === true,
    wrong: (['id', 'result', 'both'] as const).find((one): one is Wrong => one === wrong),
  };
}

function saysIn(value: Json): AnswerRule['says'] {
  const [result, error, option] = [get(value, 'result'), obj(value, 'error'), str(value, 'select')];
  if (result !== undefined) return { kind: 'result', result };
  if (error !== undefined) return { kind: 'error', error };
  return option === undefined ? undefined : { kind: 'select', option };
}

export function interceptionOf(rules: Json | undefined): Interception {
  const list = isArray(rules) ? rules : [];
  return {
    text: list.length === 0 ? undefined : JSON.stringify({ rules }),
    rules: list.flatMap((one) => ruleIn(one, [], () => undefined) ?? []),
  };
}

function faultIn(value: Json): LineFault | undefined {
  const said = obj(value, 'fault');
  const kind = FAULT_KINDS.find((one) => get(said, one) !== undefined);
  return kind === undefined ? undefined : faultOf(kind, num(said, kind) ?? 0, num(said, 'pause'));
}

const PAUSE_MS = 20;

function faultOf(kind: FaultKind, number: number, pause: number | undefined): LineFault {
  switch (kind) {
    case 'delay':
      return { kind, ms: number };
    case 'drop':
    case 'reorder':
      return { kind };
    case 'duplicate':
      return { kind, more: number };
    case 'truncate':
      return { kind, bytes: number };
    case 'split':
      return { kind, bytes: number, pause: pause ?? PAUSE_MS };
  }
}

function timesIn(value: Json): number {
  return get(value, 'times') === 'all' ? Infinity : (num(value, 'times') ?? 1);
}

export function versionIn(value: Json): 1 | 2 | undefined {
  return knownVersion(num(value, 'protocol'));
}

function capturesIn(value: Json): Captures {
  const said = obj(value, 'capture');
  if (said === undefined) return [];
  return Object.entries(said).flatMap(([name, pointer]) =>
    typeof pointer === 'string' ? [{ name, pointer }] : [],
  );
}
