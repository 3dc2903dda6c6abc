// Folders and canaries of a run in the page: the relay makes them, and takes them away with the run.
import { LabProblem } from '../../drive/lab/part.ts';
import type { LabGround } from '../../drive/lab/ground.ts';
import type { GroundAnswer, GroundCall } from '../../link/messages.ts';
import type { RelayCalls } from '../connections/relay-calls.ts';

export type PageGround = Pick<LabGround, 'now' | 'token' | 'folder' | 'remove' | 'canary'> & {
  clear(): Promise<void>;
};

/** `from`: where the agents are started. Throws a final `LabProblem` where the relay cannot. */
export function pageGround(calls: RelayCalls, from: string): PageGround {
  const ask = async <T extends GroundAnswer['op']>(call: GroundCall, op: T) => {
    const answer = await calls.ground(call);
    if (typeof answer === 'string') throw new LabProblem(answer, true);
    if (answer.op !== op) throw new Error(`${call.op} was answered as ${answer.op}.`);
    return answer as Extract<GroundAnswer, { readonly op: T }>;
  };
  return {
    now: () => Date.now(),
    token: () => crypto.randomUUID().replaceAll('-', '').slice(0, 6),
    folder: (name) => ask({ op: 'folder', name, from }, 'folder'),
    async remove({ path }) {
      await ask({ op: 'remove', path }, 'done');
    },
    async canary(name) {
      const made = await ask({ op: 'canary', name }, 'canary');
      return { ...made, seen: () => ask({ op: 'seen', tool: made.tool }, 'seen') };
    },
    async clear() {
      // The relay clears what is left when the page goes.
      await calls.ground({ op: 'clear' });
    },
  };
}
