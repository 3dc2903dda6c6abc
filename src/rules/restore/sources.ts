// Where the rules of restores and history replay are written, and in which words.
import { andOf, both, crate, inAugust, page, rfd, schema, type Source } from '../source.ts';

const RESUME_WHOLE = page(
  'v2/session-setup#Resuming Sessions',
  'When `replayFrom.type` is `"start"`, the Agent MUST replay the entire conversation to the Client in the form of `session/update` notifications before responding.',
);

const LOAD_WHOLE = page(
  'v1/session-setup#Loading a Session',
  'The Agent MUST replay the entire conversation to the Client in the form of `session/update` notifications',
);

const MESSAGE_IDS = page(
  'v2/session-setup#Resuming Sessions',
  'During replay, the Agent MUST include an opaque, unique `messageId` for each replayed message.',
);

const RETAINED = schema(
  'v2/ReplayFrom',
  'Replay all retained conversation history from its first replayable entry.',
);

const RESUME_DUE = page(
  'v2/session-setup#Resuming Sessions',
  'Agents that support the `session` method surface MUST support `session/resume`, allowing Clients to reconnect to existing sessions.',
);

const LOAD_CAPABILITY = page(
  'v1/session-setup#Loading Sessions',
  'Agents that support the `loadSession` capability allow Clients to resume previous conversations.',
);

const REPLAY_COMPLETE = crate(
  'agent-client-protocol',
  '5.5.0/v2/schema/ReplayComplete',
  'The Agent MUST send this exactly once on a session for each session/resume request with a replayFrom cursor, after the last replayed update for that session and before the response, even for an empty replay.',
);

