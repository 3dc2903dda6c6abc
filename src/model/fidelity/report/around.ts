// What a report says of a restore beside its comparison: work that was open before, and what would decide.
import type { OpenThing, WorkFate } from '../../restore/reconnect.ts';
import type { Block, ReportItem, Tone } from '../../../report/document.ts';
import { detail, section, toned } from '../../../report/words.ts';
import type { FrameRef } from '../../../trace/event.ts';
import type { DecidingRestore } from './report.ts';

/** The restore that would decide, as one would send it. */
export function decidingDetail(restore: DecidingRestore) {
  const { protocolVersion, method, params, clientCapabilities } = restore;
  const offers = Object.keys(clientCapabilities).join(', ');
  const client = offers === '' ? 'a client' : `a client with the capability ${offers}`;
  return detail(
    'would decide it',
    `v${protocolVersion} ${method} ${JSON.stringify(params)} by ${client}`,
  );
}

const FATE_TONES: Readonly<Record<WorkFate, Tone>> = {
  'seen again': 'good',
  settled: 'good',
  'silently gone': 'warn',
  'cannot be known': 'info',
};

export function leftOpenBlock(
  open: readonly OpenThing[],
  frame: (ref: FrameRef | undefined) => string,
): Block | undefined {
  if (open.length === 0) return undefined;
  const items = open.map(({ fate, words, why, before, after }): ReportItem => ({
    word: fate,
    tone: FATE_TONES[fate],
    title: `${words}: ${why}`,
    details: [
      detail('frames', [toned('quiet', `${frame(before.at(-1))} → ${frame(after.at(-1))}`)]),
    ],
  }));
  return section('open when the connection before ended', { kind: 'items', items });
}
