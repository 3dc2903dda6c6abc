// Where the rules of the handshake, signing in and capabilities are written, and in which words.
import {
  andOf,
  both,
  crate,
  inAugust,
  page,
  pages,
  rfd,
  schema,
  schemas,
  type Source,
} from '../source.ts';

const BEFORE_INITIALIZE = both(
  page(
    'v1/error#Error Codes',
    'The message is not a valid request object, or a request other than `initialize` arrived before initialization.',
  ),
  page(
    'v2/error#Requests Before Initialization',
    'Agents MUST reject any request other than initialize that arrives before initialization completes with -32600.',
  ),
);

const FIRST_CALL = schema(
  'v2/InitializeRequest',
  'This method is called at the beginning of the connection, before any other request',
);

const CURSORS_GATE = crate(
  'agent-client-protocol-schema',
  '1.21.1/v1/CursorUpdate',
  'Agents MUST only send this update when the Client advertised the session.cursors Client capability.',
);

export const INIT_SOURCES = {
  'init/first': inAugust(
    both(
      page(
        'v1/initialization',
        'Before a Session can be created, Clients MUST initialize the connection by calling the `initialize` method',
      ),
      FIRST_CALL,
    ),
    page(
      'v2/initialization',
      'Before a Session can be created, Clients MUST initialize the connection by calling the `initialize` method',
    ),
  ),
  'init/early-request': BEFORE_INITIALIZE,
  'init/early-accept': BEFORE_INITIALIZE,
  'init/agent-talks-first': both(
    schema('v1/InitializeRequest', 'This method is called once at the beginning of the connection'),
    FIRST_CALL,
  ),
  'init/repeat': both(
    schema('v1/InitializeRequest', 'This method is called once at the beginning of the connection'),
    schema('v2/InitializeRequest', 'The Client may repeat it before its first other request.'),
  ),
  'init/version-too-high': both(
    page(
      'v1/initialization#Version Negotiation',
      'If the Agent supports the requested version, it MUST respond with the same version. Otherwise, the Agent MUST respond with the latest version it supports.',
    ),
    schema(
      'v2/InitializeResponse',
      'The highest protocol version supported by the agent that is at or below the version requested by the client.',
    ),
  ),
  'init/version-echo': pages(
    'initialization#Version Negotiation',
    'If the Agent supports the requested version, it MUST respond with the same version. Otherwise, the Agent MUST respond with the latest version it supports.',
  ),
  'init/version-type': pages(
    'initialization#Protocol Version',
    'Clients and Agents MUST agree on a protocol version and act according to its specification.',
  ),
  'init/refused': pages(
    'initialization',
    'Before a Session can be created, Clients MUST initialize the connection',
  ),
  'init/version-error': both(
    schema(
      'v2/UnsupportedProtocolVersionErrorData',
      'Data for the `-32022` (Unsupported protocol version) error.',
    ),
    schema(
      'v2/InitializeResponse',
      'If no such version exists, initialization fails with error code -32022.',
    ),
  ),
  'init/continue-unsupported': pages(
    'initialization#Protocol version',
    'Clients and Agents MUST agree on a protocol version and act according to its specification. … If the Client does not support the version specified by the Agent in the `initialize` response, the Client SHOULD close the connection',
  ),
  'init/info-missing': page(
    'v1/initialization#Implementation Information',
    'Both Clients and Agents SHOULD provide information about their implementation in the `clientInfo` and `agentInfo` fields respectively.',
  ),
  'init/v2-shape-on-v1': page(
    'v2/migration#Role-agnostic info and capabilities',
    'v1 used role-specific field names: the Client sent `clientCapabilities` and optional `clientInfo`, and the Agent returned `agentCapabilities` and optional `agentInfo`.',
  ),
  'init/load-vs-resume-caps': page(
    'v1/session-setup#Loading Sessions',
    'Agents that support the `loadSession` capability allow Clients to resume previous conversations.',
  ),
  'auth/refused': pages(
    'authentication#Advertising Authentication',
    'Agents advertise authentication options in the `authMethods` field of the `initialize` response.',
  ),
  'auth/unknown-method': both(
    schema(
      'v1/AuthenticateRequest',
      'Must be one of the methods advertised in the initialize response.',
    ),
    schema(
      'v2/LoginAuthRequest',
      'Must be one of the methods advertised in the initialize response.',
    ),
  ),
  'auth/unknown-reply': pages(
    'error#Invalid Parameters',
    'Malformed parameters and unsupported values get -32602.',
  ),
  'auth/terminal-login': both(
    schema('v1/AuthMethodTerminal', 'The client MUST NOT pass this method to `authenticate`.'),
    schema('v2/AuthMethodTerminal', 'The client MUST NOT pass this method to `auth/login`.'),
  ),
  'auth/no-surface': both(
    page(
      'v1/authentication#Advertising Authentication',
      'If `agentCapabilities.auth.logout` is omitted or `null`, the Agent does not support `logout` and Clients MUST NOT call it.',
    ),
    page(
      'v2/authentication#Advertising Authentication',
      'If `authMethods` is omitted or empty, the Agent does not advertise this surface and Clients MUST NOT call either method.',
    ),
  ),
  'auth/login-unimplemented': page(
    'v2/authentication#Advertising Authentication',
    'An Agent that does so MUST implement both `auth/login` and `auth/logout`.',
  ),
  'auth/required-without-methods': pages(
    'authentication#Advertising Authentication',
    'Agents advertise authentication options in the `authMethods` field of the `initialize` response.',
  ),
  'auth/still-required': both(
    page(
      'v1/authentication#Protocol-driven authentication',
      'After successful authentication, the Client can create new sessions without receiving an `auth_required` error for authentication-gated requests.',
    ),
    page(
      'v2/authentication#Agent-handled authentication',
      'After successful authentication, the Client can create new sessions without receiving an `auth_required` error for authentication-gated requests.',
    ),
  ),
  'auth/duplicate-ids': andOf(
    schemas('AuthMethodAgent', 'Unique identifier for this authentication method.'),
    {
      env: page(
        'v2/authentication#Terminal authentication',
        'Every `env` entry MUST have a unique `name`.',
      ),
    },
  ),
  'auth/status-gated': schemas(
    'AuthStatusRequest',
    'Agents MUST NOT reject it with `auth_required` (`-32000`), since Clients call it to learn whether authentication is required.',
  ),
  'cap/session-method': andOf(
    pages(
      'initialization#Capabilities',
      'Clients and Agents MUST treat all capabilities omitted in the `initialize` request as UNSUPPORTED.',
    ),
    {
      'session/load': page(
        'v1/session-setup#Checking Support',
        'Before attempting to load a session, Clients MUST verify that the Agent supports this capability by checking the `loadSession` field in the `initialize` response',
      ),
    },
  ),
  'cap/session-surface': page(
    'v2/initialization#Agent Capabilities',
    'Omitted or `null` means the Agent does not support session methods.',
  ),
  'cap/baseline-missing': both(
    schema(
      'v1/SessionCapabilities',
      'As a baseline, all Agents **MUST** support `session/new`, `session/prompt`, `session/cancel`, and `session/update`.',
    ),
    page(
      'v2/initialization#Session Capabilities',
      'Supplying `session: {}` means the Agent supports `session/new`, `session/list`, `session/resume`, `session/close`, `session/prompt`, `session/cancel`, and `session/update`.',
    ),
  ),
  'cap/advertised-missing': pages(
    'initialization#Capabilities',
    'Capabilities may specify the availability of protocol methods, notifications, or a subset of their parameters.',
  ),
  'cap/entity-cancel': andOf(
    schema(
      'v2/CancelToolCallRequest',
      'Clients MUST NOT send it unless the tool call currently advertises `capabilities.cancel`.',
    ),
    {
      'terminal/cancel': schema(
        'v2/CancelTerminalRequest',
        'Clients MUST NOT send it unless the terminal currently advertises `capabilities.cancel`.',
      ),
    },
  ),
  'cap/archived-field': andOf(
    both(
      schema(
        'v1/ListSessionsRequest',
        'Only send this when the Agent advertises the `sessionCapabilities.archive` capability.',
      ),
      schema(
        'v2/ListSessionsRequest',
        'Only send this when the Agent advertises the `session.archive` capability.',
      ),
    ),
    {
      listed: both(
        schema(
          'v1/SessionInfo',
          'Agents that advertise the `sessionCapabilities.archive` capability MUST include it on every listed session.',
        ),
        schema(
          'v2/SessionInfo',
          'Agents that advertise the `session.archive` capability MUST include it on every listed session.',
        ),
      ),
    },
  ),
  'cap/prompt-content': pages(
    'prompt-turn#1. User Message',
    'Clients MUST restrict types of content according to the Prompt Capabilities established during initialization.',
  ),
  'cap/additional-dirs': both(
    page(
      'v1/session-setup#Additional Workspace Roots',
      'Clients MUST only send `additionalDirectories` when the Agent advertises `sessionCapabilities.additionalDirectories`.',
    ),
    page(
      'v2/session-setup#Additional Workspace Roots',
      'Clients MUST only send `additionalDirectories` when the Agent advertises `session.additionalDirectories`.',
    ),
  ),
  'cap/mcp-transport': andOf(
    both(
      page(
        'v1/session-setup#Checking Transport Support',
        "Before using HTTP or SSE transports, Clients MUST verify the Agent's capabilities during initialization",
      ),
      page(
        'v2/session-setup#Checking Transport Support',
        "Before using stdio or HTTP transports, Clients MUST verify the Agent's capabilities during initialization",
      ),
    ),
    {
      refusal: schema(
        'v2/McpServer',
        'Agents MUST reject a request with a transport they do not support with `-32602`.',
      ),
    },
  ),
  'cap/system-prompt': both(
    schema(
      'v1/SystemPrompt',
      'Clients MUST only send this when the Agent advertises `sessionCapabilities.systemPrompt`. … Clients MUST NOT send an empty array.',
    ),
    schema(
      'v2/SystemPrompt',
      'Clients MUST only send this when the Agent advertises `session.systemPrompt`. … Clients MUST NOT send an empty array.',
    ),
  ),
  'cap/client-fs': page(
    'v1/file-system#Checking Support',
    'If `readTextFile` or `writeTextFile` is `false` or not present, the Agent MUST NOT attempt to call the corresponding filesystem method.',
  ),
  'cap/client-terminal': page(
    'v1/terminals#Checking Support',
    'If `terminal` is `false` or not present, the Agent MUST NOT attempt to call any terminal methods.',
  ),
  'cap/elicitation-mode': pages(
    'elicitation#Checking support',
    'Agents MUST NOT request a mode the Client has not advertised.',
  ),
  'cap/elicitation-reply': pages(
    'elicitation#URL completion',
    'Requests using a mode the Client has not advertised produce JSON-RPC `-32602` (Invalid params).',
  ),
  'cap/bool-config': page(
    'v1/session-config-options#Boolean Config Options',
    'Agents MUST NOT include `type: "boolean"` options in `configOptions` payloads unless the Client advertised support.',
  ),
  'cap/gated-update': andOf(
    both(
      schema(
        'v1/SessionUpdate',
        'Agents MUST only send this update when the Client advertised the `session.notices` Client capability. … Agents MUST only send this update when the Client advertised the `session.compaction` Client capability.',
      ),
      CURSORS_GATE,
    ),
    {
      'session.cursors': CURSORS_GATE,
      'session.promptSuggestions': rfd(
        'prompt-suggestions#Elevator pitch',
        'Clients advertise support with a capability, and Agents only send the update to Clients that do.',
      ),
      subagents: page(
        'v1/draft/subagents#Checking support',
        'The Agent MUST NOT send `subagent_update`, `session_message`, or `session_message_chunk` unless the Client advertised `subagents`.',
      ),
    },
  ),
  'cap/terminal-auth': schemas(
    'AuthMethodTerminal',
    'Agents MUST advertise this method only when the client enabled its terminal authentication capability.',
  ),
} satisfies Record<string, Source>;
