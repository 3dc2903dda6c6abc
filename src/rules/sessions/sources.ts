// Where the rules of making, listing, restoring, closing and setting sessions are written, and in which words.
import {
  andOf,
  both,
  crate,
  inAugust,
  page,
  pages,
  schema,
  schemas,
  sdk,
  shape,
  type Source,
} from '../source.ts';

const RESUME_ANSWER = page(
  'v2/session-setup#Resuming Sessions',
  'When all requested replay entries have been reported to the Client, the Agent MUST respond to the original `session/resume` request.',
);

const LOAD_SERVERS = page(
  'v1/session-setup#Loading a Session',
  'To load an existing session, Clients MUST call the `session/load` method with … MCP servers to connect to',
);

const CLOSE_CANCELS_V2 = page(
  'v2/session-setup#Closing Active Sessions',
  'The Agent MUST cancel any ongoing work for that session as if `session/cancel` had been called, then free the resources associated with the session.',
);

const CLOSE_CANCELS_V1 = page(
  'v1/session-setup#Closing a Session',
  'The Agent MUST cancel any ongoing work for that session as if `session/cancel` had been called, then free the resources associated with the session.',
);

const ALL_OPTIONS = pages(
  'session-config-options#From the Client',
  'The Agent MUST respond with the complete list of all configuration options and their current values',
);

const MODE_ID = page(
  'v1/session-modes#From the Client',
  'The ID of the mode to switch to. Must be one of the modes listed in `availableModes`',
);

const ACTIVE = both(
  page(
    'v1/error#Unknown Sessions',
    'A session is active once it is created, loaded or resumed on the connection, until it is closed.',
  ),
  page(
    'v2/error#Unknown Sessions',
    'A session is active once it is created or resumed on the connection, until it is closed.',
  ),
);

