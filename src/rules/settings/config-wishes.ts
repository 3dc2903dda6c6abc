// What a client asks a config option to be, held against what was offered; also kept until the agent
// answers, whose answer is judged by it.
import { get, str } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import type { Millis } from '../../lib/time.ts';
import { settings, type ConfigOption } from './config-facts.ts';
import type { Asked, Connection, Session } from '../connection.ts';
import { fact } from '../facts.ts';
import { onAnswer, onRequest } from '../listen.ts';
import { quote, quoteAll } from '../quote.ts';
import type { Fold } from '../rule.ts';

/** Milliseconds in which a client may not have seen that the list changed. */
const GRACE = 250;

export interface Misfit {
  /** What does not fit, and where it stands in the request. */
  readonly seen: string;
  readonly pointer: string;
  /** It fitted a list that was replaced moments before. */
  readonly race: boolean;
}

/** `unknown`: what is on offer is not in the trace. Undefined: nobody can tell, for its type is open. */
export type Wish = 'fits' | 'unknown' | Misfit | undefined;

export function wishOf(
  session: Session,
  params: Json | undefined,
  at: Millis,
  connection: Connection,
): Wish {
  const { config, opened } = settings.of(session);
  const id = str(params, 'configId');
  if (id === undefined) return undefined;
  if (config === undefined) {
    if (opened === undefined || connection.gaps > 0) return 'unknown';
    return { seen: 'no config options were offered', pointer: '/params/configId', race: false };
  }
  const odd = misfit(config.options.get(id), id, params, connection);
  if (odd === undefined || odd === 'fits') return odd;
  const past = config.before;
  const race =
    past !== undefined &&
    at - config.at <= GRACE &&
    misfit(past.get(id), id, params, connection) === 'fits';
  return { ...odd, race };
}

function misfit(
  option: ConfigOption | undefined,
  id: string,
  params: Json | undefined,
  { version }: Connection,
): 'fits' | Omit<Misfit, 'race'> | undefined {
  if (option === undefined) {
    return { seen: `${quote(id)}, which was not offered`, pointer: '/params/configId' };
  }
  const value = get(params, 'value');
  const type = str(params, 'type');
  const bad = (seen: string, pointer = '/params/value') => ({ seen, pointer });
  if (version === 2 && type === undefined) return bad('no `type`', '/params');
  if (option.type === 'boolean')
    return type === 'boolean' && typeof value === 'boolean'
      ? 'fits'
      : bad(`${quote(value)} with ${typeWords(type)} for the switch ${quote(id)}`);
  if (option.type !== 'select' || option.values === undefined) return undefined;
  if (version === 2 && type !== 'id')
    return bad(`the type ${quote(type)} for the select ${quote(id)}`, '/params/type');
  if (typeof value === 'string' && option.values.includes(value)) return 'fits';
  return bad(`${quote(value)} for ${quote(id)}, which offers ${quoteAll(option.values, 5)}`);
}

function typeWords(type: string | undefined): string {
  return type === undefined ? 'no `type`' : `the type ${quote(type)}`;
}

/** Requests to set an option that wait for their answer and ask for what does not fit. */
const misfits = fact<Connection, Map<Asked, Misfit>>(() => new Map());

/** What was wrong with a request when it was sent. */
export function misfitOf(asked: Asked, connection: Connection): Misfit | undefined {
  return misfits.of(connection).get(asked);
}

export const wishFold: Fold = {
  on: [
    onRequest(['session/set_config_option'], ({ session, params, at, asked }, connection) => {
      const wish = session && wishOf(session, params, at, connection);
      if (typeof wish === 'object') misfits.of(connection).set(asked, wish);
    }),
    onAnswer(['session/set_config_option'], ({ asked }, connection) => {
      misfits.of(connection).delete(asked);
    }),
  ],
};
