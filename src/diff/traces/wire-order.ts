// The order in which a trace is compared. What crosses the wire in opposite directions has no order
// of its own: where an agent's notification meets a client's frame that neither caused it nor ends its
// turn, which of them was written down first says nothing. Such a client's frame is put as late as
// its causes allow, so that two runs of one behaviour come out as one sequence.
import { AGENT, BAD, CLIENT, EVT, FLAG, NTF, REQ, type Columns } from '../../model/columns.ts';
import type { TraceIndex } from '../../model/trace-index.ts';

interface WireOrder {
  /** Places of the index. */
  readonly places: Uint32Array;
  /** They do not ascend. */
  readonly crossed: boolean;
}

/** What the agent tells by itself, whatever was asked. */
const UNASKED: ReadonlySet<string> = new Set([
  'available_commands_update',
  'usage_update',
  'session_info_update',
]);
/** Also told because the client set it. */
const SETTINGS: ReadonlySet<string> = new Set(['current_mode_update', 'config_option_update']);
const SETS: ReadonlySet<string> = new Set([
  'session/set_mode',
  'session/set_model',
  'session/set_config_option',
]);
/** What a session is, not what was said in it. */
export const FACTS: ReadonlySet<string> = new Set([...UNASKED, ...SETTINGS]);
const NEVER = 0xffffffff;

export function wireOrder({ columns, length }: Pick<TraceIndex, 'columns' | 'length'>): WireOrder {
  /** By place of a client's frame: the place it must stand before. */
  const bounds = new Uint32Array(length);
  const next = nextOf(columns);
  let bound = NEVER;
  for (let place = length - 1; place >= 0; place--)
    if (isClients(columns, place)) bounds[place] = bound = Math.min(bound, next.boundOf(place));
    else next.take(place);
  const places = new Uint32Array(length);
  let crossed = false;
  let size = 0;
  /** Client's frames that wait for their place. */
  const waiting: number[] = [];
  const release = (until: number) => {
    let count = 0;
    while (count < waiting.length && (bounds[waiting[count] ?? 0] ?? 0) <= until) count++;
    for (const place of waiting.splice(0, count)) places[size++] = place;
  };
  for (let place = 0; place < length; place++) {
    if (isClients(columns, place)) {
      waiting.push(place);
      continue;
    }
    if (waiting.length > 0) release(place);
    if (waiting.length > 0) crossed = true;
    places[size++] = place;
  }
  for (const place of waiting) places[size++] = place;
  return { places, crossed };
}

/**
 * Whether two frames have no order of their own. What stands between them may still give them one: a
 * prompt comes before its first words, and these before what the agent tells after them.
 */
export function isUnordered(columns: Columns, one: number, other: number): boolean {
  const [client, agent] = isClients(columns, one) ? [one, other] : [other, one];
  if (!isClients(columns, client) || isClients(columns, agent)) return false;
  const next = nextOf(columns);
  next.take(agent);
  return next.boundOf(client) === NEVER;
}

function isClients({ side, kind }: Columns, place: number): boolean {
  return side.get(place) === CLIENT && kind.get(place) <= BAD;
}

/** Walking back: the next frame of the agent of each kind. */
function nextOf(columns: Columns) {
  const { kind, side, session } = columns;
  /** What has an order against every frame of the client: the agent's requests and answers. */
  let fixed = NEVER;
  /** Any frame, any update, any notification that is none. */
  let [any, update, other] = [NEVER, NEVER, NEVER];
  /** By session. */
  const updates = new Map<number, number>();
  const settings = new Map<number, number>();
  /** What a turn tells: messages, tool calls, plans. */
  const content = new Map<number, number>();
  const work = new Map<number, number>();

  const take = (place: number): void => {
    if (side.get(place) !== AGENT || kind.get(place) > BAD) {
      if (kind.get(place) === EVT) fixed = any = place;
      return;
    }
    any = place;
    if (kind.get(place) !== NTF) fixed = place;
    else if (!columns.has(place, FLAG.update)) other = place;
    else {
      const own = session.get(place);
      const variant = columns.nameOf(place);
      update = place;
      updates.set(own, place);
      if (SETTINGS.has(variant)) settings.set(own, place);
      else if (!UNASKED.has(variant)) {
        content.set(own, place);
        if (variant === 'state_update' || variant.startsWith('tool_call')) work.set(own, place);
      }
    }
  };

  /** The next frame of the agent that the client's frame at this place has an order against. */
  const boundOf = (place: number): number => {
    const own = session.get(place);
    const of = (places: ReadonlyMap<number, number>) =>
      Math.min(fixed, own === 0 ? update : (places.get(own) ?? NEVER));
    if (kind.get(place) === BAD) return any;
    if (kind.get(place) !== REQ && kind.get(place) !== NTF) return Math.min(of(content), other);
    const method = columns.nameOf(place);
    if (!method.startsWith('session/')) return any;
    if (method === 'session/new' || method === 'session/list') return fixed;
    if (method === 'session/prompt') return of(content);
    if (method === 'session/cancel') return of(work);
    if (SETS.has(method)) return of(settings);
    return of(updates);
  };

  return { take, boundOf };
}
