// The messages of a HAR file, as browsers and proxies export it: those of WebSockets, or of HTTP with event streams. One
// connection follows another, and an exit is between them.
import { JsonRecord, readRecord } from '../json-record.ts';
import { fromBase64 } from '../../../lib/utf8.ts';
import { lineOf } from '../../line.ts';
import { isRpc } from '../found-message.ts';
import { odd, type Fates, type WholeFileFormat, type ImportedPiece } from '../format.ts';
import { httpConnections } from './har-http.ts';

const BINARY = 2;

const FATES: Fates = {
  time: ['given', 'the wall clock'],
  sender: ['given', 'who opened the socket is the client'],
  line: ['given', 'each message is a line'],
  order: ['given', 'of a socket; several sockets follow one after the other'],
  stderr: ['lost', ''],
  process: ['inferred', 'a connection ends where the next one begins'],
};

export const HAR: WholeFileFormat = {
  reads: 'document',
  word: 'har',
  name: 'the WebSocket messages of a HAR file',
  clock: 'wall',
  fates: FATES,
  fits: (_, json) => socketsOf(json).length > 0,
  read: (_, json) => ({
    facts: { tool: toolOf(json) },
    pieces: inTurn(
      socketsOf(json).map((socket) => [
        ...startOf(socket),
        ...socket
          .items('_webSocketMessages')
          .map(({ record, json: text }) => pieceOf(record, text)),
      ]),
    ),
  }),
};

export const HAR_HTTP: WholeFileFormat = {
  reads: 'document',
  word: 'har-http',
  name: 'the HTTP messages of a HAR file',
  clock: 'wall',
  fates: {
    ...FATES,
    time: [
      'partly',
      'the wall clock; an event of a stream has a time if the file lists its events',
    ],
    sender: ['given', 'the client sends the requests'],
    line: ['given', 'each body or event is a line'],
    order: ['partly', 'by time; events without a time by requests and responses'],
  },
  fits: (_, json) =>
    !socketsOf(json).some(isSocketOfMessages) && httpConnections(entriesOf(json)).length > 0,
  read: (_, json) => ({
    facts: { tool: toolOf(json) },
    pieces: inTurn(httpConnections(entriesOf(json))),
  }),
};

/** The pieces of one connection after the other. */
function inTurn(connections: readonly (readonly ImportedPiece[])[]): readonly ImportedPiece[] {
  return connections.flatMap((pieces, i) => [
    ...(i === 0 ? [] : [{ type: 'exit' } as const]),
    ...pieces,
  ]);
}

function entriesOf(json: unknown): readonly JsonRecord[] {
  const log = json instanceof JsonRecord ? json.record('log') : undefined;
  return log?.items('entries').flatMap(({ record }) => record ?? []) ?? [];
}

function socketsOf(json: unknown): readonly JsonRecord[] {
  return entriesOf(json).filter((entry) => entry.items('_webSocketMessages').length > 0);
}

/** True if a message of the socket is JSON-RPC. */
function isSocketOfMessages(socket: JsonRecord): boolean {
  return socket
    .items('_webSocketMessages')
    .some(({ record }) => isRpc(readRecord(record?.text('data') ?? '')));
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
