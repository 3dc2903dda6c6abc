// A turn with a tool call, in a session of its own, and whether the call comes back when the session
// is restored.
import { str } from '../../../acp/json.ts';
import { isFinal } from '../../../acp/update.ts';
import { count } from '../../../lib/format-count.ts';
import { itemIdOf, itemKindOf } from '../../../model/facts/variants.ts';
import type { Seq } from '../../../trace/event.ts';
import { resultOf, type ScriptedConnection } from '../../scripted.ts';
import { takeTurn, type SeenUpdate } from '../../turn.ts';
import type { Row } from '../../../diff/fidelity/report/report.ts';
import { faithful, heldAgainst, turnsIn } from '../restore/faithful.ts';
import { at, pass, say, skip, warn, type ProbeVerdict, answerWords, quoted } from '../probe.ts';
import { restoreOn, type Restored, type RestoreWish } from '../restore/restored.ts';
import type { ProbeWorld } from '../world.ts';

/** Why these probes are left out unless they are asked for. */
export const TOOL_USE = 'lets the agent use a tool, in a temporary folder';

/** Calls that are named in a sentence. */
const NAMED = 5;

export async function probedTool(
  world: ProbeWorld,
  how: RestoreWish['how'],
): Promise<ProbeVerdict> {
  const { texts, turnPatience } = world.settings;
  const a = await world.connect('a', { permission: 'allow-once' });
  const { sessionId } = await world.create(a);
  const turn = await takeTurn(a, sessionId, texts.tool, turnPatience);
  await world.quiet(a);
  await a.leave();
  const live = callsIn(turn.updates);
  const lived = at(a, turn.prompt, turn.end);
  if (live.size === 0) return skip('The agent used no tool. Give another --tool-prompt.', lived);
  const b = await world.connect('b');
  const { answered, all } = await restoreOn(world, b, sessionId, how);
  const spots = [at(b, answered), lived];
  if (resultOf(answered) === undefined)
    return skip(`The restore ${answerWords(answered)}, so no tool call could come back.`, ...spots);
  const back = callsIn(all);
  const rows = toolRows(a, { connection: b, answered }, sessionId);
  const gone = rows.filter(({ mark }) => mark === 'missing');
  if (gone.length > 0)
    return say(
      world.version === 1 ? 'fail' : 'warn',
      `Of ${count(live.size, 'tool call')}, ${gone.length} did not come back: ${named(gone)}.${world.version === 1 ? ' The entire conversation is due.' : ''}`,
      at(b, answered),
      at(a, turn.prompt, ...gone.map(({ live }) => live?.frame.seq), turn.end),
    );
  const lost = [...live.keys()].filter((id) => !back.has(id));
  if (lost.length > 0)
    return warn(
      `Of ${count(live.size, 'tool call')}, ${lost.length} came back under another id than it had: ${lost.join(', ')}.`,
      at(b, answered),
      at(a, turn.prompt, ...lost.map((id) => live.get(id)?.seq), turn.end),
    );
  const open = [...live].filter(
    ([id, { status }]) => isFinal(status) && back.get(id)?.status !== status,
  );
  if (open.length > 0)
    return warn(
      `Tool calls came back with another status: ${open.map(([id, { status }]) => `${id} was ${status}, is ${back.get(id)?.status ?? 'none'}`).join('; ')}.`,
      at(b, answered, ...open.map(([id]) => back.get(id)?.seq)),
      at(a, turn.prompt, ...open.map(([, { seq }]) => seq), turn.end),
    );
  const rest = faithful(a, { connection: b, answered }, sessionId);
  if (rest.verdict === 'warn' || rest.verdict === 'fail') return rest;
  return pass(`${count(live.size, 'tool call')} came back, with their status.`, ...spots);
}

function toolRows(
  live: ScriptedConnection,
  replay: Pick<Restored, 'connection' | 'answered'>,
  sessionId: string,
): readonly Row[] {
  const window = heldAgainst(live, replay, sessionId);
  return window ? turnsIn(window).flatMap((rows) => rows.filter(({ of }) => of === 'tool')) : [];
}

function named(rows: readonly Row[]): string {
  const words = rows.slice(0, NAMED).map(({ live }) => quoted(live?.words ?? ''));
  const more = rows.length - words.length;
  return [...words, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

/** The last status of each call, and the frame that told it. */
function callsIn(
  updates: readonly SeenUpdate[],
): ReadonlyMap<string, { readonly status: string; readonly seq: Seq }> {
  const calls = new Map<string, { readonly status: string; readonly seq: Seq }>();
  for (const { seq, variant, update } of updates) {
    if (itemKindOf(variant) !== 'tool') continue;
    const id = itemIdOf(variant, update);
    if (id === undefined) continue;
    const told = str(update, 'status');
    const known = calls.get(id);
    if (told !== undefined || !known) calls.set(id, { status: told ?? 'pending', seq });
  }
  return calls;
}
