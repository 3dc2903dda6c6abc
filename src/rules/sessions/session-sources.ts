// Where the rules of listing, closing and settings of sessions are written, and in which words.
import { both, inAugust, page, pages, schema, schemas, type Source } from '../source.ts';

export const SESSIONS_SOURCES = {
  'list/cursor-opaque': pages(
    'session-list',
    'Pagination',
    'Clients MUST treat cursors as opaque tokens — do not parse, modify, or persist them',
  ),
  'list/cursor-error': pages(
    'session-list',
    'Pagination',
    'Agents SHOULD return an error if the cursor is invalid',
  ),
  'list/cwd-filter': pages(
    'session-list',
    'Listing Sessions',
    'Filter sessions by working directory. Must be an absolute path. Only sessions with a matching `cwd` are returned.',
  ),
  'list/cwd-absolute': both(
    page(
      1,
      'session-list',
      'Listing Sessions',
      'Working directory for the session. Always an absolute path. … ISO 8601 timestamp of the last activity in the session.',
    ),
    page(
      2,
      'session-list',
      'Listing Sessions',
      'Working directory for the session. Always an absolute path. … RFC 3339 timestamp of the last activity in the session.',
    ),
  ),
  'list/duplicates': pages(
    'session-list',
    'Listing Sessions',
    'Unique identifier for the session. … If absent, there are no more results.',
  ),
  'list/not-null': pages(
    'session-list',
    'Listing Sessions',
    'When no sessions match the criteria, the Agent MUST return an empty `sessions` array.',
  ),
  'close/update-after': inAugust(
    both(
      page(
        1,
        'session-setup',
        'Closing a Session',
        'The Agent MUST cancel any ongoing work for that session as if `session/cancel` had been called, then free the resources associated with the session.',
      ),
      schema(
        2,
        'CloseSessionRequest',
        'After the close response, the Agent sends no other messages for the session on that connection.',
      ),
    ),
    page(
      2,
      'session-setup',
      'Closing Active Sessions',
      'The Agent MUST cancel any ongoing work for that session as if `session/cancel` had been called, then free the resources associated with the session.',
    ),
  ),
  'close/cancel-first': inAugust(
    both(
      page(
        1,
        'session-setup',
        'Closing a Session',
        'The Agent MUST cancel any ongoing work for that session as if `session/cancel` had been called, then free the resources associated with the session.',
      ),
      schema(
        2,
        'CloseSessionRequest',
        'When closing cancels active foreground work, the Agent MUST send the final updates for that work and the idle `state_update` with `stopReason: "cancelled"` before responding successfully to `session/close`.',
      ),
    ),
    page(
      2,
      'session-setup',
      'Closing Active Sessions',
      'The Agent MUST cancel any ongoing work for that session as if `session/cancel` had been called, then free the resources associated with the session.',
    ),
  ),
  'close/unknown': schema(
    2,
    'CloseSessionRequest',
    'Closing a session that does not exist or is not active SHOULD succeed, and Clients SHOULD treat a `-32002` response as a successful close.',
  ),
  'close/use-after': both(
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
  'delete/idempotent': pages(
    'session-delete',
    'Semantics',
    'Deleting an already-deleted session, or a session that never existed, SHOULD succeed silently.',
  ),
  'delete/still-listed': pages(
    'session-delete',
    'Semantics',
    'Deleted sessions no longer appear in future `session/list` results.',
  ),
  'title/normalised': schemas(
    'SetSessionTitleResponse',
    'The title the Agent stored. This differs from the requested title if the Agent normalized it. Clients SHOULD display this value rather than the one they sent.',
  ),
  'mode/unknown': page(
    1,
    'session-modes',
    'From the Client',
    'The ID of the mode to switch to. Must be one of the modes listed in `availableModes`',
  ),
  'mode/no-modes': page(
    1,
    'session-modes',
    'From the Client',
    'The ID of the mode to switch to. Must be one of the modes listed in `availableModes`',
  ),
  'config/unknown': pages(
    'session-config-options',
    'From the Client',
    "For `select` options, this must be one of the values listed in the option's `options` array. For `boolean` options, this must be a boolean.",
  ),
  'config/unknown-reply': inAugust(
    both(
      page(
        1,
        'error',
        'Invalid Parameters',
        'Malformed parameters and unsupported values get -32602. For example, an invalid session/list cursor, or an unknown configId or value in session/set_config_option.',
      ),
      schema(
        2,
        'SetSessionConfigOptionRequest',
        'Agents MUST reject an unknown `configId` or invalid value with `-32602` and leave the configuration unchanged.',
      ),
    ),
    page(
      2,
      'error',
      'Invalid Parameters',
      'Malformed parameters and unsupported values get -32602. For example, an invalid session/list cursor, or an unknown configId or value in session/set_config_option.',
    ),
  ),
  'config/complete': pages(
    'session-config-options',
    'From the Client',
    'The Agent MUST respond with the complete list of all configuration options and their current values',
  ),
  'config/current-value': inAugust(
    both(
      page(
        1,
        'session-config-options',
        'ConfigOption',
        'The current value for this option. For `select` options this is a string value ID.',
      ),
      schema(
        2,
        'SessionConfigSelect',
        'MUST be one of the `value`s in `options`. … MUST contain at least one value, and each `value` MUST be unique within the option, including across groups.',
      ),
    ),
    page(
      2,
      'session-config-options',
      'ConfigOption',
      'The current value for this option. For `select` options this is a string value ID.',
    ),
  ),
  'config/not-applied': pages(
    'session-config-options',
    'From the Client',
    'The Agent MUST respond with the complete list of all configuration options and their current values',
  ),
} satisfies Record<string, Source>;
