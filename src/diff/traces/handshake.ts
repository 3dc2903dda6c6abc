// The view `handshake`: what client and agent told each other of themselves, key by key.
import { get, isObject } from '../../acp/json.ts';
import type { Json, Message } from '../../acp/message.ts';
import { REQ } from '../../model/columns.ts';
import { saidBy } from '../../model/timeline/digest.ts';
import type { EventTest } from '../../model/query/match.ts';
import type { IndexedTrace } from '../../model/indexed-trace.ts';
import type { Ignoring } from './ignore.ts';
import { listLane, newEntry, type LaneEntry, type Lane } from './lane.ts';
import type { DiffSection } from './report/report.ts';
import type { Tokens } from './tokens.ts';

/** v1 and v2 have other keys for the same things. */
const PARTS: readonly { readonly of: string; readonly keys: readonly string[] }[] = [
  { of: 'protocolVersion', keys: ['protocolVersion'] },
  { of: 'info', keys: ['clientInfo', 'agentInfo', 'info'] },
  { of: 'capabilities', keys: ['clientCapabilities', 'agentCapabilities', 'capabilities'] },
  { of: 'authMethods', keys: ['authMethods'] },
];

export async function handshakeOf(
  source: IndexedTrace,
  takes: EventTest,
  ignoring: Ignoring,
  pause: () => Promise<void>,
  tokens: Tokens,
): Promise<Lane> {
  const { index, eventAt } = source;
  const { columns } = index;
  const entries: LaneEntry[] = [];
  const sections: DiffSection[] = [
    { name: 'Client', words: '' },
    { name: 'Agent', words: '' },
  ];
  for (let place = 0; place < index.length; place++) {
    if (place % 500 === 0) await pause();
    if (columns.nameOf(place) !== 'initialize' || !takes(place)) continue;
    const event = eventAt(place);
    const message = saidBy(event);
    const section = columns.kind.get(place) === REQ ? 0 : 1;
    const add = (of: string, value: Json) => {
      const left = ignoring.strip(of, { [of]: value });
      if (!isObject(left) || !Object.hasOwn(left, of)) return;
      const entry = newEntry({ of, weak: `${section} ${of}`, first: place, section, value: left });
      entries.push(entry);
      tokens.add(entry.weak, left);
    };
    if (message?.kind === 'failure') add('error', message.error);
    const said = bodyOf(message);
    if (!isObject(said)) continue;
    const known = new Set(PARTS.flatMap(({ keys }) => keys));
    for (const { of, keys } of PARTS) {
      const key = keys.find((one) => get(said, one) !== undefined);
      if (key !== undefined) add(of, get(said, key) ?? null);
    }
    for (const [key, value] of Object.entries(said)) if (!known.has(key)) add(key, value);
  }
  return listLane(source, entries, sections);
}

function bodyOf(message: Message | undefined): Json | undefined {
  if (message?.kind === 'request') return message.params;
  return message?.kind === 'success' ? message.result : undefined;
}