export const SESSIONS_SOURCES = {
  'cursor/anchor': crate(
    'agent-client-protocol-schema',
    '1.21.1/v1/CursorUpdate',
    'The first update for a cursorId MUST include anchor. The anchor is fixed after that, and later updates change only capabilities.',
  ),
  'cursor/fork': crate(
    'agent-client-protocol',
    '5.5.1/v2/schema/CursorCapabilities',
    'Permits the Client to fork the session at this cursor with session/fork.',
  ),
  'setup/cwd-absolute': pages(
    'overview#Argument requirements',
    'All file paths in the protocol MUST be absolute.',
  ),
  'setup/mcp-missing': andOf(
    page(
      'v1/session-setup#Creating a Session',
      'Clients create a new session by calling the `session/new` method with … A list of MCP servers the Agent should connect to',
    ),
    {
      'session/load': LOAD_SERVERS,
    },
  ),
  'setup/mcp-stdio-fields': both(
    page(
      'v2/migration#MCP server configuration',
      '`args` and `env` on stdio configs and `headers` on HTTP configs are optional in v2 (v1 required `args` and `env` even when empty).',
    ),
    page('v2/session-setup#Stdio Transport', 'The absolute path to the MCP server executable'),
  ),
  'setup/mcp-type-missing': page(
    'v2/migration#MCP server configuration',
    'Every server config MUST carry a `type` discriminator.',
  ),
  'setup/mcp-duplicate-name': andOf(
    sdk(
      'v2/acp',
      'Each server `name` must be unique within the list; a duplicate is rejected with error data `{ name }`.',
    ),
    { env: schema('v2/McpServerStdio', 'Names SHOULD be unique.') },
  ),
  'setup/null-arrays': schema('v2/NewSessionResponse', 'Senders MUST use an array, not `null`.'),
  'setup/null-result': andOf(shape('v1/LoadSessionResponse'), {
    'session/resume': shape('v1/ResumeSessionResponse'),
    'session/close': shape('v1/CloseSessionResponse'),
    'session/delete': shape('v1/DeleteSessionResponse'),
    'session/set_mode': shape('v1/SetSessionModeResponse'),
    authenticate: shape('v1/AuthenticateResponse'),
    logout: shape('v1/LogoutResponse'),
  }),
  'setup/session-id-unique': andOf(
    pages(
      'session-setup#Creating a Session',
      'The Agent MUST respond with a unique Session ID that identifies this conversation',
    ),
    {
      'session/fork': schemas(
        'ForkSessionResponse',
        'Unique identifier for the newly created forked session.',
      ),
    },
  ),
  'setup/cwd-mismatch': inAugust(
    both(
      page(
        'v1/session-setup#Additional Workspace Roots',
        "that list may differ from any previous or reported list as long as the request `cwd` matches the session's `cwd`",
      ),
      schema('v2/ResumeSessionRequest', "Clients MUST send the session's working directory."),
    ),
    page(
      'v2/session-setup#Additional Workspace Roots',
      "that list may differ from any previous or reported list as long as the request `cwd` matches the session's `cwd`",
    ),
  ),
  'setup/dirs-not-restored': andOf(
    both(
      page(
        'v1/session-setup#Additional Workspace Roots',
        'on `session/load` and `session/resume`, Clients must send the full intended additional-root list again',
      ),
      page(
        'v2/session-setup#Additional Workspace Roots',
        'on `session/resume`, Clients must send the full intended additional-root list again',
      ),
    ),
    {
      servers: both(
        LOAD_SERVERS,
        page(
          'v2/session-setup#Resuming Sessions',
          'reconnects to the requested MCP servers, and returns once the session is ready to continue.',
        ),
      ),
    },
  ),
  'setup/concurrent-restore': andOf(
    both(
      page(
        'v1/session-setup#Loading a Session',
        'When all the conversation entries have been streamed to the Client, the Agent MUST respond to the original `session/load` request. … The Client can then continue sending prompts as if the session was never interrupted.',
      ),
      RESUME_ANSWER,
    ),
    {
      'session/resume': both(
        page(
          'v1/session-setup#Resuming a Session',
          'it restores the session context, reconnects to the requested MCP servers, and returns once the session is ready to continue.',
        ),
        RESUME_ANSWER,
      ),
    },
  ),
  'setup/unknown-session': ACTIVE,
  'setup/open-session-denied': ACTIVE,
  'setup/unknown-session-reply': both(
    page(
      'v1/error#Unknown Sessions',
      'If a session-scoped request names a session that does not exist or is not active on the connection, the Agent SHOULD respond with -32002 and set data.sessionId to the requested ID.',
    ),
    page(
      'v2/error#Unknown Sessions',
      'If a session-scoped request names a session that does not exist or is not active on the connection, the Agent MUST respond with -32002 and set data.sessionId to the requested ID.',
    ),
  ),
  'setup/update-unknown-session': schemas(
    'NewSessionResponse',
    'Unique identifier for the created session. Used in all subsequent requests for this conversation.',
  ),
  'list/cursor-opaque': pages(
    'session-list#Pagination',
    'Clients MUST treat cursors as opaque tokens — do not parse, modify, or persist them',
  ),
  'list/cursor-error': pages(
    'session-list#Pagination',
    'Agents SHOULD return an error if the cursor is invalid',
  ),
  'list/cwd-filter': pages(
    'session-list#Listing Sessions',
    'Filter sessions by working directory. Must be an absolute path. Only sessions with a matching `cwd` are returned.',
  ),
  'list/cwd-absolute': both(
    page(
      'v1/session-list#Listing Sessions',
      'Working directory for the session. Always an absolute path. … ISO 8601 timestamp of the last activity in the session.',
    ),
    page(
      'v2/session-list#Listing Sessions',
      'Working directory for the session. Always an absolute path. … RFC 3339 timestamp of the last activity in the session.',
    ),
  ),
  'list/duplicates': pages(
    'session-list#Listing Sessions',
    'Unique identifier for the session. … If absent, there are no more results.',
  ),
  'list/not-null': pages(
    'session-list#Listing Sessions',
    'When no sessions match the criteria, the Agent MUST return an empty `sessions` array.',
  ),
  'close/update-after': inAugust(
    both(
      CLOSE_CANCELS_V1,
      schema(
        'v2/CloseSessionRequest',
        'After the close response, the Agent sends no other messages for the session on that connection.',
      ),
    ),
    CLOSE_CANCELS_V2,
  ),
  'close/cancel-first': inAugust(
    both(
      CLOSE_CANCELS_V1,
      schema(
        'v2/CloseSessionRequest',
        'When closing cancels active foreground work, the Agent MUST send the final updates for that work and the idle `state_update` with `stopReason: "cancelled"` before responding successfully to `session/close`.',
      ),
    ),
    CLOSE_CANCELS_V2,
  ),
  'close/unknown': schema(
    'v2/CloseSessionRequest',
    'Closing a session that does not exist or is not active SHOULD succeed, and Clients SHOULD treat a `-32002` response as a successful close.',
  ),
  'close/use-after': ACTIVE,
  'delete/idempotent': pages(
    'session-delete#Semantics',
    'Deleting an already-deleted session, or a session that never existed, SHOULD succeed silently.',
  ),
  'delete/still-listed': pages(
    'session-delete#Semantics',
    'Deleted sessions no longer appear in future `session/list` results.',
  ),
  'title/normalised': schemas(
    'SetSessionTitleResponse',
    'The title the Agent stored. This differs from the requested title if the Agent normalized it. Clients SHOULD display this value rather than the one they sent.',
  ),
  'mode/unknown': andOf(MODE_ID, {
    ids: schema('v1/SessionModeId', 'Unique identifier for a Session Mode.'),
  }),
  'mode/no-modes': MODE_ID,
  'mode/refused': schema('v1/SessionModeState', 'The set of modes that the Agent can operate in'),
  'config/refused': both(
    page(
      'v1/session-config-options#From the Client',
      "For select options, this must be one of the values listed in the option's `options` array.",
    ),
    schema(
      'v2/SetSessionConfigOptionRequest',
      'Agents MUST support this method for any session where they advertise config options.',
    ),
  ),
  'prompt/command-refused': schemas('AvailableCommandsUpdate', 'Commands the agent can execute'),
  'config/unknown': pages(
    'session-config-options#From the Client',
    "For `select` options, this must be one of the values listed in the option's `options` array. For `boolean` options, this must be a boolean.",
  ),
  'config/unknown-reply': inAugust(
    both(
      page(
        'v1/error#Invalid Parameters',
        'Malformed parameters and unsupported values get -32602. For example, an invalid session/list cursor, or an unknown configId or value in session/set_config_option.',
      ),
      schema(
        'v2/SetSessionConfigOptionRequest',
        'Agents MUST reject an unknown `configId` or invalid value with `-32602` and leave the configuration unchanged.',
      ),
    ),
    page(
      'v2/error#Invalid Parameters',
      'Malformed parameters and unsupported values get -32602. For example, an invalid session/list cursor, or an unknown configId or value in session/set_config_option.',
    ),
  ),
  'config/complete': ALL_OPTIONS,
  'config/current-value': andOf(
    inAugust(
      both(
        page(
          'v1/session-config-options#ConfigOption',
          'The current value for this option. For `select` options this is a string value ID.',
        ),
        schema(
          'v2/SessionConfigSelect',
          'MUST be one of the `value`s in `options`. … MUST contain at least one value, and each `value` MUST be unique within the option, including across groups.',
        ),
      ),
      page(
        'v2/session-config-options#ConfigOption',
        'The current value for this option. For `select` options this is a string value ID.',
      ),
    ),
    {
      ids: schemas('SessionConfigOption', 'Unique identifier for the configuration option.'),
    },
  ),
  'config/not-applied': ALL_OPTIONS,
} satisfies Record<string, Source>;
