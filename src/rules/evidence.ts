// Which edition an agent follows, by what only one of them has; so that `auto` need not guess. It begins
// at SDK 2.4.0. An earlier edition is taken only where one of its own forms is spoken, and of a later
// one only the feature that is spoken, never the rest of it.
import type { EditionId } from '../acp/editions/edition.ts';
import type { Feature } from '../acp/editions/feature.ts';
import { EDITIONS, BASE, featureWords } from '../acp/editions/editions.ts';
import { capabilityAt, isYes } from '../acp/gate.ts';
import { str } from '../acp/json.ts';
import { raisedTo, type Against, type EditionChoice } from './against.ts';
import { type Connection, fact } from './connection.ts';
import { onAnswer, onFrame, onUpdate } from './listen.ts';
import type { Fold } from './rule.ts';
import { sessionLinks, TOOL_UPDATES } from './work/tool-content.ts';

interface Evidence {
  /** Prompts that were answered with, and without, the id of the message they became. */
  receipts: number;
  bare: number;
  batches: number;
  /** An update of August alone. */
  august: string | undefined;
  readonly spoken: Set<Feature>;
}

const evidence = fact<Connection, Evidence>(() => ({
  receipts: 0,
  bare: 0,
  batches: 0,
  august: undefined,
  spoken: new Set(),
}));

const AUGUST_ONLY = ['subagent_spawned', 'subagent_state_update'];
const FEATURE_OF: ReadonlyMap<string, Feature> = new Map([
  ['subagent_update', 'subagents'],
  ['session_message', 'subagents'],
  ['session_message_chunk', 'subagents'],
  ['replay_complete', 'replay-complete'],
]);

export const evidenceFold: Fold = [
  onAnswer(['session/prompt'], ({ result }, connection) => {
    if (result === undefined) return;
    const seen = evidence.of(connection);
    if (str(result, 'messageId') === undefined) seen.bare++;
    else seen.receipts++;
  }),
  onFrame((step, connection) => {
    const { message, from } = step;
    for (const { lacking } of step.remarks())
      if (lacking !== undefined && lacking !== 'subagents')
        evidence.of(connection).spoken.add(lacking);
    if (from === 'agent' && message.kind === 'invalid' && message.reason === 'batch')
      evidence.of(connection).batches++;
  }),
  onUpdate(AUGUST_ONLY, ({ variant }, connection) => {
    evidence.of(connection).august ??= variant;
  }),
  onUpdate([...FEATURE_OF.keys()], ({ variant }, connection) => {
    const feature = FEATURE_OF.get(variant);
    if (feature !== undefined) evidence.of(connection).spoken.add(feature);
  }),
  onUpdate(TOOL_UPDATES, ({ update }, connection) => {
    if (sessionLinks(update).length > 0) evidence.of(connection).spoken.add('subagents');
  }),
];

/** Whether the handshake settles on another version than the one of this edition. */
export function contradicts(edition: EditionId, { chosen }: Connection): boolean {
  return chosen !== undefined && chosen !== EDITIONS[edition].version;
}

/** What a connection is held against, as sentences: why. */
export function editionReason(choice: EditionChoice, connection: Connection): string {
  if (choice === 'auto') return ownReason(connection) + laterReason(connection);
  const { chosen: settled } = connection;
  if (settled === undefined) return 'Chosen by you: the handshake is not in this trace.';
  if (!contradicts(choice, connection))
    return `Chosen by you. The handshake settles on version ${settled}.`;
  return `Chosen by you, against the handshake, which settles on version ${settled}. Schemas and rules are those of ${EDITIONS[choice].words}; timeline, conversation and state stay as the handshake has them.`;
}

/** Why `auto` takes the edition it takes. */
function ownReason(connection: Connection): string {
  const { agreed, chosen: settled } = connection;
  if (agreed === undefined) {
    const why =
      settled === undefined
        ? 'The handshake is not in this trace'
        : `The handshake settles on version ${settled}, which is none we know`;
    return `${why}, so only rules that hold in every version are asked. Choose a version to ask more.`;
  }
  if (agreed === 1) return 'The handshake settles on version 1.';
  const { receipts, bare, batches, august } = evidence.of(connection);
  const words = 'The handshake settles on version 2';
  if (receipts > 0)
    return `${words}, and prompts are answered with the id of the message they became.`;
  if (bare > 0)
    return `${words}, and prompts are answered without the id of the message they became.`;
  if (batches > 0) return `${words}, and the agent sends batches.`;
  if (august !== undefined) return `${words}, and the agent sends \`${august}\`.`;
  return `${words}, and nothing shows that the agent follows an older edition.`;
}

function laterReason(connection: Connection): string {
  const raised = raisedTo(againstOf('auto', connection));
  return raised
    .map(
      ([feature, later]) =>
        ` For ${featureWords(feature)} it is checked against ${EDITIONS[later].words}.`,
    )
    .join('');
}

/** What a connection is held against. v2 is SDK 2.4.0's unless the agent shows otherwise. */
export function againstOf(choice: EditionChoice, connection: Connection): Against {
  return { ...editionFor(choice, connection), isMixed: connection.record.holes.isMixed };
}

function editionFor(choice: EditionChoice, connection: Connection): Against {
  const { agreed, clientCapabilities = {} } = connection;
  const asked: readonly Feature[] =
    agreed === 1 && isYes(capabilityAt(clientCapabilities, 'subagents')) ? ['subagents'] : [];
  if (choice !== 'auto') return { edition: choice, raised: [], asked };
  const { receipts, bare, batches, august, spoken } = evidence.of(connection);
  if (agreed !== 2) {
    // Child sessions are spoken in v1 only with a client that asks for them.
    const others = [...spoken].filter((one) => one !== 'subagents' && one !== 'replay-complete');
    return { edition: BASE[1], raised: [...asked, ...others], asked };
  }
  const isOld = receipts === 0 && (bare > 0 || batches > 0 || august !== undefined);
  return { edition: isOld ? 'v2-2026-08' : BASE[2], raised: [...spoken], asked };
}
