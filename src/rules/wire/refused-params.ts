// Requests that follow their schema, and that an agent rejects as malformed. Family `schema` of the catalogue.
import { str } from '../../acp/json.ts';
import { CODE, type Failure } from '../../acp/message.ts';
import { OPENERS } from '../../acp/methods.ts';
import { fact, type Connection, type EarlierRequest } from '../connection.ts';
import { unreachableServers } from '../init/cap-params.ts';
import { onAnswer, onRequest } from '../listen.ts';
import { catalogue, fail, quote, type Fold } from '../rule.ts';

/** Methods whose params mean nothing beyond their schema and what was advertised. */
const PLAIN = ['initialize', ...OPENERS, 'session/prompt', 'session/list'] as const;

/** Open requests of the client that follow their schema. */
const sound = fact<Connection, Set<EarlierRequest>>(() => new Set());

export const soundFold: Fold = [
  onRequest(PLAIN, (step, connection) => {
    if (step.from === 'client' && step.isSound === true) sound.of(connection).add(step.asked);
  }),
  onAnswer(PLAIN, ({ asked }, connection) => {
    sound.of(connection).delete(asked);
  }),
];

/** Characters of an error that are read. */
const MAX_TEXT = 1000;
/** How decoders (Go, serde, zod, pydantic) say that a value has another type than they expect. */
const WRONG_TYPE =
  /cannot unmarshal \w+ into Go|\binvalid type: .{1,80}?, expected |\bexpected \w+, received (?!undefined)\w+|\bInput should be a valid /i;

function isOfWrongType({ code, message, data }: Failure['error']): boolean {
  const text = `${message} ${JSON.stringify(data ?? '')}`.slice(0, MAX_TEXT);
  return code === CODE.invalidParams && WRONG_TYPE.test(text);
}

export const REFUSED_PARAMS = catalogue({
  'schema/refused': {
    side: 'sender',
    severity: 'warning',
    clause: 'params that follow the schema are not rejected for the type of a value',
    on: onAnswer(PLAIN, ({ asked, error, params, seq }, connection) => {
      if (!sound.of(connection).has(asked)) return undefined;
      if (error === undefined) return 'pass';
      if (!isOfWrongType(error) || (unreachableServers(params, connection) ?? []).length > 0)
        return undefined;
      // No schema says what a peer expects in `_meta`.
      if (JSON.stringify(params ?? {}).includes('"_meta"')) return undefined;
      const reason = str(error.data, 'error') ?? error.message;
      return fail(`${error.code} ${quote(reason)} for params that follow the schema`, {
        pointer: '/error',
        seqs: [asked.seq, seq],
      });
    }),
  },
});
