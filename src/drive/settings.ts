// What a person chooses before connecting: which version to ask for, what we say we can do, and
// who answers the agent's requests.

/** `highest`: the newest version we speak. */
export type AskVersion = 1 | 2 | 'highest';

/** `ask`: a person answers by hand. `never`: stays open on purpose. */
export type PermissionPolicy = 'ask' | 'allow-once' | 'reject' | 'cancel' | 'never';
export type ElicitationPolicy = 'ask' | 'decline' | 'cancel' | 'never';

/** Client capabilities we can honour. Off is not advertised, and answered -32601. */
export interface Advertised {
  readonly readFiles: boolean;
  readonly writeFiles: boolean;
  readonly terminals: boolean;
  readonly elicitForm: boolean;
  readonly elicitUrl: boolean;
  readonly terminalAuth: boolean;
  /** v1 `session.configOptions.boolean`, `session.notices`, `session.compaction`. */
  readonly sessionExtras: boolean;
}

export interface ClientSettings {
  readonly ask: AskVersion;
  readonly advertise: Advertised;
  readonly permission: PermissionPolicy;
  readonly elicitation: ElicitationPolicy;
  /** v1 `terminal/create`: a person approves each command, or none is asked. */
  readonly terminalCommands: 'ask' | 'allow';
  /** Send `initialize` as soon as the agent runs; off: a person writes it. */
  readonly handshake: boolean;
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
  },
  permission: 'ask',
  elicitation: 'ask',
  terminalCommands: 'ask',
  handshake: true,
};
