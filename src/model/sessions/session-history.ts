// What happened to one session on one connection: made, restored, forked, listed, prompted, closed,
// deleted. Read from the columns of the index; only answers to lists are read again.
import { objects, str } from '../../acp/json.ts';
import type { Millis } from '../../lib/time.ts';
import { CLIENT, ERR, REQ } from '../columns.ts';
import { sessionFacts } from '../fold/session-facts.ts';
import type { SessionState } from '../fold/state.ts';
import { saidBy } from '../timeline/digest.ts';
import type { TraceIndex } from '../trace-index.ts';
import { errorWords } from '../words.ts';
import type { ConnectionId, Seq, TraceEvent } from '../../trace/event.ts';

export interface SessionEvent {
  readonly connection: ConnectionId;
  /** The request, of several the first. */
  readonly seq: Seq;
  readonly answer?: Seq;
  readonly at: Millis;
  readonly kind:
    'new' | 'load' | 'resume' | 'fork' | 'forked' | 'listed' | 'prompts' | 'close' | 'delete';
  readonly outcome: 'answered' | 'refused' | 'open';
  /** How many prompts it stands for, and how many of them were refused. */
  readonly prompts?: { readonly count: number; readonly refused: number };
  readonly refusal?: string;
  /** The session it was forked from, or into. */
  readonly other?: { readonly sessionId: string; readonly chip: string };
  /** What the session is set to after a restore and was not before. */
  readonly drift: readonly Drift[];
}

const KINDS: ReadonlyMap<string, SessionEvent['kind']> = new Map([
  ['session/new', 'new'],
  ['session/load', 'load'],
  ['session/resume', 'resume'],
  ['session/fork', 'fork'],
  ['session/list', 'listed'],
  ['session/prompt', 'prompts'],
  ['session/close', 'close'],
  ['session/delete', 'delete'],
]);

/** In the order of the trace. `eventAt`: the event at a place of the index. */
export function sessionEvents(
  index: TraceIndex,
  eventAt: (place: number) => TraceEvent,
  sessionId: string,
): SessionEvent[] {
  const { columns } = index;
  const { connection } = index.facts();
  const events: SessionEvent[] = [];
  let prompts: { readonly first: number; count: number; refused: number } | undefined;
  let isListed = false;

  const tell = (
    place: number,
    kind: SessionEvent['kind'],
    more: Pick<SessionEvent, 'prompts' | 'other'> = {},
  ) => {
    const partner = columns.partnerOf(place);
    const refused = partner !== undefined && columns.kind.get(partner) === ERR;
    const refusal = refused ? whyRefused(eventAt(partner)) : undefined;
    events.push({
      connection,
      seq: columns.seqOf(place),
      ...(partner !== undefined && { answer: columns.seqOf(partner) }),
      at: columns.timeOf(place),
      kind,
      outcome: partner === undefined ? 'open' : refused ? 'refused' : 'answered',
      ...more,
      ...(refusal === undefined ? {} : { refusal }),
      drift: [],
    });
  };
  const tellPrompts = () => {
    if (prompts) {
      const { first, ...told } = prompts;
      tell(first, 'prompts', { prompts: told });
    }
    prompts = undefined;
  };

  for (let place = 0; place < columns.length; place++) {
    if (columns.kind.get(place) !== REQ) continue;
    const kind = KINDS.get(columns.nameOf(place));
    if (kind === undefined) continue;
    const asked = index.session(place);
    const partner = columns.partnerOf(place);
    const answered = partner === undefined ? undefined : index.session(partner);
    const isOurs = asked?.sessionId === sessionId;
    if (kind === 'prompts') {
      if (!isOurs) continue;
      prompts ??= { first: place, count: 0, refused: 0 };
      prompts.count++;
      if (partner !== undefined && columns.kind.get(partner) === ERR) prompts.refused++;
      continue;
    }
    if (kind === 'listed') {
      if (isListed || partner === undefined || !names(eventAt(partner), sessionId)) continue;
      isListed = true;
    } else if (kind === 'new' || kind === 'fork') {
      if (!isOurs && answered?.sessionId !== sessionId) continue;
    } else if (!isOurs) continue;
    tellPrompts();
    if (kind !== 'fork') tell(place, kind);
    else if (isOurs)
      tell(place, 'fork', answered?.sessionId === sessionId ? {} : otherOf(answered));
    else tell(place, 'forked', otherOf(asked));
  }
  tellPrompts();
  return events;
}

/**
 * The place up to which a restore answered at `place` may still tell what the session is set to:
 * agents send commands after the answer. What the client asks next may change it.
 */
export function settledAfter(index: TraceIndex, sessionId: string, place: number): number {
  const { columns, length } = index;
  const session = index.sessionNamed(sessionId);
  if (session === undefined) return length;
  for (const at of columns.placesFrom(session.index, place + 1))
    if (columns.kind.get(at) === REQ && columns.side.get(at) === CLIENT) return at;
  return length;
}

function otherOf(session: SessionEvent['other']): Pick<SessionEvent, 'other'> {
  return session ? { other: session } : {};
}

function names(event: TraceEvent, sessionId: string): boolean {
  const message = saidBy(event);
  if (message?.kind !== 'success') return false;
  return objects(message.result, 'sessions').some((one) => str(one, 'sessionId') === sessionId);
}

function whyRefused(event: TraceEvent): string | undefined {
  const message = saidBy(event);
  return message?.kind === 'failure' ? errorWords(message.error) : undefined;
}

// What a session is set to after a restore, against what it was set to before: mode, options, title,
// commands. A restore should bring back the session, not another one.

/** A value, and the frame that said so. */
interface ToldValue {
  readonly connection: ConnectionId;
  readonly seq: Seq;
  readonly value: string;
}

export interface Drift {
  /** `mode`, `config.model`, `title`, `commands`. */
  readonly path: string;
  readonly name: string;
  readonly before: ToldValue;
  /** Absent: the restore did not tell. */
  readonly after?: ToldValue;
}

export interface Remembered {
  readonly connection: ConnectionId;
  readonly state: SessionState;
}

/** `before`: when the restore was asked for; `after`: with its answer. */
export function driftOf(before: Remembered, after: Remembered): Drift[] {
  const now = new Map(told(after).map((fact) => [fact.path, fact]));
  return told(before).flatMap(({ path, name, ...was }) => {
    const found = now.get(path);
    if (found?.value === was.value) return [];
    if (!found) return [{ path, name, before: was }];
    const { connection, seq, value } = found;
    return [{ path, name, before: was, after: { connection, seq, value } }];
  });
}

type Fact = ToldValue & { readonly path: string; readonly name: string };

function told({ connection, state }: Remembered): Fact[] {
  const facts = sessionFacts(state)
    .filter(({ path }) => path === 'mode' || path === 'title' || path.startsWith('config.'))
    .map(({ path, name, value, seq }): Fact => ({ path, name, value, seq, connection }));
  const { commands } = state;
  if (!commands) return facts;
  const value = commands.value.map(({ name }) => `/${name}`).join(' ');
  return [...facts, { path: 'commands', name: 'commands', value, seq: commands.seq, connection }];
}
