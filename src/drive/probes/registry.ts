// Every probe, in the order of the catalogue: versions and capabilities, sessions, load, resume,
// what ends them, prompts, transports.
import { BY_HAND } from './setup/by-hand.ts';
import { CANCELLING } from './turns/cancelling.ts';
import { CHILD_PROBES } from './turns/children.ts';
import { CAPABILITY_PROBES } from './setup/capabilities.ts';
import { CHOOSING } from './setup/choosing.ts';
import { CLOSING } from './turns/closing.ts';
import { CREATING } from './setup/creating.ts';
import { ENDING } from './turns/ending.ts';
import { INTERRUPTED } from './restore/interrupted.ts';
import { LISTING } from './setup/listing.ts';
import { LOADS } from './restore/load.ts';
import type { Probe } from './world.ts';
import { PROMPTING } from './turns/prompting.ts';
import { RESUME1 } from './restore/resume1.ts';
import { RESUME2_CURSORS } from './restore/resume2-cursors.ts';
import { RESUME2 } from './restore/resume2.ts';
import { TRANSPORT } from './setup/transport.ts';
import { VERSION } from './setup/version.ts';

export const PROBES: readonly Probe[] = [
  ...VERSION,
  ...CAPABILITY_PROBES,
  ...CREATING,
  ...CHOOSING,
  ...LISTING,
  ...LOADS,
  ...RESUME1,
  ...RESUME2,
  ...RESUME2_CURSORS,
  ...INTERRUPTED,
  ...CLOSING,
  ...ENDING,
  ...PROMPTING,
  ...CANCELLING,
  ...CHILD_PROBES,
  ...TRANSPORT,
  ...BY_HAND,
];
