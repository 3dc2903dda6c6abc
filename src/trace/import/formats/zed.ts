// What Zed's `dev: open acp logs` copies: an array of what it parsed, without times. An answer's
// result or error stands in `params` alike.
import { isList, type JsonItem } from '../json-record.ts';
import { frame, odd, type WholeFileFormat, type ImportedPiece } from '../format.ts';
import { rpcLine } from './rpc.ts';

export const ZED: WholeFileFormat = {
  reads: 'document',
  word: 'zed',
  name: 'the log that Zed copies',
  clock: 'none',
  fates: {
    time: ['lost', 'Zed writes none'],
    sender: ['given', ''],
    line: [
      'inferred',
      'made again from what Zed parsed; an object with code and message is taken for an error',
    ],
    order: ['given', ''],
    stderr: ['partly', 'newer versions of Zed copy it'],
    process: ['lost', ''],
  },
  fits: (_, json) => isList(json) && json.some(({ record }) => record?.has('_direction', '_type')),
  read: (_, json) => ({ facts: { tool: 'Zed' }, pieces: isList(json) ? json.map(pieceOf) : [] }),
};

function pieceOf({ record, json }: JsonItem): ImportedPiece {
  const direction = record?.text('_direction');
  const type = record?.text('_type');
  const params = record?.json('params');
  if (type === 'stderr' || direction === 'stderr')
    return { type: 'stderr', line: { text: record?.text('params') ?? params ?? '' } };
  if (!record || (direction !== 'incoming' && direction !== 'outgoing'))
    return odd('no record of Zed: it has no _direction', json);
  const from = direction === 'incoming' ? 'agent' : 'client';
  const id = record.json('id') ?? 'null';
  const method = record.text('method');
  switch (type) {
    case 'request':
      return frame(from, rpcLine({ id, method, params }), undefined, 'line');
    case 'notification':
      return frame(from, rpcLine({ method, params }), undefined, 'line');
    case 'response': {
      const error = record.record('params');
      const failed = error?.number('code') !== undefined && error.text('message') !== undefined;
      const said = failed ? { error: params } : { result: params ?? 'null' };
      return frame(from, rpcLine({ id, ...said }), undefined, 'line');
    }
    default:
      return odd(`no record of Zed: _type is ${type ?? 'missing'}`, json);
  }
}
