// WebSocket messages of a HAR file, as Chrome and HTTP Toolkit export them. Several sockets follow each
// other in the order of their requests: the end of one is told where the next begins.
import { JsonRecord } from '../json-record.ts';
import { fromBase64 } from '../../../lib/utf8.ts';
import { lineOf } from '../../line.ts';
import { odd, type WholeFileFormat, type ImportedPiece } from '../format.ts';

const BINARY = 2;

export const HAR: WholeFileFormat = {
  reads: 'document',
  word: 'har',
  name: 'the WebSocket messages of a HAR file',
  clock: 'wall',
  fates: {
    time: ['given', 'the wall clock'],
    sender: ['given', 'who opened the socket is the client'],
    line: ['given', 'each message is a line'],
    order: ['given', 'of a socket; several sockets stand one behind the other'],
    stderr: ['lost', ''],
    process: ['inferred', 'a connection ends where the next one begins'],
  },
  fits: (_, json) => socketsOf(json).length > 0,
  read: (_, json) => ({
    facts: { tool: toolOf(json) },
    pieces: socketsOf(json).flatMap((socket, i) => [
      ...(i === 0 ? [] : [{ type: 'exit' } as const]),
      ...startOf(socket),
      ...socket.items('_webSocketMessages').map(({ record, json: text }) => pieceOf(record, text)),
    ]),
  }),
};

function socketsOf(json: unknown): readonly JsonRecord[] {
  const log = json instanceof JsonRecord ? json.record('log') : undefined;
  const entries = log?.items('entries') ?? [];
  return entries.flatMap(({ record }) =>
    record !== undefined && record.items('_webSocketMessages').length > 0 ? [record] : [],
  );
}

function toolOf(json: unknown): string | undefined {
  const log = json instanceof JsonRecord ? json.record('log') : undefined;
  const creator = log?.record('creator');
  const name = creator?.text('name');
  return name === undefined ? undefined : [name, creator?.text('version')].join(' ').trim();
}

function startOf(entry: JsonRecord): readonly ImportedPiece[] {
  const url = entry.record('request')?.text('url');
  return url === undefined ? [] : [{ type: 'start', argv: [url] }];
}

function pieceOf(record: JsonRecord | undefined, text: string): ImportedPiece {
  const type = record?.text('type');
  const data = record?.text('data');
  if (!record || data === undefined || (type !== 'send' && type !== 'receive'))
    return odd(`no message of a WebSocket${type === undefined ? '' : ` (${type})`}`, text);
  const from = type === 'send' ? 'client' : 'agent';
  const seconds = record.number('time');
  const at = seconds === undefined ? undefined : seconds * 1000;
  const bytes = record.number('opcode') === BINARY ? fromBase64(data) : undefined;
  return { type: 'frame', from, line: bytes ? lineOf(bytes) : { text: data }, at };
}
