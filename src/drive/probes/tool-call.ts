// A turn with a tool call, in a session of its own, and whether the call comes back when the session
// is restored.
import { str } from '../../acp/json.ts';
import { count } from '../../lib/format-count.ts';
import { itemIdOf, itemKindOf } from '../../model/variants.ts';
import { resultOf } from '../answered.ts';
import { takeTurn, type SeenUpdate } from '../turn.ts';
import { faithful } from './faithful.ts';
import { at, pass, skip, warn, type ProbeVerdict } from './probe.ts';
import { restoreOn, type RestoreWish } from './restored.ts';
import { answerWords } from './words.ts';
import type { ProbeWorld } from './world.ts';

const FINAL: readonly string[] = ['completed', 'failed', 'cancelled'];

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
  const { answered, window } = await restoreOn(world, b, sessionId, how);
  const spots = [at(b, answered), lived];
  if (resultOf(answered) === undefined)
    return skip(`The restore ${answerWords(answered)}, so no tool call could come back.`, ...spots);
  const back = callsIn(window);
  const lost = [...live.keys()].filter((id) => !back.has(id));
  if (lost.length > 0)
    return warn(
      `Of ${count(live.size, 'tool call')}, ${lost.length} did not come back under the id it had: ${lost.join(', ')}.`,
      ...spots,
    );
  const open = [...live].filter(
    ([id, status]) => FINAL.includes(status) && back.get(id) !== status,
  );
  if (open.length > 0)
    return warn(
      `Tool calls came back with another status: ${open.map(([id, status]) => `${id} was ${status}, is ${back.get(id) ?? 'none'}`).join('; ')}.`,
      ...spots,
    );
  const rest = faithful(a, { connection: b, answered }, sessionId);
  if (rest.verdict === 'warn') return rest;
  return pass(`${count(live.size, 'tool call')} came back, with their status.`, ...spots);
}

/** The last status of each call. */
function callsIn(updates: readonly SeenUpdate[]): ReadonlyMap<string, string> {
  const calls = new Map<string, string>();
  for (const { variant, update } of updates) {
    if (itemKindOf(variant) !== 'tool') continue;
    const id = itemIdOf(variant, update);
    if (id !== undefined) calls.set(id, str(update, 'status') ?? calls.get(id) ?? 'pending');
  }
  return calls;
}
