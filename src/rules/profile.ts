// Which edition of the protocol a trace is held against. v2 is in motion: what its August 2026 draft
// allowed, SDK 2.4.0 may forbid, so the same frame may be right under one and wrong under the other.
import type { Version } from '../acp/methods.ts';
import type { Severity } from './finding.ts';

export const PROFILES = ['v1', 'v2-2026-08', 'v2-2.4.0'] as const;
export type Profile = (typeof PROFILES)[number];

/** `auto`: by the version spoken and, in v2, by what only one edition does. */
export type ProfileChoice = 'auto' | Profile;

export const PROFILE_WORDS: Readonly<Record<Profile, string>> = {
  v1: 'v1',
  'v2-2026-08': 'v2 as of August 2026',
  'v2-2.4.0': 'v2 as of SDK 2.4.0',
};

export function versionOf(profile: Profile): Version {
  return profile === 'v1' ? 1 : 2;
}

/** How much a rule counts under a profile; `off`: not at all. What is not named is as ever. */
export type ByProfile = Readonly<Partial<Record<Profile, Severity | 'off'>>>;

/** Of rules that came with the schemas of SDK 2.4.0: agents of the August draft break them honestly. */
export const SINCE_2_4_0: ByProfile = { 'v2-2026-08': 'off' };
/** A warning that SDK 2.4.0 made an error. */
export const WORSE_IN_2_4_0: ByProfile = { 'v2-2.4.0': 'error' };
