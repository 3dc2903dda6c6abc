// Where the rules of lines and the JSON-RPC envelope are written, and in which words.
import {
  both,
  inAugust,
  jsonRpc,
  page,
  pages,
  schema,
  schemas,
  sdk,
  type Source,
} from '../source.ts';

export const WIRE_SOURCES = {
  'frame/not-json': pages(
    'transports',
    'stdio',
    "The agent MUST NOT write anything to its `stdout` that is not a valid ACP message. … The client MUST NOT write anything to the agent's `stdin` that is not a valid ACP message.",
  ),
  'frame/utf8': pages('transports', undefined, 'JSON-RPC messages MUST be UTF-8 encoded.'),
  'frame/embedded-newline': pages(
    'transports',
    'stdio',
    'Messages are delimited by newlines (`\\n`), and MUST NOT contain embedded newlines.',
  ),
  'frame/not-object': both(
    page(
      1,
      'transports',
      'stdio',
      'Messages are individual JSON-RPC requests, notifications, or responses.',
    ),
    page(
      2,
      'transports',
      'stdio',
      'Messages are individual JSON-RPC requests, notifications, responses, or batch arrays.',
    ),
  ),
  'frame/batch': inAugust(
    both(
      page(
        1,
        'transports',
        'stdio',
        'Messages are individual JSON-RPC requests, notifications, or responses.',
      ),
      sdk('v2/acp', 'ACP does not use JSON-RPC batches.'),
    ),
    page(
      2,
      'transports',
      'JSON-RPC Batch Messages',
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
  'frame/unterminated': pages(
    'transports',
    'stdio',
    'Messages are delimited by newlines (`\\n`), and MUST NOT contain embedded newlines.',
  ),
  'rpc/version-tag': jsonRpc(
    'Request object',
    'A String specifying the version of the JSON-RPC protocol. MUST be exactly "2.0".',
  ),
  'rpc/shape': jsonRpc(
    'Response object',
    'Either the result member or error member MUST be included, but both members MUST NOT be included.',
  ),
  'rpc/params-type': jsonRpc(
    'Parameter Structures',
    'If present, parameters for the rpc call MUST be provided as a Structured value.',
  ),
  'rpc/id-type': inAugust(
    schema(
      2,
      'RequestId',
      'A JSON-RPC request ID: a string or an integer. Unlike base JSON-RPC, it MUST NOT be `null`.',
    ),
    jsonRpc(
      'Request object',
      'The value SHOULD normally not be Null [1] and Numbers SHOULD NOT contain fractional parts [2]',
    ),
  ),
  'rpc/id-null': schema(
    1,
    'RequestId',
    'The value SHOULD normally not be Null [1] and Numbers SHOULD NOT contain fractional parts [2]',
  ),
  'rpc/id-unsafe-int': both(
    schema(
      1,
      'RequestId',
      'The Server MUST reply with the same value in the Response object if included.',
    ),
    schema(2, 'RequestId', 'The receiver MUST reply with the same value in the response.'),
  ),
  'rpc/request-as-notification': pages(
    'extensibility',
    'Extension Methods',
    'Requests - Include an `id` field and expect a response … Notifications - Omit the `id` field and are one-way',
  ),
  'rpc/error-shape': schemas(
    'Error',
    'This must be an integer as defined in the JSON-RPC specification. … The message should be limited to a concise single sentence.',
  ),
  'rpc/error-code-range': pages(
    'error',
    'Error Codes',
    'Implementation-specific errors SHOULD use codes outside -32768 to -32000, which is reserved for JSON-RPC and ACP.',
  ),
  'rpc/id-reuse': inAugust(
    both(
      schema(
        1,
        'RequestId',
        'The Server MUST reply with the same value in the Response object if included. This member is used to correlate the context between the two objects.',
      ),
      schema(
        2,
        'RequestId',
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
    'overview',
    'Error Handling',
    'Notifications never receive responses (success or error)',
  ),
  'rpc/null-id-error': inAugust(
    both(
      jsonRpc(
        'Response object',
        'If there was an error in detecting the id in the Request object (e.g. Parse error/Invalid Request), it MUST be Null.',
      ),
      schema(
        2,
        'AgentResponse',
        "`null` only when the request's id could not be determined, such as for a parse error or an invalid request.",
      ),
    ),
    jsonRpc(
      'Response object',
      'If there was an error in detecting the id in the Request object (e.g. Parse error/Invalid Request), it MUST be Null.',
    ),
  ),
  'rpc/unknown-method-code': both(
    page(
      1,
      'error',
      'Unknown Methods',
      'A receiver that does not implement a method, or receives a capability-gated method it did not advertise, SHOULD respond with -32601.',
    ),
    page(
      2,
      'error',
      'Unknown Methods',
      'A receiver that does not implement a method, or receives a capability-gated method it did not advertise, MUST respond with -32601.',
    ),
  ),
} satisfies Record<string, Source>;
