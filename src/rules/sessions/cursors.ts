// Session cursors: positions in a conversation that the agent announces with `cursor_update`, and that a fork may
// name. Family `cursor` of the catalogue.
import { get, isObject, obj, str } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import type { Seq } from '../../trace/event.ts';
import { type Connection, fact, type Session } from '../connection.ts';
import { onRequest, onUpdate } from '../listen.ts';
import { fail, quote, rulesOf, type Fold, type Outcome } from '../rule.ts';

interface Cursor {
  readonly seq: Seq;
  readonly anchor: Json | undefined;
  /** The agent offered to fork there, now or before: a client may not know yet that it does no more. */
  offeredFork: boolean;
}

const cursors = fact<Session, Map<string, Cursor>>(() => new Map());

export const cursorFold: Fold = [
  onUpdate(['cursor_update'], ({ session, update, seq }) => {
    const id = str(update, 'cursorId');
    if (id === undefined) return;
    const known = cursors.of(session);
    const cursor = known.get(id) ?? { seq, anchor: get(update, 'anchor'), offeredFork: false };
    cursor.offeredFork ||= isObject(get(obj(update, 'capabilities'), 'fork'));
    known.set(id, cursor);
  }),
];

/** The session was made on this connection, and all of it is recorded. */
function isWhole({ origin }: Session, { gaps }: Connection): boolean {
  return origin === 'new' && gaps === 0;
}

/** Anchors with their keys in one order. */
function sameText(value: Json | undefined): string {
  const sorted = (one: Json): Json =>
    isObject(one)
      ? Object.fromEntries(
          Object.keys(one)
            .sort()
            .map((key) => [key, sorted(one[key] ?? null)]),
        )
      : one;
  return JSON.stringify(value === undefined ? null : sorted(value));
}

export const CURSOR_RULES = rulesOf({})({
  'cursor/anchor': {
    side: 'agent',
    severity: 'error',
    clause: 'the first `cursor_update` of a cursor has its anchor, which never changes',
    on: onUpdate(['cursor_update'], ({ session, update, seq }, connection): Outcome => {
      const id = str(update, 'cursorId');
      if (id === undefined) return undefined;
      const anchor = get(update, 'anchor');
      const known = cursors.of(session).get(id);
      if (known === undefined) {
        if (anchor !== undefined && anchor !== null) return 'pass';
        if (!isWhole(session, connection)) return undefined;
        return fail(
          `the first \`cursor_update\` of ${quote(id)} has no \`anchor\``,
          '/params/update',
        );
      }
      if (anchor === undefined || known.anchor === undefined) return 'pass';
      if (sameText(anchor) === sameText(known.anchor)) return 'pass';
      return fail(`another \`anchor\` of ${quote(id)} than in #${known.seq}`, {
        pointer: '/params/update/anchor',
        seqs: [known.seq, seq],
      });
    }),
  },
  'cursor/fork': {
    side: 'client',
    severity: 'warning',
    clause: 'a fork names a cursor that the agent announced and that can be forked',
    on: onRequest(['session/fork'], ({ session, params }, connection): Outcome => {
      const id = str(params, 'cursorId');
      if (id === undefined || !session || !isWhole(session, connection)) return undefined;
      const known = cursors.of(session).get(id);
      if (known?.offeredFork) return 'pass';
      const what = known
        ? `the cursor ${quote(id)} (#${known.seq}), which never offered \`capabilities.fork\``
        : `the cursor ${quote(id)}, which the agent did not announce`;
      return fail(what, '/params/cursorId');
    }),
  },
});
