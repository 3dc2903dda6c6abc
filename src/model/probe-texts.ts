// The prompts of probes: those that they have, and those that a person gives in their place.

export interface ProbeTexts {
  /** `$MARKER` stands for a random word. */
  readonly marker: string;
  readonly recall: string;
  /** Works long enough to be cancelled. */
  readonly long: string;
  /** Makes the agent use a harmless tool. */
  readonly tool: string;
  /** Make a child session do the work: while its parent waits, behind the turn, and with a permission. */
  readonly delegate: string;
  readonly delegateLong: string;
  readonly delegateEdit: string;
}

export const PROBE_TEXTS: ProbeTexts = {
  marker: 'Reply with the single word $MARKER. Do not use tools.',
  recall: 'Which PROBE word did you say before? Answer with that word alone. Do not use tools.',
  long: 'This is a slow task: count from 1 to 300 in words, one number a line. Do not use tools.',
  tool: 'Look with a tool at what is in the current folder, then say how many entries there are.',
  delegate:
    'Delegate to a subagent: it looks with a tool at what is in the current folder, and says how many entries there are.',
  delegateLong:
    'Delegate to a subagent that works in the background, behind this turn: it counts from 1 to 300 in words.',
  delegateEdit:
    'Delegate to a subagent: it shall edit the file probe.txt in the current folder, so that it says hello.',
};

/** Those that may be given: `recall` goes with the marker. */
export type OwnProbeTexts = Readonly<Partial<Omit<ProbeTexts, 'recall'>>>;

/** Why a prompt given for the shared session is none; undefined: it is one. */
export function markerProblem({ marker }: OwnProbeTexts): string | undefined {
  if (marker === undefined || marker.includes('$MARKER')) return undefined;
  return 'needs $MARKER in it: the word that the agent must say back';
}

const OPTIONS = {
  long: '--long-prompt',
  tool: '--tool-prompt',
  delegate: '--delegate-prompt',
  delegateLong: '--delegate-long-prompt',
  delegateEdit: '--delegate-edit-prompt',
} as const;

/** Where the prompt did not make the agent do what is asked about. */
export const giveAnother = (text: keyof typeof OPTIONS): string =>
  `${OPTIONS[text]} gives another prompt in a terminal, “Prompts of your own” in the page.`;
