// Where the rules of history replay are written, and in which words.
import { both, inAugust, page, rfd, schema, type Source } from '../source.ts';

export const REPLAY_SOURCES = {
  'replay/missing-history': page(
    1,
    'session-setup',
    'Loading a Session',
    'The Agent MUST replay the entire conversation to the Client in the form of `session/update` notifications',
  ),
  'replay/complete-order': rfd(
    'v2/session-replay-complete',
    'Elevator pitch',
    'the Agent sends it once, after the last replayed update and before the response.',
  ),
  'replay/complete-missing': rfd(
    'v2/session-replay-complete',
    'Elevator pitch',
    'A child session that the Agent announces during the request gets its own marker on its own `sessionId`.',
  ),
  'replay/missing-history-v2': inAugust(
    schema(
      2,
      'ReplayFrom',
      'Replay all retained conversation history from its first replayable entry.',
    ),
    page(
      2,
      'session-setup',
      'Resuming Sessions',
      'When `replayFrom.type` is `"start"`, the Agent MUST replay the entire conversation to the Client in the form of `session/update` notifications before responding.',
    ),
  ),
  'replay/unfaithful': both(
    page(
      1,
      'session-setup',
      'Loading a Session',
      'The Agent MUST replay the entire conversation to the Client in the form of `session/update` notifications',
    ),
    schema(
      2,
      'ReplayFrom',
      'Replay all retained conversation history from its first replayable entry.',
    ),
  ),
  'replay/empty': inAugust(
    both(
      page(
        1,
        'session-setup',
        'Loading a Session',
        'The Agent MUST replay the entire conversation to the Client in the form of `session/update` notifications',
      ),
      schema(
        2,
        'ReplayFrom',
        'Replay all retained conversation history from its first replayable entry.',
      ),
    ),
    page(
      2,
      'session-setup',
      'Resuming Sessions',
      'When `replayFrom.type` is `"start"`, the Agent MUST replay the entire conversation to the Client in the form of `session/update` notifications before responding.',
    ),
  ),
  'replay/order': both(
    page(
      1,
      'session-setup',
      'Loading a Session',
      'The Agent MUST replay the entire conversation to the Client in the form of `session/update` notifications',
    ),
    page(
      2,
      'session-setup',
      'Resuming Sessions',
      'When `replayFrom.type` is `"start"`, the Agent MUST replay the entire conversation to the Client in the form of `session/update` notifications before responding.',
    ),
  ),
  'replay/user-turns-missing': both(
    page(
      1,
      'session-setup',
      'Loading a Session',
      'The Agent MUST replay the entire conversation to the Client in the form of `session/update` notifications',
    ),
    page(
      2,
      'session-setup',
      'Resuming Sessions',
      'When `replayFrom.type` is `"start"`, the Agent MUST replay the entire conversation to the Client in the form of `session/update` notifications before responding.',
    ),
  ),
  'replay/duplicate': both(
    page(
      1,
      'session-setup',
      'Loading a Session',
      'The Agent MUST replay the entire conversation to the Client in the form of `session/update` notifications',
    ),
    page(
      2,
      'session-setup',
      'Resuming Sessions',
      'When `replayFrom.type` is `"start"`, the Agent MUST replay the entire conversation to the Client in the form of `session/update` notifications before responding.',
    ),
  ),
  'replay/message-id-missing': both(
    rfd(
      'message-id',
      'Proposed Structure',
      'In v1, if an Agent supports message IDs and emits an accepted or replayed user message through `session/update`, it SHOULD include `messageId` on that user message update.',
    ),
    page(
      2,
      'session-setup',
      'Resuming Sessions',
      'During replay, the Agent MUST include an opaque, unique `messageId` for each replayed message.',
    ),
  ),
  'replay/message-id-unstable': schema(
    2,
    'PromptResponse',
    'If retained and replayed, the message keeps this identifier.',
  ),
  'replay/open-tool': both(
    page(
      1,
      'tool-calls',
      'Updating',
      'As tools execute, Agents send updates to report progress and results.',
    ),
    schema(
      2,
      'BackgroundWork',
      "The Agent MUST announce each item before the first snapshot that lists it, and MUST report a terminal's `exitStatus` or a tool call's final status before the snapshot that removes it.",
    ),
  ),
  'replay/after-response': both(
    page(
      1,
      'session-setup',
      'Loading a Session',
      'When all the conversation entries have been streamed to the Client, the Agent MUST respond to the original `session/load` request.',
    ),
    page(
      2,
      'session-setup',
      'Resuming Sessions',
      'When all requested replay entries have been reported to the Client, the Agent MUST respond to the original `session/resume` request.',
    ),
  ),
  'replay/chunks-without-reset': schema(
    2,
    'AgentMessage',
    'When an `agent_message` update includes `content`, that array replaces any content previously accumulated for the message, including content from earlier chunks. Later chunks with the same `messageId` append to the current content.',
  ),
  'replay/notice': rfd(
    'session-notices',
    'What we propose to do about it',
    'A notice has no ID, response, acknowledgement, update, or removal, and SHOULD NOT be included in session replay.',
  ),
  'replay/compaction-transient': rfd(
    'session-compaction',
    'Why can summary be streamed?',
    'Runtimes that only expose a completed result send one `compaction_update`, and replay always uses that materialized form.',
  ),
  'replay/interactive-request': both(
    page(
      1,
      'session-setup',
      'Loading a Session',
      'The Agent MUST replay the entire conversation to the Client in the form of `session/update` notifications',
    ),
    page(
      2,
      'session-setup',
      'Resuming Sessions',
      'When `replayFrom.type` is `"start"`, the Agent MUST replay the entire conversation to the Client in the form of `session/update` notifications before responding.',
    ),
  ),
  'replay/message-id-collision': inAugust(
    schema(
      2,
      'MessageId',
      'Identifier for a message, unique among messages of the same type within a session.',
    ),
    page(
      2,
      'session-setup',
      'Resuming Sessions',
      'During replay, the Agent MUST include an opaque, unique `messageId` for each replayed message.',
    ),
  ),
} satisfies Record<string, Source>;
