// All recordings of real agents, in our format and in the recorder's, by their path in fixtures/.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TraceEvent } from '../../trace/event.ts';
import { AnyReader } from '../../trace/import/sniff.ts';

const FIXTURES = fileURLToPath(new URL('../fixtures', import.meta.url));

export interface Recording {
  /** `opencode/1.18.33/load-v1.ndjson` */
  readonly name: string;
  readonly events: readonly TraceEvent[];
}

/** Throws on a line that is no event: a broken fixture is a broken test. */
export function recordings(): readonly Recording[] {
  return readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(acptrace\.jsonl|ndjson)$/.test(name))
    .map((name) => name.replaceAll('\\', '/'))
    .sort()
    .map((name) => ({ name, events: read(name) }));
}

function read(name: string): readonly TraceEvent[] {
  const reader = new AnyReader();
  const items = [...reader.push(readFileSync(join(FIXTURES, name))), ...reader.end()];
  return items.map((item) => {
    if ('problem' in item) throw new Error(`${name}, line ${item.line}: ${item.problem}`);
    return item.event;
  });
}
