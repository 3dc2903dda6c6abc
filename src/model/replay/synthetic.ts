// Text that agents put into a history by themselves, in the name of the user or their own. Nobody
// said it live; some of it tells what was so nevertheless.
export interface Synthetic {
  /** It says that the user broke the turn off. */
  readonly saysInterrupted: boolean;
  /** It only fills a place, and says nothing. */
  readonly isFiller: boolean;
  /** It says that history of a child session is missing. */
  readonly saysGap: boolean;
}

const INTERRUPTED = /^\s*\[Request interrupted by user[^\]]*\]\s*$/;
const FILLER = /^\s*(?:No response requested\.?|\(no content\))\s*$/;
const GAP = /^\s*Some recorded child history is unavailable or incomplete\.?\s*$/;
/** What agents hand their model beside the conversation. */
const HARNESS =
  /^\s*(?:<(?:system-reminder|session_context|environment_context|user_instructions|command-name|command-message|local-command-(?:stdout|caveat)|task-notification)>|\[Function Response: |\[System: |Caveat: The messages below)/;

/** `kind`: of the item that says it. */
export function syntheticText(kind: string, text: string): Synthetic | undefined {
  const nothing = { saysInterrupted: false, isFiller: false, saysGap: false };
  if (kind === 'thought' && GAP.test(text)) return { ...nothing, saysGap: true };
  if (kind !== 'user' && kind !== 'agent') return undefined;
  if (INTERRUPTED.test(text)) return { ...nothing, saysInterrupted: true };
  if (FILLER.test(text)) return { ...nothing, isFiller: true };
  return HARNESS.test(text) ? nothing : undefined;
}
