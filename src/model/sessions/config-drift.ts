// What a session is set to after a restore, against what it was set to before: mode, options, title,
// commands. A restore should bring back the session, not another one.
import type { ConnectionId, Seq } from '../../trace/event.ts';
import { sessionFacts } from '../fold/session-facts.ts';
import type { SessionState } from '../fold/state.ts';

/** A value, and the frame that said so. */
export interface Told {
  readonly connection: ConnectionId;
  readonly seq: Seq;
  readonly value: string;
}

export interface Drift {
  /** `mode`, `config.model`, `title`, `commands`. */
  readonly path: string;
  readonly name: string;
  readonly before: Told;
  /** Absent: the restore did not tell. */
  readonly after?: Told;
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

type Fact = Told & { readonly path: string; readonly name: string };

function told({ connection, state }: Remembered): Fact[] {
  const facts = sessionFacts(state)
    .filter(({ path }) => path === 'mode' || path === 'title' || path.startsWith('config.'))
    .map(({ path, name, value, seq }): Fact => ({ path, name, value, seq, connection }));
  const { commands } = state;
  if (!commands) return facts;
  const value = commands.value.map(({ name }) => `/${name}`).join(' ');
  return [...facts, { path: 'commands', name: 'commands', value, seq: commands.seq, connection }];
}
