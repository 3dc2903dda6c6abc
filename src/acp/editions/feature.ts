/** A feature that came to the protocol as a whole: a peer may use it before all else of its edition. */
export type Feature = 'subagents' | 'replay-complete' | 'system-prompt';
