// The file of a trace that a page lent the relay: its name says which trace it is, so that whoever sees
// the command line of a replayed agent knows its recording.
import { connectionId, type ConnectionId } from '../trace/event.ts';

const END = '.acptrace.jsonl';
const MOST_NAME = 40;
const NAME = /^(?:[a-z0-9-]{1,40})\.([\w-]{1,64})\.acptrace\.jsonl$/;

/** Undefined: the trace's id is none that stands in a name. `name`: as a person calls it. */
export function lentName(trace: ConnectionId, name: string): string | undefined {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MOST_NAME)
    .replace(/^-+|-+$/g, '');
  const file = `${plain === '' ? 'trace' : plain}.${trace}${END}`;
  return lentTrace(file) === trace ? file : undefined;
}

/** The trace that a file holds; undefined: its name is not one of `lentName`. */
export function lentTrace(path: string): ConnectionId | undefined {
  const [, id] = NAME.exec(path.split(/[\\/]/).at(-1) ?? '') ?? [];
  return id === undefined ? undefined : connectionId(id);
}

/** The trace that this command line plays as the agent; undefined: it plays none that was lent. */
export function playedTrace(argv: readonly string[]): ConnectionId | undefined {
  const at = argv.findLastIndex((word, place) => word === 'replay' && argv[place + 2] === '--as');
  if (at < 0 || argv[at + 3] !== 'agent') return undefined;
  return lentTrace(argv[at + 1] ?? '');
}
