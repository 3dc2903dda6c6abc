// Where the rules of shapes, methods and extensions are written, and in which words.
import { both, page, pages, schema, sdkGuide, type Source } from '../source.ts';

export const METHODS_SOURCES = {
  'schema/params': pages(
    'initialization',
    'Protocol version',
    'Clients and Agents MUST agree on a protocol version and act according to its specification.',
  ),
  'schema/result': pages(
    'initialization',
    'Protocol version',
    'Clients and Agents MUST agree on a protocol version and act according to its specification.',
  ),
  'schema/update': both(
    schema(
      1,
      'SessionUpdate',
      'Different types of updates that can be sent during session processing.',
    ),
    schema(
      2,
      'SessionUpdate',
      'Different types of updates that can be sent while a session exists.',
    ),
  ),
  'shape/other-version': pages(
    'initialization',
    'Protocol version',
    'Clients and Agents MUST agree on a protocol version and act according to its specification.',
  ),
  'shape/extra-root-field': pages(
    'extensibility',
    'The _meta Field',
    "Implementations MUST NOT add any custom fields at the root of a type that's part of the specification. All possible names are reserved for future protocol versions.",
  ),
  'shape/meta-type': pages(
    'extensibility',
    'The _meta Field',
    'All types in the protocol include a `_meta` field with type `{ [key: string]: unknown }` that implementations can use to attach custom information.',
  ),
  'enum/unprefixed': page(
    2,
    'extensibility',
    'Enum and Tagged-Union Variants',
    'Unknown values that do not begin with `_` are reserved for future ACP variants. … Extensions MUST NOT define custom non-underscore values.',
  ),
  'method/unknown': pages(
    'extensibility',
    'Custom Requests',
    'implementations MAY expose and call custom JSON-RPC requests as long as their name starts with an underscore (`_`).',
  ),
  'method/wrong-version': pages(
    'initialization',
    'Protocol version',
    'Clients and Agents MUST agree on a protocol version and act according to its specification.',
  ),
  'method/wrong-direction': pages(
    'overview',
    undefined,
    'The Agent Client Protocol allows Agents and Clients to communicate by exposing methods that each side can call and sending notifications to inform each other of events.',
  ),
  'method/unstable': sdkGuide(
    'Unstable features can change or be removed in any SDK release, including non-major releases.',
  ),
  'method/dollar-ignored': pages(
    'schema',
    'Protocol Level',
    "If an agent or client receives notifications starting with '$/' it is free to ignore the notification.",
  ),
  'update/wrong-version': pages(
    'initialization',
    'Protocol version',
    'Clients and Agents MUST agree on a protocol version and act according to its specification.',
  ),
  'ext/unadvertised': pages(
    'extensibility',
    'Advertising Custom Capabilities',
    'Implementations SHOULD use the `_meta` field in capability objects to advertise support for extensions and their methods',
  ),
} satisfies Record<string, Source>;
