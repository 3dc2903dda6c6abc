// Which edition of v2 an agent follows, by what only one of them does; so that `auto` need not guess.
import { str } from '../acp/json.ts';
import type { Connection } from './connection.ts';
import { fact } from './facts.ts';
import { versionIn } from './init/handshake.ts';
import { onAnswer, onFrame } from './listen.ts';
import { PROFILE_WORDS, versionOf, type Profile, type ProfileChoice } from './profile.ts';
import type { Fold } from './rule.ts';

interface Evidence {
  /** Prompts that were answered with, and without, the id of the message they became. */
  receipts: number;
  bare: number;
  batches: number;
}

const evidence = fact<Connection, Evidence>(() => ({ receipts: 0, bare: 0, batches: 0 }));

export const evidenceFold: Fold = {
  on: [
    onAnswer(['session/prompt'], ({ result }, connection) => {
      if (result === undefined) return;
      const seen = evidence.of(connection);
      if (str(result, 'messageId') === undefined) seen.bare++;
      else seen.receipts++;
    }),
    onFrame(({ message, from }, connection) => {
      if (from === 'agent' && message.kind === 'invalid' && message.reason === 'batch')
        evidence.of(connection).batches++;
    }),
  ],
};

/** Whether the handshake settles on another version than the one of this edition. */
export function contradicts(profile: Profile, connection: Connection): boolean {
  const settled = settledOn(connection);
  return settled !== undefined && settled !== versionOf(profile);
}

/** The version that the handshake settles on, also if it is none we know. */
export function settledOn({ agreed, handshake }: Connection): number | undefined {
  return agreed ?? versionIn(handshake?.result);
}

/** Why a connection is held against the edition it is held against. */
export function reasonOf(choice: ProfileChoice, connection: Connection): string {
  if (choice === 'auto') return ownReason(connection);
  const settled = settledOn(connection);
  if (settled === undefined) return 'Chosen by you: the handshake is not in this trace.';
  if (!contradicts(choice, connection))
    return `Chosen by you. The handshake settles on version ${settled}.`;
  return `Chosen by you, against the handshake, which settles on version ${settled}. Schemas and rules are those of ${PROFILE_WORDS[choice]}; timeline, conversation and state stay as the handshake has them.`;
}

/** Why `auto` takes the edition it takes. */
function ownReason(connection: Connection): string {
  const { agreed } = connection;
  if (agreed === undefined) {
    const settled = settledOn(connection);
    const why =
      settled === undefined
        ? 'The handshake is not in this trace'
        : `The handshake settles on version ${settled}, which is none we know`;
    return `${why}, so only rules that hold in every version are asked. Choose a version to ask more.`;
  }
  if (agreed === 1) return 'The handshake settles on version 1.';
  const { receipts, bare, batches } = evidence.of(connection);
  const settled = 'The handshake settles on version 2';
  if (receipts > 0)
    return `${settled}, and prompts are answered with the id of the message they became.`;
  if (bare > 0)
    return `${settled}, and prompts are answered without the id of the message they became.`;
  if (batches > 0) return `${settled}, and the agent sends batches.`;
  return `${settled}, and nothing shows that the agent follows an older edition.`;
}

/** The edition a connection is held against. v2 is SDK 2.4.0's unless the agent shows otherwise. */
export function profileOf(choice: ProfileChoice, connection: Connection): Profile {
  if (choice !== 'auto') return choice;
  if (connection.agreed !== 2) return 'v1';
  const { receipts, bare, batches } = evidence.of(connection);
  return receipts === 0 && (bare > 0 || batches > 0) ? 'v2-2026-08' : 'v2-2.4.0';
}
