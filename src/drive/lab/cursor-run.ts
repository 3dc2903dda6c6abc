// The cursor algebra against a live agent: a session of two turns, replayed from the start, from some
// of its messages twice each, and from the start again; each on a connection of its own.
import type { VerdictWord } from '../verdict.ts';
import { str } from '../../acp/json.ts';
import { FROM_START } from '../../acp/replay-cursors.ts';
import type { Json } from '../../acp/message.ts';
import { takeTurn } from '../turn.ts';
import { cursorLaws, itemsIn, type CursorAsked, type CursorReplay } from './cursor-algebra.ts';
import { replayedItems, type ReplayedItem } from '../replayed-items.ts';
import { stripOf } from './cursor-strip.ts';
import { type LabFolder, type LabGround, type LabManners, labWord, promptFor } from './ground.ts';
import { clear, LabProblem, openPart, sourceOf } from './part.ts';
import { whyNot } from './prepare.ts';
import type { LabCursors } from './report.ts';
import { customCursor } from './restored.ts';

/** How many messages are asked from. */
const SAMPLE = 4;
/** So many rejected at first, and the agent takes none. */
const REJECTED = 2;

/** Throws `LabProblem`, and `BudgetSpent`. */
export async function runCursors(ground: LabGround, manners: LabManners): Promise<LabCursors> {
  const folder = await ground.folder('cursors');
  const sessionId = await history(ground, manners, folder);
  const from = (label: string, cursor: Json) =>
    replay(ground, manners, { label, cursor, sessionId, folder });
  const start = await from('start', FROM_START);
  const cursors: CursorAsked[] = [];
  for (const names of sampleOf(itemsIn(start) ?? [])) {
    if (cursors.length === REJECTED && cursors.every(({ first }) => 'rejected' in first)) break;
    const cursor = customCursor(names, manners);
    const first = await from('cursor', cursor);
    const again = await from('cursor', cursor);
    cursors.push({ names, cursor: JSON.stringify(cursor), first, again });
  }
  const end = await from('end', FROM_START);
  const laws = cursorLaws({ start, cursors, end });
  const broken = laws.filter(({ verdict }) => verdict === 'fails');
  const taken = cursors.some(({ first }) => 'items' in first);
  const verdict: VerdictWord = broken.length > 0 ? 'fail' : taken ? 'pass' : 'info';
  const why =
    broken.length > 0
      ? broken.map(({ law, why }) => `${law}: ${why}`).join('; ')
      : taken
        ? 'All laws of cursors hold.'
        : 'It takes no cursor that names a message.';
  return { laws, strip: stripOf({ start, cursors, end }), verdict, why };
}

async function history(ground: LabGround, manners: LabManners, folder: LabFolder): Promise<string> {
  const part = await openPart(ground, manners, 2, {}, 'history');
  const { connection } = part;
  try {
    const made = await connection.request('session/new', { cwd: folder.path, mcpServers: [] });
    const sessionId = str(made.result, 'sessionId');
    if (sessionId === undefined) throw new LabProblem(`No session: ${whyNot(made, part)}.`);
    for (let turn = 0; turn < 2; turn++) {
      const text = promptFor(manners.prompt, labWord(ground.token()));
      const taken = await takeTurn(connection, sessionId, text);
      if (taken.end === undefined)
        throw new LabProblem(`A turn did not end: ${whyNot(taken.prompt, part)}.`);
    }
    return sessionId;
  } finally {
    if (connection.exit === undefined) await connection.leave();
  }
}

interface Wanted {
  readonly label: string;
  readonly cursor: Json;
  readonly sessionId: string;
  readonly folder: LabFolder;
}

async function replay(
  ground: LabGround,
  manners: LabManners,
  { label, cursor, sessionId, folder }: Wanted,
): Promise<CursorReplay> {
  const part = await openPart(ground, manners, 2, {}, label);
  const { connection } = part;
  try {
    const params = { sessionId, cwd: folder.path, mcpServers: [], replayFrom: cursor };
    const answered = await connection.request('session/resume', params);
    await connection.quiet(manners.quiet, manners.quiet * 10);
    const base = { trace: connection.trace, requestSeq: answered.requestSeq };
    const error = answered.error;
    if (error) return { ...base, rejected: `${error.code} ${error.message}` };
    if (answered.result === undefined) return { ...base, rejected: whyNot(answered, part) };
    const items = replayedItems(sourceOf(part, 'after'));
    if (label === 'end') await clear(part, [sessionId]);
    return { ...base, items };
  } finally {
    if (connection.exit === undefined) await connection.leave();
  }
}

/** Ids of messages from end to end. */
function sampleOf(items: readonly ReplayedItem[]): readonly string[] {
  const ids = items.flatMap(({ id, kind }) =>
    id !== undefined && (kind === 'user' || kind === 'agent') ? [id] : [],
  );
  if (ids.length <= SAMPLE) return ids;
  const step = (ids.length - 1) / (SAMPLE - 1);
  return Array.from({ length: SAMPLE }, (_, i) => ids[Math.round(i * step)] ?? '');
}
