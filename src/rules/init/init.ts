// Which version the handshake comes to, and who keeps to it. Family `init` of the catalogue; who speaks
// before it is done stands in before-handshake.ts.
import { nearestVersion, offerFor, protocolVersionIn } from '../../acp/handshake.ts';
import { CODE, type Json } from '../../acp/message.ts';
import { isYes, capabilityAt } from '../../acp/gate.ts';
import { arr, get } from '../../acp/json.ts';
import type { Connection, EarlierRequest } from '../connection.ts';
import { begun } from './before-handshake.ts';
import { ignoresAnswer, negotiated, isV2Shaped } from './handshake.ts';
import { onAnswer, onEnd, onRequest } from '../listen.ts';
import type { AnswerStep, RequestStep } from '../steps.ts';
import { onCall, type CallStep } from '../remarks.ts';
import { newerVersion } from '../unknown.ts';
import {
  rulesOf,
  fail,
  type RuleFault,
  type Outcome,
  type Undecided,
  quote,
  judged,
  undecidable,
  unheard,
} from '../rule.ts';

function again({ params, seq }: RequestStep, connection: Connection): Outcome {
  const { version, handshake, isOver } = connection;
  // Whoever was refused, or hears nothing, tries again; who started another process begins again.
  if (handshake?.result === undefined || isOver) return 'pass';
  const seqs = [handshake.asked.seq, seq];
  if (version === 1) return fail('a second `initialize`', { seqs });
  const other = begun.of(connection).request;
  if (other !== undefined)
    return fail(`a second \`initialize\`, after the request #${other}`, { seqs });
  const { chosen } = negotiated(connection);
  const asked = protocolVersionIn(params);
  if (asked === undefined || chosen === undefined || asked >= chosen) return 'pass';
  return fail(`a second \`initialize\` for version ${asked}, after ${chosen} was chosen`, {
    due: `version ${chosen} or higher`,
    pointer: '/params/protocolVersion',
    severity: 'hint',
    seqs,
  });
}

/** The versions of an answer to `initialize`, and what was asked for. */
function versionsOf({ params, result }: AnswerStep): { asked: number; chosen: number } | undefined {
  const asked = protocolVersionIn(params);
  const chosen = protocolVersionIn(result);
  return asked === undefined || chosen === undefined ? undefined : { asked, chosen };
}

const NEWEST = 2;

function wentOn(step: CallStep, connection: Connection): Outcome {
  const { from, method } = step;
  if (from !== 'client' || method === 'initialize') return undefined;
  const { asked, chosen } = negotiated(connection);
  if (asked === undefined || chosen === undefined) return undefined;
  if (chosen > asked)
    return fail(
      `\`${method}\`, although version ${chosen} was chosen and the client asked for ${asked}`,
      // It may have asked for less than it knows.
      chosen > NEWEST ? {} : { severity: 'warning' },
    );
  if (!ignoresAnswer(step, connection)) return 'pass';
  return fail(`\`${method}\` of version ${asked}, although ${chosen} was chosen`, '/method');
}

/** The highest number that the field can hold: a peer that chooses it only echoes. */
const MAX_VERSION = 65535;

/** Returns the words for a `protocolVersion` that is not a whole number. */
function versionSeen(version: Json | undefined): string {
  const isDate = typeof version === 'string' && /^\d{4}-\d{2}-\d{2}/.test(version);
  return `\`protocolVersion\` is ${quote(version)}${isDate ? ', which is a version of MCP' : ''}`;
}

/** Judges the version that an `initialize` asks for. */
function versionFault({ from, seq, request: { method, params } }: EarlierRequest): Outcome {
  if (from !== 'client') return undefined;
  const version = get(params, 'protocolVersion');
  if (typeof version === 'number' && Number.isInteger(version)) return 'pass';
  return fail(versionSeen(version), {
    pointer: '/params/protocolVersion',
    seqs: [seq],
    method,
  });
}

