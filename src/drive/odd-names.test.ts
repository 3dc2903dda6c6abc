// Ids are an agent's own words: what JavaScript itself calls a member of its objects, or a command line an
// option, is an id like any other. Recordings of real agents, with their ids renamed.
import { expect, test } from 'vitest';
import { isArray, isObject, parseJson } from '../acp/json.ts';
import type { Json } from '../acp/message.ts';
import { fidelityOf } from '../model/fidelity/fidelity.ts';
import { checkTrace } from '../rules/check-trace.ts';
import { World } from '../rules/connection.ts';
import { loadRemarks } from '../rules/steps.ts';
import { sourcesOf } from '../test/traces/fidelity-sources.ts';
import { recordings } from '../test/traces/recordings.ts';
import { SETS } from '../test/traces/reviewed.ts';
import type { TraceEvent } from '../trace/event.ts';

const ODD = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', '-x', '--all'];
/** By what they name: a session and a call may have the same id. */
const NAMES: Readonly<Record<string, string>> = {
  sessionId: 'session',
  senderSessionId: 'session',
  recipientSessionId: 'session',
  toolCallId: 'tool',
  messageId: 'message',
  senderMessageId: 'message',
  recipientMessageId: 'message',
  terminalId: 'terminal',
};

/** The same traces, each id in the place of the nth one called as `nameOf` says. */
function renamed(
  traces: readonly (readonly TraceEvent[])[],
  nameOf: (nth: number) => string,
): readonly (readonly TraceEvent[])[] {
  const known = new Map<string, Map<string, string>>();
  const take = (value: Json, key: string): Json => {
    if (isArray(value)) return value.map((item) => take(item, key));
    if (isObject(value))
      return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, take(v, k)]));
    const of = NAMES[key];
    if (of === undefined || typeof value !== 'string') return value;
    const names = known.get(of) ?? new Map<string, string>();
    known.set(of, names);
    const name = names.get(value) ?? nameOf(names.size);
    names.set(value, name);
    return name;
  };
  return traces.map((events) =>
    events.map((event) => {
      if (event.type !== 'frame' || !('text' in event.line)) return event;
      const value = parseJson(event.line.text);
      return value === undefined
        ? event
        : { ...event, line: { text: JSON.stringify(take(value, '')) } };
    }),
  );
}

const remarksOf = await loadRemarks();

/** What is said of them, without the words in which ids stand. */
function said(traces: readonly (readonly TraceEvent[])[]) {
  const world = new World();
  const findings = traces.flatMap((events, at) =>
    checkTrace(events, { remarksOf, world, name: `c${at + 1}` }).findings.map(
      ({ rule, verdict, severity, seqs }) => ({ at, rule, verdict, severity, seqs }),
    ),
  );
  const { windows } = fidelityOf(sourcesOf(traces));
  return {
    findings,
    windows: windows.map(({ verdict, differences, children }) => ({
      verdict,
      differences: differences.map(({ of, kind, live, replayed }) => ({
        of,
        kind,
        live,
        replayed,
      })),
      children: children.map((child) => child.verdict),
    })),
  };
}

const EVENTS = new Map(recordings().map(({ name, events }) => [name, events]));
const cases = Object.entries(SETS).map(([name, files]) => ({
  name,
  traces: files.map((file) => EVENTS.get(file) ?? []),
}));

test.each(cases)('of $name the same is said whatever its ids are called', ({ traces }) => {
  const many = (nth: number) => `${nth < ODD.length ? '' : nth}`;
  const odd = said(renamed(traces, (nth) => `${ODD[nth % ODD.length]}${many(nth)}`));
  expect(odd).toEqual(said(renamed(traces, (nth) => `plain-${nth}`)));
  expect(odd.findings.length + odd.windows.length).toBeGreaterThan(0);
});
