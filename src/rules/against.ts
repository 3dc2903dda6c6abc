// What a trace is held against: an edition of the protocol, and the features of later ones that are
// spoken in it. v2 is in motion, and v1 grows: what one edition allows, another may forbid.
import type { EditionId } from '../acp/editions/edition.ts';
import type { Feature } from '../acp/editions/feature.ts';
import {
  countsIn,
  EDITION_IDS,
  EDITIONS,
  featureWords,
  firstWith,
  BASE,
  hasFeature,
} from '../acp/editions/editions.ts';
import type { Rule } from './rule.ts';

/** `auto`: by the version spoken and by what only one edition has. */
export type EditionChoice = 'auto' | EditionId;

export interface Against {
  readonly edition: EditionId;
  /** Spoken, though the edition lacks them: each is judged as the first edition that has it does. */
  readonly raised: readonly Feature[];
  /** The client asked for them: their rules hold in an edition that lacks them too. */
  readonly asked: readonly Feature[];
  /** True if the lines are of several connections and do not say which. */
  readonly isMixed?: boolean;
}

/** Whether a feature is part of what is held against. */
export function includes({ edition, raised }: Against, feature: Feature): boolean {
  return raised.includes(feature) || hasFeature(edition, feature);
}

/** Features that are judged by a later edition, with that. */
export function raisedTo({ edition, raised }: Against): readonly (readonly [Feature, EditionId])[] {
  return raised.flatMap((feature) => {
    const later = firstWith(EDITIONS[edition].version, feature);
    return later === undefined ? [] : [[feature, later] as const];
  });
}

/** "v1 as of SDK 2.4.0, child sessions by v1 as of November 2026" */
export function againstWords(against: Against): string {
  const raised = raisedTo(against).map(
    ([feature, later]) => `, ${featureWords(feature)} by ${EDITIONS[later].words}`,
  );
  return EDITIONS[against.edition].words + raised.join('');
}

/** Where a rule counts otherwise than it says itself: "warning in v1", "not asked in v2 as of August 2026". */
export function otherwise({ id, versions, severity, feature }: Rule): readonly string[] {
  const since = feature === undefined ? [] : [`asked with ${featureWords(feature)}`];
  const bases = Object.values(BASE);
  const counted = [...new Set([...bases, ...EDITION_IDS])].flatMap((edition) => {
    const { version, words, on } = EDITIONS[edition];
    const before = (on && countsIn(on, id)) ?? severity;
    const counts = countsIn(edition, id) ?? severity;
    if (!versions.includes(version) || counts === before) return [];
    return `${counts === 'off' ? 'not asked' : counts} in ${on ? words : `v${version}`}`;
  });
  return [...since, ...counted];
}
