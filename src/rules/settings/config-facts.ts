// The modes and config options of a session, as last offered, and what they are set to.
import { arr, get, isArray, obj, str } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import { OPENERS } from '../../acp/methods.ts';
import type { Millis } from '../../lib/time.ts';
import {
  type Connection,
  type EarlierRequest,
  fact,
  type RestoreWindow,
  type Session,
} from '../connection.ts';
import { onAnswer, onUpdate, onRequest } from '../listen.ts';
import type { FrameStep, UpdateStep } from '../steps.ts';
import { type Fold, quote, quoteAll } from '../rule.ts';
import type { Seq } from '../../trace/event.ts';
import { openedBy } from '../sessions/setup-facts.ts';
import type { ConfigOption } from '../../model/facts/facts-view.ts';
import { configOf, selectChoices } from '../../model/facts/session-state.ts';

/** v1 `modes` of a session. */
interface Modes {
  /** The frame that offered them. */
  readonly seq: Seq;
  readonly ids: ReadonlySet<string>;
  current: string | undefined;
}

interface ConfigList {
  /** The frame that told it. */
  readonly seq: Seq;
  readonly at: Millis;
  /** The restore that told it as history. */
  readonly history: RestoreWindow | undefined;
  readonly options: ReadonlyMap<string, ConfigOption>;
  /** What it replaced: the other side may not have seen the change when it wrote. */
  readonly before: ReadonlyMap<string, ConfigOption> | undefined;
}

/** What a session was told to offer. `opened`: an answer that made or restored it was seen. */
interface SettingFacts {
  opened: Seq | undefined;
  modes: Modes | undefined;
  config: ConfigList | undefined;
}

export const settings = fact<Session, SettingFacts>(() => ({
  opened: undefined,
  modes: undefined,
  config: undefined,
}));

/** Values of a select, those in groups too, in their order. */
export function selectValues(option: JsonObject): readonly string[] | undefined {
  if (!isArray(get(option, 'options'))) return undefined;
  return selectChoices(option).map(({ value }) => value);
}

export function modeIdsOf(result: Json | undefined): readonly string[] | undefined {
  const modes = obj(result, 'modes');
  return modes && arr(modes, 'availableModes').flatMap((mode) => str(mode, 'id') ?? []);
}

export const settingsFold: Fold = [
  onAnswer(OPENERS, (step, connection) => {
    const { result, seq } = step;
    const opened = openedBy(step, connection);
    if (opened === undefined) return;
    const facts = settings.of(opened);
    facts.opened = seq;
    const ids = modeIdsOf(result);
    // An answer to a restore may leave out what the session is set to.
    if (ids)
      facts.modes = { seq, ids: new Set(ids), current: str(obj(result, 'modes'), 'currentModeId') };
    take(facts, result, step, connection);
  }),
  onAnswer(['session/set_config_option'], (step, connection) => {
    if (step.session) take(settings.of(step.session), step.result, step, connection);
  }),
  onUpdate(['config_option_update'], (step, connection) =>
    take(settings.of(step.session), step.update, step, connection, historyOf(step)),
  ),
  onUpdate(['current_mode_update'], ({ session, update }) => {
    const { modes } = settings.of(session);
    if (modes) modes.current = str(update, 'currentModeId') ?? modes.current;
  }),
  onAnswer(['session/set_mode'], ({ session, params, error }) => {
    const { modes } = session ? settings.of(session) : { modes: undefined };
    if (modes && error === undefined) modes.current = str(params, 'modeId') ?? modes.current;
  }),
];

function take(
  facts: SettingFacts,
  holder: Json | undefined,
  { seq, at }: FrameStep,
  { version }: Connection,
  history?: RestoreWindow,
): void {
  const list = configOf(holder, version);
  if (list === undefined) return;
  const options = new Map(list.map((option) => [option.id, option]));
  facts.config = { seq, at, history, options, before: facts.config?.options };
}

/** The restore whose history an update is. */
export function historyOf({ replay, window }: UpdateStep): RestoreWindow | undefined {
  return replay ? window : undefined;
}

// What a client asks a config option to be, held against what was offered; also kept until the agent
// answers, whose answer is judged by it.

/** Milliseconds in which a client may not have seen that the list changed. */
const GRACE = 250;

interface Misfit {
  /** What does not fit, and where it stands in the request. */
  readonly seen: string;
  readonly pointer: string;
  /** It fitted a list that was replaced moments before. */
  readonly race: boolean;
}

/** `unknown`: what is on offer is not in the trace. Undefined: nobody can tell, for its type is open. */
type Wish = 'fits' | 'unknown' | Misfit | undefined;

export function configWishOf(
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
    const seen = `${quote(id)}, and no config options were offered`;
    return { seen, pointer: '/params/configId', race: false };
  }
  const odd = misfit(config.options.get(id), id, params, connection);
  if (odd === undefined || odd === 'fits') return odd;
  const past = config.before;
  const race =
    past !== undefined &&
    // Without times it may have been so.
    !(at - config.at > GRACE) &&
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
  const values = option.options.map((choice) => choice.value);
  if (option.type !== 'select' || values.length === 0) return undefined;
  if (version === 2 && type !== 'id')
    return bad(`the type ${quote(type)} for the select ${quote(id)}`, '/params/type');
  if (typeof value === 'string' && values.includes(value)) return 'fits';
  return bad(`${quote(value)} for ${quote(id)}, which offers ${quoteAll(values, 5)}`);
}

function typeWords(type: string | undefined): string {
  return type === undefined ? 'no `type`' : `the type ${quote(type)}`;
}

/** Requests to set an option that wait for their answer and ask for what does not fit. */
const misfits = fact<Connection, Map<EarlierRequest, Misfit>>(() => new Map());

/** What was wrong with a request when it was sent. */
export function misfitOf(asked: EarlierRequest, connection: Connection): Misfit | undefined {
  return misfits.of(connection).get(asked);
}

export const wishFold: Fold = [
  onRequest(['session/set_config_option'], ({ session, params, at, asked }, connection) => {
    const wish = session && configWishOf(session, params, at, connection);
    if (typeof wish === 'object') misfits.of(connection).set(asked, wish);
  }),
  onAnswer(['session/set_config_option'], ({ asked }, connection) => {
    misfits.of(connection).delete(asked);
  }),
];