export const RESTORE_SOURCES = {
  'load/before-first-prompt': LOAD_CAPABILITY,
  'load/known-refused': both(LOAD_CAPABILITY, RESUME_DUE),
  'load/same-connection': andOf(
    both(
      page(
        'v1/session-setup#Resuming Sessions',
        'Agents that advertise `sessionCapabilities.resume` allow Clients to reconnect to an existing session without replaying the conversation history.',
      ),
      RESUME_DUE,
    ),
    {
      'session/load': LOAD_CAPABILITY,
    },
  ),
  'resume/no-replay-without-cursor': both(
    page(
      'v1/session-setup#Resuming a Session',
      'Unlike `session/load`, the Agent MUST NOT replay the conversation history via `session/update` notifications before responding.',
    ),
    page(
      'v2/session-setup#Resuming Sessions',
      'When `replayFrom` is omitted or `null`, the Agent MUST NOT replay the conversation history via `session/update` notifications before responding.',
    ),
  ),
  'resume/state-snapshot': schema(
    'v2/ResumeSessionResponse',
    'The agent MUST send a current `state_update` after any requested history replay and before this response, even without replay.',
  ),
  'resume/snapshot-is-not-completion': schema(
    'v2/IdleStateUpdate',
    'Repeated or resume snapshots may carry the last stop reason for context. They MUST NOT be counted as new completions, cancellations, or additional usage.',
  ),
  'resume/cursor-unknown': schema(
    'v2/ReplayFrom',
    'Unknown values that do not begin with `_` are reserved for future ACP variants.',
  ),
  'resume/cursor-unknown-reply': schema(
    'v2/ResumeSessionRequest',
    'Agents MUST reject unsupported cursor types or malformed cursor values with `-32602` (Invalid params), rather than substituting another cursor or resuming without replay.',
  ),
  'resume/cursor-inclusive': page(
    'v2/session-setup#Resuming Sessions',
    'Replay cursors are inclusive: replay includes the position identified by the cursor.',
  ),
  'resume/replay-on-v1': page(
    'v2/migration#session/load is gone. session/resume does both',
    'v1 had two ways to reattach to a session: `session/load` (replays full history, gated by `loadSession`) and `session/resume` (no replay, gated by `sessionCapabilities.resume`).',
  ),
  'resume/mode-config-lost': andOf(
    both(
      page(
        'v1/session-setup#Resuming a Session',
        'Instead, it restores the session context, reconnects to the requested MCP servers, and returns once the session is ready to continue.',
      ),
      page(
        'v2/session-setup#Resuming Sessions',
        'It restores the session context, reconnects to the requested MCP servers, and returns once the session is ready to continue.',
      ),
    ),
    {
      'session/load': page(
        'v1/session-setup#Loading a Session',
        'The Client can then continue sending prompts as if the session was never interrupted.',
      ),
    },
  ),
  'replay/missing-history': LOAD_WHOLE,
  'replay/complete-order': REPLAY_COMPLETE,
  'replay/live-early': crate(
    'agent-client-protocol',
    '5.5.0/v2/schema/ReplayComplete',
    'After receiving the request, the Agent MUST hold live updates for the session during replay.',
  ),
  'replay/complete-missing': andOf(REPLAY_COMPLETE, {
    child: rfd(
      'v2/session-replay-complete#Elevator pitch',
      'A child session that the Agent announces during the request gets its own marker on its own `sessionId`.',
    ),
  }),
  'replay/missing-history-v2': inAugust(RETAINED, RESUME_WHOLE),
  'replay/unfaithful': both(LOAD_WHOLE, RETAINED),
  'replay/empty': inAugust(both(LOAD_WHOLE, RETAINED), RESUME_WHOLE),
  'replay/order': both(LOAD_WHOLE, RESUME_WHOLE),
  'replay/user-turns-missing': both(LOAD_WHOLE, RESUME_WHOLE),
  'replay/duplicate': both(LOAD_WHOLE, RESUME_WHOLE),
  'replay/message-id-missing': both(
    rfd(
      'message-id#Proposed Structure',
      'In v1, if an Agent supports message IDs and emits an accepted or replayed user message through `session/update`, it SHOULD include `messageId` on that user message update.',
    ),
    MESSAGE_IDS,
  ),
  'replay/message-id-unstable': schema(
    'v2/PromptResponse',
    'If retained and replayed, the message keeps this identifier.',
  ),
  'replay/open-tool': both(
    page(
      'v1/tool-calls#Updating',
      'As tools execute, Agents send updates to report progress and results.',
    ),
    schema(
      'v2/BackgroundWork',
      "The Agent MUST announce each item before the first snapshot that lists it, and MUST report a terminal's `exitStatus` or a tool call's final status before the snapshot that removes it.",
    ),
  ),
  'replay/after-response': both(
    page(
      'v1/session-setup#Loading a Session',
      'When all the conversation entries have been streamed to the Client, the Agent MUST respond to the original `session/load` request.',
    ),
    page(
      'v2/session-setup#Resuming Sessions',
      'When all requested replay entries have been reported to the Client, the Agent MUST respond to the original `session/resume` request.',
    ),
  ),
  'replay/chunks-without-reset': schema(
    'v2/AgentMessage',
    'When an `agent_message` update includes `content`, that array replaces any content previously accumulated for the message, including content from earlier chunks. Later chunks with the same `messageId` append to the current content.',
  ),
  'replay/notice': rfd(
    'session-notices#What we propose to do about it',
    'A notice has no ID, response, acknowledgement, update, or removal, and SHOULD NOT be included in session replay.',
  ),
  'replay/compaction-transient': rfd(
    'session-compaction#Why can summary be streamed?',
    'Runtimes that only expose a completed result send one `compaction_update`, and replay always uses that materialized form.',
  ),
  'replay/interactive-request': both(LOAD_WHOLE, RESUME_WHOLE),
  'replay/message-id-collision': inAugust(
    schema(
      'v2/MessageId',
      'Identifier for a message, unique among messages of the same type within a session.',
    ),
    MESSAGE_IDS,
  ),
} satisfies Record<string, Source>;
