/** What came to the protocol as one, and may be spoken before anything else of its edition is. */
export type Feature = 'subagents' | 'replay-complete' | 'system-prompt';
