// Ways into the comparison from other views, and to where a turn begins, which is known there.
import type { App } from '../app.svelte.ts';
import { formatPair } from './diff-pair.ts';
import type { ConnectionId, Seq } from '../../trace/event.ts';

/** These frames of the trace looked at, with what a person chooses there. */
export function compareStretch(app: App, from: Seq, to: Seq): void {
  const connection = app.current?.connection;
  if (connection === undefined) return;
  const leftPart = { from, to };
  void app.compare(connection, formatPair({ left: connection, view: 'story', leftPart }));
}

/** The turn of the frame with the nearest one of the trace that asks the same; else with its neighbour. */
export async function compareTurn(app: App, seq: Seq): Promise<void> {
  const connection = app.current?.connection;
  if (connection === undefined) return;
  const turns = await app.engine.diff.turns(connection);
  const at = turns.findLastIndex(({ begin }) => begin <= seq);
  const turn = turns[at];
  if (!turn) return app.tell('info', 'No turn has begun before this frame.');
  const same = turns.filter((one) => one !== turn && one.words === turn.words);
  const far = (one: (typeof turns)[number]) => Math.abs(one.turn - turn.turn);
  const [nearest] = same.sort((one, other) => far(one) - far(other));
  const other = nearest ?? turns[at - 1] ?? turns[at + 1];
  const [first = turn, second] = [turn, ...(other ? [other] : [])].sort((a, b) => a.turn - b.turn);
  const parts = second && {
    right: connection,
    rightPart: { turn: second.turn },
  };
  const leftPart = { turn: first.turn };
  void app.compare(connection, formatPair({ left: connection, view: 'story', leftPart, ...parts }));
}

/** Where the turn of the frame began. */
export async function toTurnOf(app: App, seq: Seq): Promise<void> {
  const connection = app.current?.connection;
  const turn = (await app.timeline.frame(seq))?.turn;
  const turns = connection && turn !== undefined ? await app.engine.diff.turns(connection) : [];
  const begin = turns.find((one) => one.turn === turn)?.begin;
  if (begin === undefined) app.tell('info', `#${seq} belongs to no turn.`);
  else await app.timeline.jump(begin);
}

/** Shows the comparison of a replay with the live session; without a request, of the newest of that trace. */
export async function openReplayOf(
  app: App,
  { connection, request }: { readonly connection: ConnectionId; readonly request?: Seq },
): Promise<void> {
  const { fidelityViewOf } = await import('../fidelity/fidelity.svelte.ts');
  if (request !== undefined) return fidelityViewOf(app).choose({ connection, request });
  app.diff = undefined;
  await app.show(connection, 'compare');
}

/** Two frames of the trace looked at, field by field. */
export function compareFrames(app: App, one: Seq, other: Seq): void {
  const connection = app.current?.connection;
  if (connection === undefined) return;
  const diff = formatPair({
    ...{ left: connection, right: connection, view: 'frames' },
    leftPart: { from: one, to: one },
    rightPart: { from: other, to: other },
  });
  void app.compare(connection, diff);
}

/** With the frame that was marked last. */
export async function compareWithMarked(app: App, seq: Seq): Promise<void> {
  const { current, engine } = app;
  if (!current) return;
  const said = await engine.traces.annotations(current.connection);
  const marks = said.flatMap((one) => (one.kind === 'mark' ? one.target : []));
  const marked = marks.findLast((target) => target !== seq);
  if (marked !== undefined) compareFrames(app, marked, seq);
  else app.tell('info', 'No other frame of this trace is marked. M marks the one to compare with.');
}
