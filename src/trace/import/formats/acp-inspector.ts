// `acp-inspector-trace`, the export of sagikazarmark's ACP Inspector, and the frames of its bridge: the
// exact line of each frame, the connection it crossed, and what was dropped before. Its connections
// follow each other: the end of one is told where the next begins.
import { readRecord } from '../json-record.ts';
import { fromBase64 } from '../../../lib/utf8.ts';
import type { Line, Side } from '../../event.ts';
import { lineOf } from '../../line.ts';
import { odd, type LineFormat, type LineTaker, type ImportedPiece } from '../format.ts';

const FORMAT = 'acp-inspector-trace';
const SIDES: Readonly<Record<string, Side>> = {
  'client -> agent': 'client',
  'agent -> client': 'agent',
};

export const ACP_INSPECTOR: LineFormat = {
  reads: 'lines',
  word: 'acp-inspector',
  name: 'a trace of ACP Inspector',
  clock: 'wall',
  fates: {
    time: ['partly', 'the wall clock in milliseconds; its bridge writes none'],
    sender: ['given', ''],
    line: ['given', 'as it crossed'],
    order: ['given', 'the order of the file, which says more than its times'],
    stderr: ['lost', ''],
    process: ['inferred', 'a connection ends where the next one begins'],
  },
  fits(line) {
    const record = readRecord(line);
    return (
      record?.text('format') === FORMAT ||
      (record?.text('frame') !== undefined && sideOf(record.text('direction')) !== undefined)
    );
  },
  begin: () => new Taker(),
};

function sideOf(direction: string | undefined): Side | undefined {
  return SIDES[direction ?? ''];
}

class Taker implements LineTaker {
  #connection: string | undefined;

  take(line: string): readonly ImportedPiece[] {
    if (line.trim() === '') return [];
    const record = readRecord(line);
    const dropped = record?.number('dropped') ?? 0;
    if (record?.text('format') === FORMAT || record?.text('type') === 'header')
      return Number.isSafeInteger(dropped) && dropped > 0
        ? [{ type: 'gap', count: dropped, reason: 'ACP Inspector had dropped or cleared them' }]
        : [];
    const from = sideOf(record?.text('direction'));
    const text = record?.text('frame');
    if (!record || from === undefined || text === undefined)
      return [odd('no record of ACP Inspector')];
    const at = record.number('at');
    const piece: ImportedPiece = {
      type: 'frame',
      from,
      line: lineFrom(text, record.text('encoding')),
      at,
    };
    const connection = record.json('connection');
    const ends = this.#connection !== undefined && connection !== this.#connection;
    this.#connection = connection;
    // How it ended is not said.
    return ends ? [{ type: 'exit', at }, piece] : [piece];
  }
}

function lineFrom(text: string, encoding: string | undefined): Line {
  const bytes = encoding === 'base64' ? fromBase64(text) : undefined;
  return bytes ? lineOf(bytes) : { text };
}
