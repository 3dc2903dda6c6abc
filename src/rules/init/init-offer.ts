// What the two messages of a v1 handshake hold. Family `init` of the catalogue.
import { offerFor } from '../../acp/capabilities.ts';
import { get } from '../../acp/json.ts';
import { isYes, capabilityAt } from '../../acp/gate.ts';
import { isV2Shaped } from './handshake.ts';
import { onAnswer } from '../listen.ts';
import { fail, judged, type Fault, type Undecided } from '../outcome.ts';
import type { Rule } from '../rule.ts';

const infoMissing: Rule = {
  id: 'init/info-missing',
  versions: [1],
  side: 'sender',
  severity: 'warning',
  clause: 'both sides say their name and version: `clientInfo` and `agentInfo`',
  on: [
    onAnswer(['initialize'], ({ params, result, asked }) => {
      if (result === undefined) return undefined;
      const faults: (Fault | Undecided)[] = [];
      // One that asks in v2's shape has said it there: init/v2-shape-on-v1.
      if ((get(params, 'clientInfo') ?? get(params, 'info') ?? null) === null)
        faults.push(
          fail('no `clientInfo`', { pointer: '/params', side: 'client', seqs: [asked.seq] }),
        );
      if ((get(result, 'agentInfo') ?? get(result, 'info') ?? null) === null)
        faults.push(fail('no `agentInfo`', { pointer: '/result' }));
      return judged(faults);
    }),
  ],
};

const v2Shape: Rule = {
  id: 'init/v2-shape-on-v1',
  versions: [1],
  side: 'client',
  severity: 'hint',
  clause: 'a client that is answered in v1 offered its capabilities in v1’s shape',
  on: [
    onAnswer(['initialize'], ({ params, result, asked }) => {
      if (result === undefined) return undefined;
      if (!isV2Shaped(params)) return 'pass';
      const lost = Object.keys(offerFor(params, 1)).filter((key) => key !== '_meta');
      const words =
        lost.length === 0 ? '' : ` (${lost.map((key) => `\`${key}\``).join(', ')} among them)`;
      return fail(`v2’s fields alone; a v1 agent sees no client capabilities${words}`, {
        due: '`clientCapabilities` and `clientInfo`, in an `initialize` for version 1',
        pointer: '/params',
        seqs: [asked.seq],
      });
    }),
  ],
};

const canRestore: Rule = {
  id: 'init/load-vs-resume-caps',
  versions: [1],
  side: 'agent',
  severity: 'hint',
  clause: 'sessions can be loaded or resumed, or nobody can come back to them',
  on: [
    onAnswer(['initialize'], ({ result }) => {
      if (result === undefined) return undefined;
      const offered = (path: string) =>
        isYes(capabilityAt({ result }, `result.agentCapabilities.${path}`));
      if (offered('loadSession') || offered('sessionCapabilities.resume')) return 'pass';
      const list = offered('sessionCapabilities.list') ? ', though sessions can be listed' : '';
      return fail(`neither \`loadSession\` nor \`sessionCapabilities.resume\`${list}`, {
        pointer: '/result/agentCapabilities',
      });
    }),
  ],
};

export const INIT_OFFER: readonly Rule[] = [infoMissing, v2Shape, canRestore];
