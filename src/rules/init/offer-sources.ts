// Where the rules of capabilities are written, and in which words.
import { andOf, both, page, pages, schema, schemas, type Source } from '../source.ts';

export const OFFERS_SOURCES = {
  'cap/session-method': andOf(
    pages(
      'initialization',
      'Capabilities',
      'Clients and Agents MUST treat all capabilities omitted in the `initialize` request as UNSUPPORTED.',
    ),
    {
      'session/load': page(
        1,
        'session-setup',
        'Checking Support',
        'Before attempting to load a session, Clients MUST verify that the Agent supports this capability by checking the `loadSession` field in the `initialize` response',
      ),
    },
  ),
  'cap/session-surface': page(
    2,
    'initialization',
    'Agent Capabilities',
    'Omitted or `null` means the Agent does not support session methods.',
  ),
  'cap/baseline-missing': page(
    2,
    'initialization',
    'Session Capabilities',
    'Supplying `session: {}` means the Agent supports `session/new`, `session/list`, `session/resume`, `session/close`, `session/prompt`, `session/cancel`, and `session/update`.',
  ),
  'cap/advertised-missing': pages(
    'initialization',
    'Capabilities',
    'Capabilities may specify the availability of protocol methods, notifications, or a subset of their parameters.',
  ),
  'cap/entity-cancel': andOf(
    schema(
      2,
      'CancelToolCallRequest',
      'Clients MUST NOT send it unless the tool call currently advertises `capabilities.cancel`.',
    ),
    {
      'terminal/cancel': schema(
        2,
        'CancelTerminalRequest',
        'Clients MUST NOT send it unless the terminal currently advertises `capabilities.cancel`.',
      ),
    },
  ),
  'cap/archived-field': andOf(
    both(
      schema(
        1,
        'ListSessionsRequest',
        'Only send this when the Agent advertises the `sessionCapabilities.archive` capability.',
      ),
      schema(
        2,
        'ListSessionsRequest',
        'Only send this when the Agent advertises the `session.archive` capability.',
      ),
    ),
    {
      listed: both(
        schema(
          1,
          'SessionInfo',
          'Agents that advertise the `sessionCapabilities.archive` capability MUST include it on every listed session.',
        ),
        schema(
          2,
          'SessionInfo',
          'Agents that advertise the `session.archive` capability MUST include it on every listed session.',
        ),
      ),
    },
  ),
  'cap/prompt-content': both(
    page(
      1,
      'prompt-turn',
      '1. User Message',
      'Clients MUST restrict types of content according to the Prompt Capabilities established during initialization.',
    ),
    page(
      2,
      'prompt-lifecycle',
      '1. User Message',
      'Clients MUST restrict types of content according to the Prompt Capabilities established during initialization.',
    ),
  ),
  'cap/additional-dirs': both(
    page(
      1,
      'session-setup',
      'Additional Workspace Roots',
      'Clients MUST only send `additionalDirectories` when the Agent advertises `sessionCapabilities.additionalDirectories`.',
    ),
    page(
      2,
      'session-setup',
      'Additional Workspace Roots',
      'Clients MUST only send `additionalDirectories` when the Agent advertises `session.additionalDirectories`.',
    ),
  ),
  'cap/mcp-transport': andOf(
    both(
      page(
        1,
        'session-setup',
        'Checking Transport Support',
        "Before using HTTP or SSE transports, Clients MUST verify the Agent's capabilities during initialization",
      ),
      page(
        2,
        'session-setup',
        'Checking Transport Support',
        "Before using stdio or HTTP transports, Clients MUST verify the Agent's capabilities during initialization",
      ),
    ),
    {
      refusal: schema(
        2,
        'McpServer',
        'Agents MUST reject a request with a transport they do not support with `-32602`.',
      ),
    },
  ),
  'cap/system-prompt': both(
    schema(
      1,
      'SystemPrompt',
      'Clients MUST only send this when the Agent advertises `sessionCapabilities.systemPrompt`. … Clients MUST NOT send an empty array.',
    ),
    schema(
      2,
      'SystemPrompt',
      'Clients MUST only send this when the Agent advertises `session.systemPrompt`. … Clients MUST NOT send an empty array.',
    ),
  ),
  'cap/client-fs': page(
    1,
    'file-system',
    'Checking Support',
    'If `readTextFile` or `writeTextFile` is `false` or not present, the Agent MUST NOT attempt to call the corresponding filesystem method.',
  ),
  'cap/client-terminal': page(
    1,
    'terminals',
    'Checking Support',
    'If `terminal` is `false` or not present, the Agent MUST NOT attempt to call any terminal methods.',
  ),
  'cap/elicitation-mode': pages(
    'elicitation',
    'Checking support',
    'Agents MUST NOT request a mode the Client has not advertised.',
  ),
  'cap/elicitation-reply': pages(
    'elicitation',
    'URL completion',
    'Requests using a mode the Client has not advertised produce JSON-RPC `-32602` (Invalid params).',
  ),
  'cap/bool-config': page(
    1,
    'session-config-options',
    'Boolean Config Options',
    'Agents MUST NOT include `type: "boolean"` options in `configOptions` payloads unless the Client advertised support.',
  ),
  'cap/gated-update': andOf(
    schema(
      1,
      'SessionUpdate',
      'Agents MUST only send this update when the Client advertised the `session.notices` Client capability. … Agents MUST only send this update when the Client advertised the `session.compaction` Client capability.',
    ),
    {
      subagents: page(
        1,
        'draft/subagents',
        'Checking support',
        'The Agent MUST NOT send `subagent_update`, `session_message`, or `session_message_chunk` unless the Client advertised `subagents`.',
      ),
    },
  ),
  'cap/terminal-auth': schemas(
    'AuthMethodTerminal',
    'Agents MUST advertise this method only when the client enabled its terminal authentication capability.',
  ),
} satisfies Record<string, Source>;
