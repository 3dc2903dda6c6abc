// The words of this page that a reader of the protocol may not know, in one sentence each; the sheet
// of keys shows them, and docs/glossary.md says the same.

export const GLOSSARY: readonly (readonly [term: string, meaning: string])[] = [
  ['Connection', 'One client and one agent, from start to end. It hosts any number of sessions.'],
  ['Session', 'What ACP calls so, named by its sessionId. S1 means the same one in every view.'],
  [
    'Trace',
    'The record of one connection: every line of both sides byte for byte, stderr, the end.',
  ],
  ['Frame', 'One line that crossed the wire. c2#12 is number 12 of connection 2.'],
  ['Exchange', 'A request and its answer.'],
  ['Restore', 'The client asks for a session that exists: session/load or session/resume.'],
  ['Replay', 'History that the agent sends again while it restores. It is hatched in every view.'],
  [
    'Late',
    'History that came after the restore was answered, or its end marked: a client takes it for new.',
  ],
  ['Cursor', 'The value of replayFrom: where the history is to begin. A pin marks it.'],
  [
    'Fidelity',
    'How much of a session came back as it was: identical, equivalent, late, incomplete or wrong.',
  ],
  [
    'Finding',
    'A rule of the protocol that frames break: whose fault, what was seen, what was due.',
  ],
  [
    'Relay',
    'The program on this machine that starts or taps agents, and records. It changes no byte.',
  ],
];
