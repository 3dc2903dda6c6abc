// Every probe, in the order of the catalogue: versions and capabilities, sessions, load, resume,
// what ends them, prompts, transports.
import { CANCELLING } from './cancelling.ts';
import { CAPABILITIES } from './capabilities.ts';
import { CLOSING } from './closing.ts';
import { CREATING } from './creating.ts';
import { ENDING } from './ending.ts';
import { INTERRUPTED } from './interrupted.ts';
import { LISTING } from './listing.ts';
import { LOADS } from './load.ts';
import type { Probe } from './probe.ts';
import { PROMPTING } from './prompting.ts';
import { RESUME1 } from './resume1.ts';
import { RESUME2_CURSORS } from './resume2-cursors.ts';
import { RESUME2 } from './resume2.ts';
import { TRANSPORT } from './transport.ts';
import { VERSION } from './version.ts';

export const PROBES: readonly Probe[] = [
  ...VERSION,
  ...CAPABILITIES,
  ...CREATING,
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
  ...TRANSPORT,
];
