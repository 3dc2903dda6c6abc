// Where the rules of lines, the JSON-RPC envelope, methods and schemas are written, and in which words.
import {
  both,
  inAugust,
  jsonRpc,
  page,
  pages,
  schema,
  schemas,
  sdk,
  sdkGuide,
  type Source,
} from '../source.ts';

const NULL_ID = jsonRpc(
  'Response object',
  'If there was an error in detecting the id in the Request object (e.g. Parse error/Invalid Request), it MUST be Null.',
);

const ONE_LINE = pages(
  'transports#stdio',
  'Messages are delimited by newlines (`\\n`), and MUST NOT contain embedded newlines.',
);

const SINGLE_MESSAGES = page(
  'v1/transports#stdio',
  'Messages are individual JSON-RPC requests, notifications, or responses.',
);

const ONE_VERSION = pages(
  'initialization#Protocol version',
  'Clients and Agents MUST agree on a protocol version and act according to its specification.',
);

export const WIRE_SOURCES = {
  'frame/not-json': pages(
    'transports#stdio',
    "The agent MUST NOT write anything to its `stdout` that is not a valid ACP message. … The client MUST NOT write anything to the agent's `stdin` that is not a valid ACP message.",
  ),
  'frame/utf8': pages('transports', 'JSON-RPC messages MUST be UTF-8 encoded.'),
  'frame/embedded-newline': ONE_LINE,
  'frame/not-object': both(
    SINGLE_MESSAGES,
    page(
      'v2/transports#stdio',
      'Messages are individual JSON-RPC requests, notifications, responses, or batch arrays.',
    ),
  ),
  'frame/batch': inAugust(
    both(SINGLE_MESSAGES, sdk('v2/acp', 'ACP does not use JSON-RPC batches.')),
    page(
      'v2/transports#JSON-RPC Batch Messages',
      'Clients and agents SHOULD NOT batch lifecycle-sensitive messages such as `initialize`, `auth/login`, `session/new`, `session/resume`, and `session/prompt`.',
    ),
  ),
  'frame/batch-reply': both(
    sdk(
      'v1/acp',
      'ACP does not use JSON-RPC batches; a connection answers a received JSON array with a single `-32600` response with `id: null`.',
    ),
    sdk(
      'v2/acp',
      'ACP does not use JSON-RPC batches. A connection answers a received JSON array with a single `-32600` response with `id: null`.',
    ),
  ),
  'frame/unterminated': ONE_LINE,
  'rpc/version-tag': jsonRpc(
    'Request object',
    'A String specifying the version of the JSON-RPC protocol. MUST be exactly "2.0".',
  ),
  'rpc/shape': jsonRpc(
    'Response object',
    'Either the result member or error member MUST be included, but both members MUST NOT be included.',
  ),
  'rpc/extra-member': jsonRpc(
    'Response object',
    'The Response is expressed as a single JSON Object, with the following members',
  ),
  'rpc/params-type': jsonRpc(
    'Parameter Structures',
    'If present, parameters for the rpc call MUST be provided as a Structured value.',
  ),
  'rpc/id-type': inAugust(
    both(
      schema(
        'v1/RequestId',
        'An identifier established by the Client that MUST contain a String, Number, or NULL value if included.',
      ),
      schema(
        'v2/RequestId',
        'A JSON-RPC request ID: a string or an integer. Unlike base JSON-RPC, it MUST NOT be `null`.',
      ),
    ),
    jsonRpc(
      'Request object',
      'The value SHOULD normally not be Null [1] and Numbers SHOULD NOT contain fractional parts [2]',
    ),
  ),
  'rpc/id-null': schema(
    'v1/RequestId',
    'The value SHOULD normally not be Null [1] and Numbers SHOULD NOT contain fractional parts [2]',
  ),
  'rpc/id-unsafe-int': both(
    schema(
      'v1/RequestId',
      'The Server MUST reply with the same value in the Response object if included.',
    ),
    schema('v2/RequestId', 'The receiver MUST reply with the same value in the response.'),
  ),
  'rpc/request-as-notification': pages(
    'extensibility#Extension Methods',
    'Requests - Include an `id` field and expect a response … Notifications - Omit the `id` field and are one-way',
  ),
  'rpc/error-shape': schemas(
    'Error',
    'This must be an integer as defined in the JSON-RPC specification. … The message should be limited to a concise single sentence.',
  ),
  'rpc/error-code-range': pages(
    'error#Error Codes',
    'Implementation-specific errors SHOULD use codes outside -32768 to -32000, which is reserved for JSON-RPC and ACP.',
  ),
  'rpc/id-reuse': inAugust(
    both(
      schema(
        'v1/RequestId',
        'The Server MUST reply with the same value in the Response object if included. This member is used to correlate the context between the two objects.',
      ),
      schema(
        'v2/RequestId',
        'A sender MUST NOT reuse an ID while a request with it is still awaiting a response.',
      ),
    ),
    jsonRpc(
      'Request object',
      'The Server MUST reply with the same value in the Response object if included. This member is used to correlate the context between the two objects.',
    ),
  ),
  'rpc/response-unknown-id': jsonRpc(
    'Response object',
    'It MUST be the same as the value of the id member in the Request Object.',
  ),
  'rpc/response-duplicate': jsonRpc(
    'Response object',
    'When a rpc call is made, the Server MUST reply with a Response, except for in the case of Notifications. The Response is expressed as a single JSON Object',
  ),
  'rpc/response-missing': jsonRpc(
    'Response object',
    'When a rpc call is made, the Server MUST reply with a Response, except for in the case of Notifications.',
  ),
  'rpc/response-to-notification': pages(
    'overview#Error Handling',
    'Notifications never receive responses (success or error)',
  ),
  'rpc/null-id-error': inAugust(
    both(
      NULL_ID,
      schema(
        'v2/AgentResponse',
        "`null` only when the request's id could not be determined, such as for a parse error or an invalid request.",
      ),
    ),
    NULL_ID,
  ),
  'rpc/unknown-method-code': both(
    page(
      'v1/error#Unknown Methods',
      'A receiver that does not implement a method, or receives a capability-gated method it did not advertise, SHOULD respond with -32601.',
    ),
    page(
      'v2/error#Unknown Methods',
      'A receiver that does not implement a method, or receives a capability-gated method it did not advertise, MUST respond with -32601.',
    ),
  ),
  'schema/params': ONE_VERSION,
  'schema/result': ONE_VERSION,
  'schema/refused': ONE_VERSION,
  'schema/update': both(
    schema(
      'v1/SessionUpdate',
      'Different types of updates that can be sent during session processing.',
    ),
    schema(
      'v2/SessionUpdate',
      'Different types of updates that can be sent while a session exists.',
    ),
  ),
  'shape/other-version': ONE_VERSION,
  'shape/extra-root-field': pages(
    'extensibility#The _meta Field',
    "Implementations MUST NOT add any custom fields at the root of a type that's part of the specification. All possible names are reserved for future protocol versions.",
  ),
  'shape/meta-type': pages(
    'extensibility#The _meta Field',
    'All types in the protocol include a `_meta` field with type `{ [key: string]: unknown }` that implementations can use to attach custom information.',
  ),
  'enum/unprefixed': both(
    schema(
      'v1/SessionConfigOptionCategory',
      'Category names that do not begin with `_` are reserved for the ACP spec.',
    ),
    page(
      'v2/extensibility#Enum and Tagged-Union Variants',
      'Unknown values that do not begin with `_` are reserved for future ACP variants. … Extensions MUST NOT define custom non-underscore values.',
    ),
  ),
  'method/unknown': pages(
    'extensibility#Custom Requests',
    'implementations MAY expose and call custom JSON-RPC requests as long as their name starts with an underscore (`_`).',
  ),
  'method/wrong-version': ONE_VERSION,
  'method/wrong-direction': pages(
    'overview',
    'The Agent Client Protocol allows Agents and Clients to communicate by exposing methods that each side can call and sending notifications to inform each other of events.',
  ),
  'method/unstable': sdkGuide(
    'Unstable features can change or be removed in any SDK release, including non-major releases.',
  ),
  'method/dollar-ignored': pages(
    'schema#Protocol Level',
    "If an agent or client receives notifications starting with '$/' it is free to ignore the notification.",
  ),
  'update/wrong-version': ONE_VERSION,
  'ext/unadvertised': pages(
    'extensibility#Advertising Custom Capabilities',
    'Implementations SHOULD use the `_meta` field in capability objects to advertise support for extensions and their methods',
  ),
} satisfies Record<string, Source>;