export const INIT = rulesOf({ needs: 'nothing' })({
  'init/repeat': {
    side: 'client',
    severity: 'error',
    clause: '`initialize` is sent once, in v2 again only before the first other request',
    on: onRequest(['initialize'], (step, connection) => {
      if (step.from !== 'client') return undefined;
      return connection.handshake === undefined ? 'pass' : again(step, connection);
    }),
  },
  'init/version-too-high': {
    side: 'agent',
    severity: 'error',
    clause: 'the version chosen is at most the one that was asked for',
    on: onAnswer(['initialize'], (step) => {
      const versions = versionsOf(step);
      if (versions === undefined) return undefined;
      const { asked, chosen } = versions;
      // No agent has a version below 1, so any one is the latest it supports.
      if (chosen <= asked || asked < 1) return 'pass';
      return fail(`version ${chosen}, although ${asked} was asked for`, {
        pointer: '/result/protocolVersion',
        // To v1's question an agent may answer with the latest it has, by v1's rule.
        ...(nearestVersion(asked) === 2 ? {} : { severity: 'warning' }),
      });
    }),
  },
  'init/version-echo': {
    side: 'agent',
    severity: 'warning',
    clause: 'the version chosen is one that there is and the agent speaks',
    on: onAnswer(['initialize'], (step, connection) => {
      const { result } = step;
      // Without a version no schema is asked, so that nothing else would tell it.
      if (result !== undefined && !Number.isInteger(get(result, 'protocolVersion')))
        return fail(versionSeen(get(result, 'protocolVersion')), {
          due: 'the version chosen, as a whole number',
          pointer: '/result/protocolVersion',
          severity: 'error',
        });
      const versions = versionsOf(step);
      if (versions === undefined || versions.chosen > versions.asked) return undefined;
      const { asked, chosen } = versions;
      if (chosen >= 0 && chosen <= NEWEST) return 'pass';
      const pointer = '/result/protocolVersion';
      const what = chosen === asked ? `version ${chosen} echoed` : `version ${chosen}`;
      if (chosen < 0) return fail(`${what}, and no version is below 0`, pointer);
      const newer = chosen < MAX_VERSION && newerVersion(chosen, step, connection);
      return fail(`${what}, and the newest version is ${NEWEST}`, { pointer, ...newer });
    }),
  },
  'init/version-type': {
    side: 'client',
    severity: 'error',
    clause: 'the version asked for is a whole number',
    on: [
      onAnswer(['initialize'], ({ asked }) => versionFault(asked)),
      // An agent that cannot read the version may stay silent.
      onEnd((_, { handshake }) =>
        handshake === undefined || handshake.asked.answered
          ? undefined
          : versionFault(handshake.asked),
      ),
    ],
  },
  'init/refused': {
    side: 'agent',
    severity: 'hint',
    clause: 'a connection is initialized, or nothing else of it can be checked',
    on: [
      onAnswer(['initialize'], ({ result }) => (result === undefined ? undefined : 'pass')),
      onEnd((_, connection) => {
        const { handshake, version } = connection;
        if (handshake === undefined || handshake.result !== undefined) return undefined;
        if (handshake.answer === undefined) {
          // A version that a person chose is checked all the same.
          if (version !== undefined) return undefined;
          const place = { seqs: [handshake.asked.seq], method: 'initialize' };
          if (!connection.hears('agent')) return unheard('agent', place);
          return undecidable(
            '`initialize` has no response in this trace, so the protocol of a version was not checked',
            'a recording in which the agent answers `initialize`',
            place,
          );
        }
        return fail('the only `initialize` failed, so nothing after it was checked', {
          seqs: [handshake.asked.seq, handshake.answer],
          method: 'initialize',
        });
      }),
    ],
  },
  'init/version-error': {
    side: 'agent',
    severity: 'warning',
    clause:
      'where no version is common, `initialize` fails with −32022 and `data` of the version requested and those supported',
    on: onAnswer(['initialize'], ({ error, params }) => {
      if (error?.code !== CODE.unsupportedVersion) return undefined;
      const asked = protocolVersionIn(params);
      const { data } = error;
      const faults: (RuleFault | Undecided)[] = [];
      const requested = get(data, 'requested');
      if (requested !== asked)
        faults.push(
          fail(`\`data.requested\` is ${quote(requested)}, asked for was ${asked}`, '/error/data'),
        );
      const supported = arr(data, 'supported');
      if (supported.length === 0 || !supported.every(Number.isInteger))
        faults.push(
          fail(`\`data.supported\` is ${quote(get(data, 'supported'))}`, {
            due: 'a list of whole numbers',
            pointer: '/error/data/supported',
          }),
        );
      else if (asked !== undefined && supported.some((version) => Number(version) <= asked))
        faults.push(
          fail(`version ${asked} is refused, although ${quote(supported)} are supported`, {
            due: 'the highest of them that is not above the one asked for',
            pointer: '/error/data/supported',
          }),
        );
      return faults.length === 0 ? 'pass' : faults;
    }),
  },
  'init/continue-unsupported': {
    side: 'client',
    severity: 'error',
    clause: 'a client that does not speak the version chosen ends the connection',
    on: onCall(wentOn),
  },
});

export const INIT_OFFER = rulesOf({ versions: [1] })({
  // What the two messages of a v1 handshake hold.

  'init/info-missing': {
    side: 'sender',
    severity: 'warning',
    clause: 'both sides say their name and version: `clientInfo` and `agentInfo`',
    on: onAnswer(['initialize'], ({ params, result, asked }) => {
      if (result === undefined) return undefined;
      const faults: (RuleFault | Undecided)[] = [];
      // One that asks in v2's shape has said it there: init/v2-shape-on-v1.
      if ((get(params, 'clientInfo') ?? get(params, 'info') ?? null) === null)
        faults.push(
          fail('no `clientInfo`', { pointer: '/params', side: 'client', seqs: [asked.seq] }),
        );
      if ((get(result, 'agentInfo') ?? get(result, 'info') ?? null) === null)
        faults.push(fail('no `agentInfo`', '/result'));
      return judged(faults);
    }),
  },
  'init/v2-shape-on-v1': {
    side: 'client',
    severity: 'hint',
    clause: 'a client that is answered in v1 offered its capabilities in v1’s shape',
    on: onAnswer(['initialize'], ({ params, result, asked }) => {
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
  },
  'init/load-vs-resume-caps': {
    side: 'agent',
    severity: 'hint',
    clause: 'sessions can be loaded or resumed, or nobody can come back to them',
    on: onAnswer(['initialize'], ({ result }) => {
      if (result === undefined) return undefined;
      const offered = (path: string) =>
        isYes(capabilityAt({ result }, `result.agentCapabilities.${path}`));
      if (offered('loadSession') || offered('sessionCapabilities.resume')) return 'pass';
      const list = offered('sessionCapabilities.list') ? ', though sessions can be listed' : '';
      return fail(
        `neither \`loadSession\` nor \`sessionCapabilities.resume\`${list}`,
        '/result/agentCapabilities',
      );
    }),
  },
});
