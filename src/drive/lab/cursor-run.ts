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
import { type LabEnvironment, type LabSettings, labWord, promptFor } from './environment.ts';
import {
  deleteSessions,
  LabProblem,
  openPart,
  tracePart,
  type LabTry,
  type LabPart,
} from './part.ts';
import { whyNot } from './prepare.ts';
import type { LabCursors } from './report.ts';
import { customCursor } from './restored.ts';

/** How many messages are asked from. */
const SAMPLE = 4;
/** So many rejected at first, and the agent takes none. */
const REJECTED = 2;

/** Throws `LabProblem`, and `BudgetSpent`. */
export async function runCursors(
  environment: LabEnvironment,
  settings: LabSettings,
): Promise<LabCursors> {
  const { path: cwd } = await environment.folder('cursors');
  const sessionId = await history({ environment, settings }, cwd);
  const from = (label: string, cursor: Json) =>
    withPart({ environment, settings }, label, async (part): Promise<CursorReplay> => {
      const { connection } = part;
      const params = { sessionId, cwd, mcpServers: [], replayFrom: cursor };
      const answered = await connection.request('session/resume', params);
      await connection.quiet(settings.quiet, settings.quiet * 10);
      const { trace, requestSeq } = answered;
      if (answered.result === undefined)
        return { trace, requestSeq, rejected: whyNot(answered, part) };
      const items = replayedItems(tracePart(part, 'after'));
      if (label === 'end') await deleteSessions(part, [sessionId]);
      return { trace, requestSeq, items };
    });
  const start = await from('start', FROM_START);
  const cursors: CursorAsked[] = [];
  for (const names of sampleOf(itemsIn(start) ?? [])) {
    if (cursors.length === REJECTED && cursors.every(({ first }) => 'rejected' in first)) break;
    const cursor = customCursor(names, settings);
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

/** Does something with an agent of its own, which then ends. */
async function withPart<T>(
  how: Pick<LabTry, 'environment' | 'settings'>,
  label: string,
  work: (part: LabPart) => Promise<T>,
): Promise<T> {
  const part = await openPart({ ...how, version: 2 }, label);
  try {
    return await work(part);
  } finally {
    if (part.connection.exit === undefined) await part.connection.leave();
  }
}

function history({ environment, settings }: Pick<LabTry, 'environment' | 'settings'>, cwd: string) {
  return withPart({ environment, settings }, 'history', async (part) => {
    const made = await part.connection.request('session/new', { cwd, mcpServers: [] });
    const sessionId = str(made.result, 'sessionId');
    if (sessionId === undefined) throw new LabProblem(`No session: ${whyNot(made, part)}.`);
    for (let turn = 0; turn < 2; turn++) {
      const text = promptFor(settings.prompt, labWord(environment.token()));
      const { prompt, end } = await takeTurn(part.connection, sessionId, text);
      if (end === undefined) throw new LabProblem(`A turn did not end: ${whyNot(prompt, part)}.`);
    }
    return sessionId;
  });
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
