// What stands on the buttons that answer an agent: our word for the kind first, the agent's own
// label behind it, so that a label cannot pass a permission off as a refusal.
import type { OpenRequest, PermissionOption } from '../model/facts/facts-view.ts';

const KINDS: Readonly<Record<string, string>> = {
  allow_once: 'Allow once',
  allow_always: 'Allow always',
  reject_once: 'Reject once',
  reject_always: 'Reject always',
};

/** How long a fresh question takes no click: it may have come up under the pointer. */
export const ARMING_MS = 500;

interface OptionWords {
  readonly ours: string;
  /** The agent's label, where it says more than ours. */
  readonly theirs: string | undefined;
}

export function permissionWords({ kind, name }: PermissionOption): OptionWords {
  const ours = KINDS[kind] ?? `Other (${kind})`;
  return { ours, theirs: inOrder(name) === inOrder(ours) ? undefined : name };
}
/** `Always allow` says what `Allow always` says. */
const inOrder = (words: string) => words.toLowerCase().split(' ').toSorted().join(' ');

/** What a person is asked to decide. */
export function askKind(request: OpenRequest): 'permission' | 'elicitation' | 'host' | 'other' {
  if (request.options) return 'permission';
  if (request.elicitation) return 'elicitation';
  return /^(fs|terminal)\//.test(request.method) ? 'host' : 'other';
}
