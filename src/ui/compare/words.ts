// Words and pictures that comparisons share.
import type { Alias } from '../../diff/traces/report/report.ts';
import { count } from '../../lib/format.ts';
import { ALIAS_WORDS, type AliasKind } from '../../model/sessions/compare-terms.ts';
import type { IconName } from '../parts/icons.ts';

export function aliasKindWords(kind: AliasKind, number = 2): string {
  return ALIAS_WORDS[kind][number === 1 ? 0 : 1];
}

/** Both real values, for hovering. */
export function aliasTitle({ kind, a, b, uses }: Alias): string {
  const side = (value: string | undefined, times: number) =>
    value === undefined ? 'nothing' : `${value} · ${count(times, 'time')}`;
  return `${aliasKindWords(kind, 1)}\nleft: ${side(a, uses.a)}\nright: ${side(b, uses.b)}`;
}

const ICONS: readonly (readonly [begins: RegExp, icon: IconName])[] = [
  [/^user/, 'user'],
  [/^(?:agent|peer)(?:_message|$)/, 'message'],
  [/^(?:thought|agent_thought)/, 'thought'],
  [/^tool/, 'read'],
  [/^turn end/, 'check'],
  [/^session\/(?:load|resume)/, 'again'],
  [/^session\/request_permission/, 'lock'],
  [/^session\/prompt/, 'user'],
  [/^session\/cancel/, 'stop'],
  [/^(?:plan|title)/, 'menu'],
  [/^(?:terminal|commands)/, 'terminal'],
  [/^fs\//, 'file'],
  [/^exit/, 'stop'],
  [/^(?:turn \d|[→←] )/, 'wait'],
  [/^(?:initialize|authenticate|session\/|protocolVersion|info|capabilities|authMethods)/, 'plug'],
];

/** Of what a row is: an item, a method, a part of a handshake. */
export function iconOf(of: string): IconName {
  return ICONS.find(([begins]) => begins.test(of))?.[1] ?? 'settings';
}

/** `$.content[0].text`: `text`. */
export function lastName(path: string): string {
  return /([\w-]+)(?:\[[^\]]*\])*$/.exec(path)?.[1] ?? '';
}

/** Without the root. */
export function pathWords(path: string): string {
  return path.replace(/^\$\.?/, '') || '$';
}
