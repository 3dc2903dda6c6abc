// Where the rules of making and restoring sessions are written, and in which words.
import {
  andOf,
  both,
  inAugust,
  page,
  pages,
  schema,
  schemas,
  sdk,
  shape,
  type Source,
} from '../source.ts';

export const SETUP_SOURCES = {
  'setup/cwd-absolute': pages(
    'overview',
    'Argument requirements',
    'All file paths in the protocol MUST be absolute.',
  ),
  'setup/mcp-missing': andOf(
    page(
      1,
      'session-setup',
      'Creating a Session',
      'Clients create a new session by calling the `session/new` method with … A list of MCP servers the Agent should connect to',
    ),
    {
      'session/load': page(
        1,
        'session-setup',
        'Loading a Session',
        'To load an existing session, Clients MUST call the `session/load` method with … MCP servers to connect to',
      ),
    },
  ),
  'setup/mcp-stdio-fields': both(
    page(
      2,
      'migration',
      'MCP server configuration',
      '`args` and `env` on stdio configs and `headers` on HTTP configs are optional in v2 (v1 required `args` and `env` even when empty).',
    ),
    page(2, 'session-setup', 'Stdio Transport', 'The absolute path to the MCP server executable'),
  ),
  'setup/mcp-type-missing': page(
    2,
    'migration',
    'MCP server configuration',
    'Every server config MUST carry a `type` discriminator.',
  ),
  'setup/mcp-duplicate-name': andOf(
    sdk(
      'v2/acp',
      'Each server `name` must be unique within the list; a duplicate is rejected with error data `{ name }`.',
    ),
    { env: schema(2, 'McpServerStdio', 'Names SHOULD be unique.') },
  ),
  'setup/null-arrays': schema(2, 'NewSessionResponse', 'Senders MUST use an array, not `null`.'),
  'setup/null-result': andOf(shape(1, 'LoadSessionResponse'), {
    'session/resume': shape(1, 'ResumeSessionResponse'),
    'session/close': shape(1, 'CloseSessionResponse'),
    'session/delete': shape(1, 'DeleteSessionResponse'),
    'session/set_mode': shape(1, 'SetSessionModeResponse'),
    authenticate: shape(1, 'AuthenticateResponse'),
    logout: shape(1, 'LogoutResponse'),
  }),
  'setup/session-id-unique': andOf(
    pages(
      'session-setup',
      'Creating a Session',
      'The Agent MUST respond with a unique Session ID that identifies this conversation',
    ),
    {
      'session/fork': schemas(
        'ForkSessionResponse',
        'Unique identifier for the newly created forked session.',
      ),
    },
  ),
  'setup/cwd-mismatch': andOf(
    inAugust(
      both(
        page(
          1,
          'session-setup',
          'Additional Workspace Roots',
          "that list may differ from any previous or reported list as long as the request `cwd` matches the session's `cwd`",
        ),
        schema(2, 'ResumeSessionRequest', "Clients MUST send the session's working directory."),
      ),
      page(
        2,
        'session-setup',
        'Additional Workspace Roots',
        "that list may differ from any previous or reported list as long as the request `cwd` matches the session's `cwd`",
      ),
    ),
    {
      'session/fork': schemas('ForkSessionRequest', 'The working directory for this session.'),
    },
  ),
  'setup/dirs-not-restored': andOf(
    both(
      page(
        1,
        'session-setup',
        'Additional Workspace Roots',
        'on `session/load` and `session/resume`, Clients must send the full intended additional-root list again',
      ),
      page(
        2,
        'session-setup',
        'Additional Workspace Roots',
        'on `session/resume`, Clients must send the full intended additional-root list again',
      ),
    ),
    {
      servers: both(
        page(
          1,
          'session-setup',
          'Loading a Session',
          'To load an existing session, Clients MUST call the `session/load` method with … MCP servers to connect to',
        ),
        page(
          2,
          'session-setup',
          'Resuming Sessions',
          'reconnects to the requested MCP servers, and returns once the session is ready to continue.',
        ),
      ),
    },
  ),
  'setup/concurrent-restore': andOf(
    both(
      page(
        1,
        'session-setup',
        'Loading a Session',
        'When all the conversation entries have been streamed to the Client, the Agent MUST respond to the original `session/load` request. … The Client can then continue sending prompts as if the session was never interrupted.',
      ),
      page(
        2,
        'session-setup',
        'Resuming Sessions',
        'When all requested replay entries have been reported to the Client, the Agent MUST respond to the original `session/resume` request.',
      ),
    ),
    {
      'session/resume': both(
        page(
          1,
          'session-setup',
          'Resuming a Session',
          'it restores the session context, reconnects to the requested MCP servers, and returns once the session is ready to continue.',
        ),
        page(
          2,
          'session-setup',
          'Resuming Sessions',
          'When all requested replay entries have been reported to the Client, the Agent MUST respond to the original `session/resume` request.',
        ),
      ),
    },
  ),
  'setup/unknown-session': both(
    page(
      1,
      'error',
      'Unknown Sessions',
      'A session is active once it is created, loaded or resumed on the connection, until it is closed.',
    ),
    page(
      2,
      'error',
      'Unknown Sessions',
      'A session is active once it is created or resumed on the connection, until it is closed.',
    ),
  ),
  'setup/unknown-session-reply': both(
    page(
      1,
      'error',
      'Unknown Sessions',
      'If a session-scoped request names a session that does not exist or is not active on the connection, the Agent SHOULD respond with -32002 and set data.sessionId to the requested ID.',
    ),
    page(
      2,
      'error',
      'Unknown Sessions',
      'If a session-scoped request names a session that does not exist or is not active on the connection, the Agent MUST respond with -32002 and set data.sessionId to the requested ID.',
    ),
  ),
  'setup/update-unknown-session': schemas(
    'NewSessionResponse',
    'Unique identifier for the created session. Used in all subsequent requests for this conversation.',
  ),
  'load/before-first-prompt': page(
    1,
    'session-setup',
    'Loading Sessions',
    'Agents that support the `loadSession` capability allow Clients to resume previous conversations.',
  ),
  'load/known-refused': both(
    page(
      1,
      'session-setup',
      'Loading Sessions',
      'Agents that support the `loadSession` capability allow Clients to resume previous conversations.',
    ),
    page(
      2,
      'session-setup',
      'Resuming Sessions',
      'Agents that support the `session` method surface MUST support `session/resume`, allowing Clients to reconnect to existing sessions.',
    ),
  ),
  'load/same-connection': andOf(
    both(
      page(
        1,
        'session-setup',
        'Resuming Sessions',
        'Agents that advertise `sessionCapabilities.resume` allow Clients to reconnect to an existing session without replaying the conversation history.',
      ),
      page(
        2,
        'session-setup',
        'Resuming Sessions',
        'Agents that support the `session` method surface MUST support `session/resume`, allowing Clients to reconnect to existing sessions.',
      ),
    ),
    {
      'session/load': page(
        1,
        'session-setup',
        'Loading Sessions',
        'Agents that support the `loadSession` capability allow Clients to resume previous conversations.',
      ),
    },
  ),
  'resume/no-replay-without-cursor': both(
    page(
      1,
      'session-setup',
      'Resuming a Session',
      'Unlike `session/load`, the Agent MUST NOT replay the conversation history via `session/update` notifications before responding.',
    ),
    page(
      2,
      'session-setup',
      'Resuming Sessions',
      'When `replayFrom` is omitted or `null`, the Agent MUST NOT replay the conversation history via `session/update` notifications before responding.',
    ),
  ),
  'resume/state-snapshot': schema(
    2,
    'ResumeSessionResponse',
    'The agent MUST send a current `state_update` after any requested history replay and before this response, even without replay.',
  ),
  'resume/snapshot-is-not-completion': schema(
    2,
    'IdleStateUpdate',
    'Repeated or resume snapshots may carry the last stop reason for context. They MUST NOT be counted as new completions, cancellations, or additional usage.',
  ),
  'resume/cursor-unknown': schema(
    2,
    'ReplayFrom',
    'Unknown values that do not begin with `_` are reserved for future ACP variants.',
  ),
  'resume/cursor-unknown-reply': schema(
    2,
    'ResumeSessionRequest',
    'Agents MUST reject unsupported cursor types or malformed cursor values with `-32602` (Invalid params), rather than substituting another cursor or resuming without replay.',
  ),
  'resume/cursor-inclusive': page(
    2,
    'session-setup',
    'Resuming Sessions',
    'Replay cursors are inclusive: replay includes the position identified by the cursor.',
  ),
  'resume/replay-on-v1': page(
    2,
    'migration',
    'session/load is gone. session/resume does both',
    'v1 had two ways to reattach to a session: `session/load` (replays full history, gated by `loadSession`) and `session/resume` (no replay, gated by `sessionCapabilities.resume`).',
  ),
  'resume/mode-config-lost': andOf(
    both(
      page(
        1,
        'session-setup',
        'Resuming a Session',
        'Instead, it restores the session context, reconnects to the requested MCP servers, and returns once the session is ready to continue.',
      ),
      page(
        2,
        'session-setup',
        'Resuming Sessions',
        'It restores the session context, reconnects to the requested MCP servers, and returns once the session is ready to continue.',
      ),
    ),
    {
      'session/load': page(
        1,
        'session-setup',
        'Loading a Session',
        'The Client can then continue sending prompts as if the session was never interrupted.',
      ),
    },
  ),
} satisfies Record<string, Source>;
