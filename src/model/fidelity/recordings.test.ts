// Replays of real agents against what they said live: each difference was read in both frames.
import { expect, test } from 'vitest';
import { sourcesOf } from '../../test/traces/fidelity-sources.ts';
import { recordings } from '../../test/traces/recordings.ts';
import { REVIEWED_FIDELITY } from '../../test/traces/reviewed-fidelity.ts';
import { SETS } from '../../test/traces/reviewed.ts';
import { fidelityOf } from './fidelity.ts';
import type { ItemDifference } from './report/report.ts';
import type { FrameRef } from '../../trace/event.ts';

const EVENTS = new Map(recordings().map(({ name, events }) => [name, events]));

const frame = (ref: FrameRef | undefined) => (ref ? `${ref.connection}#${ref.seq}` : '—');
const words = ({ verdict, kind, of, field, live, replayed }: ItemDifference) =>
  [
    verdict,
    kind,
    of,
    ...(field === undefined ? [] : [field]),
    `${frame(live)} → ${frame(replayed)}`,
  ].join(' ');

test.each(Object.entries(SETS))('%s', (set, names) => {
  const { windows } = fidelityOf(sourcesOf(names.map((name) => EVENTS.get(name) ?? [])));
  const found = windows.map(({ connection, requestSeq, variant, verdict, differences }) => ({
    window: `${connection}#${requestSeq} ${variant}`,
    verdict,
    differences: differences
      .filter((one) => one.verdict !== 'cosmetic')
      .map(words)
      .sort(),
  }));
  const reviewed = (REVIEWED_FIDELITY[set] ?? []).map(({ window, verdict, because }) => ({
    window,
    verdict,
    differences: Object.values(because).flat().sort(),
  }));
  expect(found).toEqual(reviewed);
});
