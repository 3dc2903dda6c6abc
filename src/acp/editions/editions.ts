// Every edition of the protocol that a trace can be held against, and what each makes of a rule.
import type { Version } from '../methods.ts';
import { EDITION_IDS } from './edition.ts';
import type { Addition, CountsAs, Edition, EditionId, Feature } from './edition.ts';
import { V1_SDK_2_4_0 } from './v1-2.4.0.ts';
import { V1_NOVEMBER_2026 } from './v1-2026-11.ts';
import { V2_SDK_2_4_0 } from './v2-2.4.0.ts';
import { V2_AUGUST_2026 } from './v2-2026-08.ts';
import { V2_NOVEMBER_2026 } from './v2-2026-11.ts';
import { V2_REPLAY_COMPLETE } from './v2-replay-complete.ts';

export const EDITIONS: Readonly<Record<EditionId, Edition>> = {
  'v1-2.4.0': V1_SDK_2_4_0,
  'v1-2026-11': V1_NOVEMBER_2026,
  'v2-2026-08': V2_AUGUST_2026,
  'v2-2.4.0': V2_SDK_2_4_0,
  'v2-2026-11': V2_NOVEMBER_2026,
  'v2-replay-complete': V2_REPLAY_COMPLETE,
};

/** The date of the newest text of the protocol that is known here. */
export const NEWEST_DATE = Object.values(EDITIONS)
  .map(({ date }) => date)
  .reduce((a, b) => (a > b ? a : b));

/** Where a trace begins to be read of which nobody says more than its version. */
export const BASE: Readonly<Record<Version, EditionId>> = { 1: 'v1-2.4.0', 2: 'v2-2.4.0' };

/** Also under the names that were given before editions had dates. */
export function editionNamed(name: string): EditionId | undefined {
  return name === 'v1' ? BASE[1] : EDITION_IDS.find((id) => id === name);
}

/** An edition and those it builds on, itself first. */
function lineOf(id: EditionId): readonly Edition[] {
  const line: Edition[] = [];
  for (let at: Edition | undefined = EDITIONS[id]; at; at = at.on) line.push(at);
  return line;
}

/** How much a rule, or a point of it, counts; undefined: as it says itself. */
export function countsIn(id: EditionId, rule: string): CountsAs | undefined {
  return lineOf(id).find(({ counts }) => counts?.[rule] !== undefined)?.counts?.[rule];
}

export function hasFeature(id: EditionId, feature: Feature): boolean {
  return additionsOf(id).some((one) => one.feature === feature);
}

function additionsOf(id: EditionId): readonly Addition[] {
  return lineOf(id).flatMap(({ adds = [] }) => adds);
}

/** The first edition of a version that has a feature. */
export function firstWith(version: Version, feature: Feature): EditionId | undefined {
  return EDITION_IDS.find((id) => EDITIONS[id].version === version && hasFeature(id, feature));
}
