// Proxies between a client and its agent, which are unstable. Family `proxy` of the catalogue.
import { get, isObject, num, str } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import type { Seq } from '../../trace/event.ts';
import type { Connection } from '../connection.ts';
import { fact } from '../facts.ts';
import { onAnswer, onRequest } from '../listen.ts';
import { fail, judged, undecidable, type Fault } from '../outcome.ts';
import type { Fold, Rule, Unjudged } from '../rule.ts';

interface Forwarded {
  readonly seq: Seq;
  readonly version: number | undefined;
}

/** The last `initialize` that a proxy passed on to its successor. */
const forwarded = fact<Connection, { initialize: Forwarded | undefined }>(() => ({
  initialize: undefined,
}));

function inner(params: Json | undefined): Json | undefined {
  return str(params, 'method') === 'initialize' ? get(params, 'params') : undefined;
}

const proxyFold: Fold = {
  on: [
    onRequest(['proxy/initialize'], (_, connection) => {
      forwarded.of(connection).initialize = undefined;
    }),
    onRequest(['proxy/successor'], ({ params, seq, from }, connection) => {
      if (from !== 'agent' || str(params, 'method') !== 'initialize') return;
      const version = num(inner(params), 'protocolVersion');
      forwarded.of(connection).initialize = { seq, version };
    }),
  ],
};

const version: Rule = {
  id: 'proxy/version',
  versions: [1, 2],
  side: 'agent',
  severity: 'error',
  // A proxy is asked by `proxy/initialize`, which settles no version with the proxy itself.
  needs: 'nothing',
  clause:
    'a proxy passes `initialize` on to its successor before it answers, and keeps `protocolVersion`',
  on: [
    onAnswer(['proxy/initialize'], ({ params, result, asked, seq }, connection) => {
      if (!isObject(result)) return undefined;
      const passed = forwarded.of(connection).initialize;
      if (passed === undefined)
        return connection.gaps > 0
          ? undecidable('part of the trace is missing', 'a recording without a gap')
          : fail('no `initialize` for the successor before this answer', {
              seqs: [asked.seq, seq],
            });
      const wanted = num(params, 'protocolVersion');
      const faults: Fault[] = [];
      if (wanted !== undefined && passed.version !== wanted)
        faults.push(
          fail(`the version ${passed.version} passed on in #${passed.seq}, not ${wanted}`, {
            pointer: '/params/params/protocolVersion',
            seqs: [asked.seq, passed.seq],
          }),
        );
      return judged(faults);
    }),
  ],
};

export const PROXY: readonly Rule[] = [version];
export const PROXY_FOLDS: readonly Fold[] = [proxyFold];
export const PROXY_UNJUDGED: readonly Unjudged[] = [
  {
    id: 'proxy/role',
    versions: [1, 2],
    clause: 'a component with a successor gets `proxy/initialize`, the last one `initialize`',
    why: 'needs to know which components stand in the chain; a trace holds one connection of it',
  },
];
