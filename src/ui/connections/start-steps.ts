// The steps of a start, from the command to the first session: which are done, which one is pending or
// failed, and what to do about that step.
import { formatSpan } from '../../lib/format-time.ts';
import { isUrl } from '../../lib/program-name.ts';
import { joinCommand } from '../../lib/split-command.ts';
import type { ConnectionFacts } from '../../model/facts/facts-view.ts';

export interface StartStep {
  readonly name: 'Started' | 'First byte' | 'initialize' | 'Authentication';
  readonly state: 'done' | 'pending' | 'failed' | 'later';
  /** A value beside the name, for example `pid 4711`; undefined if there is none. */
  readonly note?: string;
  /** What the user can do; only on a step that is pending or failed. */
  readonly advice?: string;
}

/** Returns the steps of a start in their order. At most one is pending or failed; later steps wait for it. */
export function startSteps(facts: ConnectionFacts): readonly StartStep[] {
  const { started, firstFrameAt, handshake, signIn } = facts;
  const byUrl = isUrl(started?.argv ?? []);
  const where = joinCommand(started?.shown ?? started?.argv ?? []);
  const pid = started?.pid === undefined ? where : `${where} · pid ${started.pid}`;
  const steps: readonly (Omit<StartStep, 'state'> & { readonly isDone: boolean })[] = [
    { name: 'Started', note: pid, isDone: started !== undefined },
    {
      name: 'First byte',
      isDone: firstFrameAt !== undefined,
      ...(firstFrameAt !== undefined && { note: `after ${formatSpan(firstFrameAt)}` }),
      advice: byUrl
        ? 'Check that ACP is served at this URL.'
        : 'Check that the command speaks ACP on stdio: many agents need a flag such as --acp. Some ask a question or download an update first.',
    },
    {
      name: 'initialize',
      isDone: handshake?.version !== undefined,
      ...(handshake?.version !== undefined && { note: `protocol v${handshake.version}` }),
      ...(handshake?.error !== undefined && { note: handshake.error }),
      advice: handshake
        ? 'The agent did not accept initialize. Start it with another protocol version under Options.'
        : 'Nobody sent initialize. Write the request in the composer.',
    },
    {
      name: 'Authentication',
      isDone: signIn === undefined,
      note: signIn === undefined ? 'not requested' : signIn.message,
      advice: 'Choose a method in the pane of the connection.',
    },
  ];
  const at = steps.findIndex(({ isDone }) => !isDone);
  const isOver = facts.exit !== undefined || handshake?.error !== undefined || signIn !== undefined;
  return steps.map(({ isDone: _, name, note, advice }, i) => {
    if (at < 0 || i < at) return { name, state: 'done', ...(note !== undefined && { note }) };
    if (i > at) return { name, state: 'later' };
    const state = isOver ? 'failed' : 'pending';
    return {
      name,
      state,
      ...(note !== undefined && { note }),
      ...(advice !== undefined && { advice }),
    };
  });
}

/** True while the steps of the start are what there is to see: no session yet, and a step not done. */
export function isStarting(facts: ConnectionFacts): boolean {
  const { handshake, signIn, sessions } = facts;
  return (handshake?.version === undefined || signIn !== undefined) && sessions.length === 0;
}
