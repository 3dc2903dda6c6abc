// The history that MCP Inspector exports: an array of requests, each with its answer in the same entry,
// and notifications. For agents that were reached through it.
import { isList, type JsonItem, type JsonRecord } from '../json-record.ts';
import type { Side } from '../../event.ts';
import { frame, odd, type WholeFileFormat, type ImportedPiece } from '../format.ts';

const DIRECTIONS: readonly (string | undefined)[] = ['request', 'response', 'notification'];

export const MCP_INSPECTOR: WholeFileFormat = {
  reads: 'document',
  word: 'mcp-inspector',
  name: 'an export of MCP Inspector',
  clock: 'wall',
  fates: {
    time: ['partly', 'of an answer it is the time of its request and what it took'],
    sender: ['partly', 'its origin; without one, a request is the client’s'],
    line: ['inferred', 'made again from what was parsed'],
    order: ['inferred', 'by time: request and answer stand in one entry'],
    stderr: ['lost', ''],
    process: ['lost', ''],
  },
  fits: (_, json) => isList(json) && json.some(({ record }) => isEntry(record)),
  read: (_, json) => ({
    facts: { tool: 'MCP Inspector' },
    pieces: isList(json) ? inOrder(json.flatMap(piecesOf)) : [],
  }),
};

function isEntry(record: JsonRecord | undefined): record is JsonRecord {
  return (
    record?.record('message') !== undefined &&
    DIRECTIONS.includes(record.text('direction')) &&
    record.has('timestamp')
  );
}

function piecesOf({ record, json }: JsonItem): readonly ImportedPiece[] {
  if (!isEntry(record)) return [odd('no entry of MCP Inspector', json)];
  const time = Date.parse(record.text('timestamp') ?? '');
  const at = Number.isNaN(time) ? undefined : time;
  const origin = record.text('origin');
  const isAnswer = record.text('direction') === 'response';
  const from: Side = origin === 'server' || (origin === undefined && isAnswer) ? 'agent' : 'client';
  const concluded = origin === undefined ? (['line', 'from'] as const) : (['line'] as const);
  const asked = frame(from, record.json('message') ?? '', at, ...concluded);
  const response = record.json('response');
  if (response === undefined) return [asked];
  const took = record.number('duration');
  const answered = at === undefined || took === undefined ? undefined : at + took;
  return [asked, frame(from === 'client' ? 'agent' : 'client', response, answered, ...concluded)];
}

/** Stable; one without a time stays behind the one before it. */
function inOrder(pieces: readonly ImportedPiece[]): readonly ImportedPiece[] {
  let latest = -Infinity;
  const placed = pieces.map((piece) => {
    latest = ('at' in piece ? piece.at : undefined) ?? latest;
    return { piece, time: latest };
  });
  return placed.sort((a, b) => (a.time === b.time ? 0 : a.time - b.time)).map(({ piece }) => piece);
}
