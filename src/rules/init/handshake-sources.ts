// Where the rules of the handshake and signing in are written, and in which words.
import { andOf, both, inAugust, page, pages, schema, schemas, type Source } from '../source.ts';

export const HANDSHAKE_SOURCES = {
  'init/first': inAugust(
    both(
      page(
        1,
        'initialization',
        undefined,
        'Before a Session can be created, Clients MUST initialize the connection by calling the `initialize` method',
      ),
      schema(
        2,
        'InitializeRequest',
        'This method is called at the beginning of the connection, before any other request',
      ),
    ),
    page(
      2,
      'initialization',
      undefined,
      'Before a Session can be created, Clients MUST initialize the connection by calling the `initialize` method',
    ),
  ),
  'init/early-request': both(
    page(
      1,
      'error',
      'Error Codes',
      'The message is not a valid request object, or a request other than `initialize` arrived before initialization.',
    ),
    page(
      2,
      'error',
      'Requests Before Initialization',
      'Agents MUST reject any request other than initialize that arrives before initialization completes with -32600.',
    ),
  ),
  'init/early-accept': both(
    page(
      1,
      'error',
      'Error Codes',
      'The message is not a valid request object, or a request other than `initialize` arrived before initialization.',
    ),
    page(
      2,
      'error',
      'Requests Before Initialization',
      'Agents MUST reject any request other than initialize that arrives before initialization completes with -32600.',
    ),
  ),
  'init/agent-talks-first': both(
    schema(1, 'InitializeRequest', 'This method is called once at the beginning of the connection'),
    schema(
      2,
      'InitializeRequest',
      'This method is called at the beginning of the connection, before any other request',
    ),
  ),
  'init/repeat': both(
    schema(1, 'InitializeRequest', 'This method is called once at the beginning of the connection'),
    schema(2, 'InitializeRequest', 'The Client may repeat it before its first other request.'),
  ),
  'init/version-too-high': both(
    page(
      1,
      'initialization',
      'Version Negotiation',
      'If the Agent supports the requested version, it MUST respond with the same version. Otherwise, the Agent MUST respond with the latest version it supports.',
    ),
    schema(
      2,
      'InitializeResponse',
      'The highest protocol version supported by the agent that is at or below the version requested by the client.',
    ),
  ),
  'init/version-echo': pages(
    'initialization',
    'Version Negotiation',
    'If the Agent supports the requested version, it MUST respond with the same version. Otherwise, the Agent MUST respond with the latest version it supports.',
  ),
  'init/version-error': both(
    schema(
      2,
      'UnsupportedProtocolVersionErrorData',
      'Data for the `-32022` (Unsupported protocol version) error.',
    ),
    schema(
      2,
      'InitializeResponse',
      'If no such version exists, initialization fails with error code -32022.',
    ),
  ),
  'init/continue-unsupported': pages(
    'initialization',
    'Protocol version',
    'Clients and Agents MUST agree on a protocol version and act according to its specification. … If the Client does not support the version specified by the Agent in the `initialize` response, the Client SHOULD close the connection',
  ),
  'init/info-missing': page(
    1,
    'initialization',
    'Implementation Information',
    'Both Clients and Agents SHOULD provide information about their implementation in the `clientInfo` and `agentInfo` fields respectively.',
  ),
  'init/v2-shape-on-v1': page(
    2,
    'migration',
    'Role-agnostic info and capabilities',
    'v1 used role-specific field names: the Client sent `clientCapabilities` and optional `clientInfo`, and the Agent returned `agentCapabilities` and optional `agentInfo`.',
  ),
  'init/load-vs-resume-caps': page(
    1,
    'session-setup',
    'Loading Sessions',
    'Agents that support the `loadSession` capability allow Clients to resume previous conversations.',
  ),
  'auth/unknown-method': both(
    schema(
      1,
      'AuthenticateRequest',
      'Must be one of the methods advertised in the initialize response.',
    ),
    schema(
      2,
      'LoginAuthRequest',
      'Must be one of the methods advertised in the initialize response.',
    ),
  ),
  'auth/terminal-login': both(
    schema(1, 'AuthMethodTerminal', 'The client MUST NOT pass this method to `authenticate`.'),
    schema(2, 'AuthMethodTerminal', 'The client MUST NOT pass this method to `auth/login`.'),
  ),
  'auth/no-surface': both(
    page(
      1,
      'authentication',
      'Advertising Authentication',
      'If `agentCapabilities.auth.logout` is omitted or `null`, the Agent does not support `logout` and Clients MUST NOT call it.',
    ),
    page(
      2,
      'authentication',
      'Advertising Authentication',
      'If `authMethods` is omitted or empty, the Agent does not advertise this surface and Clients MUST NOT call either method.',
    ),
  ),
  'auth/login-unimplemented': page(
    2,
    'authentication',
    'Advertising Authentication',
    'An Agent that does so MUST implement both `auth/login` and `auth/logout`.',
  ),
  'auth/required-without-methods': pages(
    'authentication',
    'Advertising Authentication',
    'Agents advertise authentication options in the `authMethods` field of the `initialize` response.',
  ),
  'auth/still-required': both(
    page(
      1,
      'authentication',
      'Protocol-driven authentication',
      'After successful authentication, the Client can create new sessions without receiving an `auth_required` error for authentication-gated requests.',
    ),
    page(
      2,
      'authentication',
      'Agent-handled authentication',
      'After successful authentication, the Client can create new sessions without receiving an `auth_required` error for authentication-gated requests.',
    ),
  ),
  'auth/duplicate-ids': andOf(
    schemas('AuthMethodAgent', 'Unique identifier for this authentication method.'),
    {
      env: page(
        2,
        'authentication',
        'Terminal authentication',
        'Every `env` entry MUST have a unique `name`.',
      ),
    },
  ),
  'auth/status-gated': schemas(
    'AuthStatusRequest',
    'Agents MUST NOT reject it with `auth_required` (`-32000`), since Clients call it to learn whether authentication is required.',
  ),
} satisfies Record<string, Source>;
