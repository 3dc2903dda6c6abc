// What an edition of the protocol is: its dated text, told as what it adds to, and takes from, another.
// The schemas at hand are those of SDK 2.4.0, so each version's edition of that name is the base.
import type { Version } from '../methods.ts';

export const EDITION_IDS = [
  'v1-2.4.0',
  'v1-2026-11',
  'v2-2026-08',
  'v2-2.4.0',
  'v2-2026-11',
  'v2-replay-complete',
] as const;
export type EditionId = (typeof EDITION_IDS)[number];

/** What came to the protocol as one, and may be spoken before anything else of its edition is. */
export type Feature = 'subagents' | 'replay-complete';

export const FEATURE_WORDS: Readonly<Record<Feature, string>> = {
  subagents: 'child sessions',
  'replay-complete': '`replay_complete`',
};

/** How much breaking a rule counts; `off`: the edition does not ask it. */
export type CountsAs = 'error' | 'warning' | 'hint' | 'off';

/** Required fields, each of the definition of this name; `any`: whatever stands there. */
export type RequiredFields = Readonly<Record<string, string>> | 'any';

export interface Addition {
  readonly feature: Feature;
  /** By definition: fields and values that the SDK's schemas have as unstable. */
  readonly stable?: Readonly<Record<string, readonly string[]>>;
  /** By definition: values of its tag that no schema of the SDK has. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, RequiredFields>>>>;
}

export interface Edition {
  readonly id: EditionId;
  readonly version: Version;
  /** For people: "v1 as of November 2026". */
  readonly words: string;
  /** Of its text, as YYYY-MM-DD. */
  readonly date: string;
  /** Address of its text. */
  readonly source: string;
  /** The edition it changes; none: it is the base. */
  readonly on?: Edition;
  readonly adds?: readonly Addition[];
  /**
   * Rules, and points of them (`schema/result#receipt`), that count otherwise than in the edition it
   * changes; of the base, otherwise than the rule says itself.
   */
  readonly counts?: Readonly<Record<string, CountsAs>>;
}
