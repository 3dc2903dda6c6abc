import { count } from '../../../lib/format.ts';
import { itemKindOf } from '../../../model/facts/variants.ts';
import { takeTurn } from '../../turn.ts';
import type { Row } from '../../../model/fidelity/report/report.ts';
import { faithful, heldAgainst, turnsIn } from '../restore/faithful.ts';
import {
  at,
  pass,
  say,
  skip,
  warn,
  type ProbeVerdict,
  outcomeWords,
  quotedPlain,
} from '../probe.ts';
import { restoreOn, type How } from '../restore/restored.ts';
import type { ProbeWorld } from '../world.ts';
import { giveAnother } from '../../../model/probe-texts.ts';

/** Why these probes are left out unless they are asked for. */
export const TOOL_USE = 'lets the agent use a tool, in a temporary folder';

/** Calls that are named in a sentence. */
const NAMED = 5;

export async function probedTool(world: ProbeWorld, how: How): Promise<ProbeVerdict> {
  const { texts } = world.settings;
  const a = await world.connect('a', { permission: 'allow-once' });
  const { sessionId } = await world.create(a);
  const turn = await takeTurn(a, sessionId, texts.tool);
  await world.quiet(a);
  await a.leave();
  const lived = turn;
  if (!turn.updates.some(({ variant }) => itemKindOf(variant) === 'tool'))
    return skip(`The agent used no tool. ${giveAnother('tool')}`, lived);
  const b = await world.connect('b');
  const restored = await restoreOn(world, b, sessionId, how);
  const { answered } = restored;
  if (answered.result === undefined)
    return skip(
      `The restore ${outcomeWords(answered)}, so no tool call could come back.`,
      ...[answered, lived],
    );
  const window = heldAgainst(a, restored, sessionId);
  const rows = window ? turnsIn(window).flat() : [];
  const calls = rows.filter(({ of }) => of === 'tool');
  const of = (mark: Row['mark']) => calls.filter((row) => row.mark === mark);
  const spots = (some: readonly Row[]) => [
    at(b, answered, ...some.map(({ replayed }) => replayed?.frame.seq)),
    at(a, turn.prompt, ...some.map(({ live }) => live?.frame.seq), turn.end),
  ];
  const [gone, lost] = [of('missing'), of('lost id')];
  const all = `Of ${count(calls.length, 'tool call')}`;
  const isV1 = world.version === 1;
  const due = isV1 ? ' Expected: the entire conversation.' : '';
  if (gone.length > 0)
    return say(
      isV1 ? 'fail' : 'warn',
      `${all}, ${gone.length} did not come back: ${named(gone)}.${due}`,
      ...spots(gone),
    );
  if (lost.length > 0)
    return warn(
      `${all}, ${lost.length} came back under another id: ${named(lost)}.`,
      ...spots(lost),
    );
  const rest = faithful(a, restored, sessionId);
  if (rest.verdict === 'warn' || rest.verdict === 'fail') return rest;
  return pass(`${count(calls.length, 'tool call')} came back, with their status.`, ...spots([]));
}

function named(rows: readonly Row[]): string {
  const words = rows.slice(0, NAMED).map(({ live }) => quotedPlain(live?.words ?? ''));
  const more = rows.length - words.length;
  return [...words, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}
