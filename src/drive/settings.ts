// What a person chooses before connecting: which version to ask for, what we say we can do, and
// who answers the agent's requests.
import type { ClientName, ClientOffer } from '../acp/capabilities.ts';

/** `highest`: the newest version we speak. */
type AskVersion = 1 | 2 | 'highest';

/** `ask`: a person answers by hand. `never`: stays open on purpose. */
type PermissionPolicy = 'ask' | 'allow-once' | 'allow-always' | 'reject' | 'cancel' | 'never';
export type ElicitationPolicy = 'ask' | 'decline' | 'cancel' | 'never';

export interface ClientSettings {
  readonly ask: AskVersion;
  /** Off is not advertised, and answered -32601. */
  readonly advertise: ClientOffer;
  readonly permission: PermissionPolicy;
  /** Milliseconds before a permission request is answered automatically. Absent: at once. */
  readonly permissionDelay?: number;
  readonly elicitation: ElicitationPolicy;
  /** All else the agent asks, known or not: `auto`, by what was advertised. Absent: `auto`. */
  readonly others?: 'auto' | 'ask';
  /** v1 `terminal/create`: a person approves each command, or none is asked. */
  readonly terminalCommands: 'ask' | 'allow';
  /** Send `initialize` as soon as the agent runs; off: a person writes it. */
  readonly handshake: boolean;
}

/** What our own client calls itself. */
export function ownName(version: string): ClientName {
  return { name: 'acp-scope', title: 'ACP Scope', version };
}

export const DEFAULT_SETTINGS: ClientSettings = {
  ask: 'highest',
  advertise: {
    readFiles: false,
    writeFiles: false,
    terminals: false,
    elicitForm: true,
    elicitUrl: true,
    terminalAuth: true,
    sessionExtras: true,
    subagents: false,
  },
  permission: 'ask',
  elicitation: 'ask',
  terminalCommands: 'ask',
  handshake: true,
};
