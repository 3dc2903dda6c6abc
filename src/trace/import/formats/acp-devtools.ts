// acp-devtools: its export, one JSON object with the session and all its messages, and the lines of
// `inspect --format jsonl`, one such message each. `raw` is the line of the wire, but for what the tool
// took out: then `<REDACTED>` stands there, and the line was written anew.
import { JsonRecord, readRecord } from '../json-record.ts';
import { recordLines } from '../record-lines.ts';
import { splitCommand } from '../../../lib/split-command.ts';
import type { Side } from '../../event.ts';
import {
  frame,
  odd,
  type WholeFileFormat,
  type Fates,
  type LineFormat,
  type ImportedPiece,
} from '../format.ts';

const SIDES: ReadonlyMap<string | undefined, Side> = new Map([
  ['editor-to-agent', 'client'],
  ['agent-to-editor', 'agent'],
]);
const REDACTED = '<REDACTED>';

const FATES: Fates = {
  time: ['given', 'the wall clock in milliseconds, which may run backwards'],
  sender: ['given', ''],
  line: ['partly', 'as it crossed; a line that the tool redacted was written anew by it'],
  order: ['given', ''],
  stderr: ['lost', 'the tool passes it on and keeps none'],
  process: ['partly', 'when it began and the command; not how it ended'],
};

const KIND = {
  word: 'acp-devtools',
  name: 'an export of acp-devtools',
  fates: FATES,
  clock: 'wall',
} as const;

export const ACP_DEVTOOLS: WholeFileFormat = {
  ...KIND,
  reads: 'document',
  fits: (_, json) =>
    json instanceof JsonRecord && json.number('version') === 1 && json.has('session', 'messages'),
  read(_, json) {
    if (!(json instanceof JsonRecord)) return { pieces: [] };
    const [tool, session] = [json.record('tool'), json.record('session')];
    const command = session?.text('agentCommand');
    const split = command === undefined ? undefined : splitCommand(command);
    const argv = split?.ok === true ? split.argv : command === undefined ? undefined : [command];
    const ended = session?.number('endedAt');
    return {
      facts: {
        tool: [tool?.text('name') ?? 'acp-devtools', tool?.text('version')].join(' ').trim(),
        name: session?.text('name'),
        argv,
      },
      pieces: [
        ...(argv ? [{ type: 'start', argv, at: session?.number('startedAt') } as const] : []),
        ...json
          .items('messages')
          .map(({ record, json: text }) => (record ? pieceOf(record) : odd('no message', text))),
        // How it ended is not said.
        ...(ended === undefined ? [] : [{ type: 'exit', at: ended } as const]),
      ],
    };
  },
};

export const ACP_DEVTOOLS_LINES: LineFormat = {
  ...KIND,
  reads: 'lines',
  fits(line) {
    const record = readRecord(line);
    return record?.has('raw') === true && sideOf(record) !== undefined;
  },
  begin: recordLines('no message of acp-devtools', pieceOf),
};

function sideOf(record: JsonRecord): Side | undefined {
  return SIDES.get(record.text('direction'));
}

function pieceOf(record: JsonRecord): ImportedPiece {
  const from = sideOf(record);
  if (from === undefined)
    return odd('no message of acp-devtools: it has no direction', textOf(record));
  const at = record.number('timestamp');
  const raw = record.text('raw');
  if (raw !== undefined)
    return frame(from, raw, at, ...(raw.includes(REDACTED) ? ['line' as const] : []));
  const payload = record.json('payload');
  return payload === undefined
    ? odd('a message of acp-devtools without its line', textOf(record))
    : frame(from, payload, at, 'line');
}

function textOf(record: JsonRecord): string {
  return record
    .keys()
    .map((key) => `${key}: ${record.json(key) ?? 'null'}`)
    .join(', ');
}
