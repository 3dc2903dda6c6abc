// Where the rules of MCP, proxies, forms and remote transports are written, and in which words.
import { both, inAugust, page, pages, rfd, schema, schemas, type Source } from '../source.ts';

export const PEERS_SOURCES = {
  'elicit/scope': inAugust(
    both(
      page(
        'v1/elicitation#Creating an elicitation',
        '`sessionId` for a session-scoped request. … `requestId` for a request-scoped interaction outside a session.',
      ),
      schema(
        'v2/ElicitationRequestScope',
        'The pending Client-to-Agent request this elicitation is tied to.',
      ),
    ),
    page(
      'v2/elicitation#Creating an elicitation',
      '`sessionId` for a session-scoped request. … `requestId` for a request-scoped interaction outside a session.',
    ),
  ),
  'elicit/id-unique': pages(
    'elicitation#URL completion',
    'The Agent MUST keep each `elicitationId` unique among outstanding URL elicitations on that Agent-Client connection',
  ),
  'elicit/complete-unknown': pages(
    'elicitation#URL completion',
    'It MUST send that notification only to the same Client that received the original request and include the original `elicitationId`. Clients MUST ignore unknown or already-completed IDs.',
  ),
  'elicit/content': pages(
    'elicitation#Responses',
    'For an accepted form elicitation, `content` SHOULD conform to the requested schema.',
  ),
  'elicit/secret-in-form': pages(
    'elicitation#Form mode',
    'Form mode MUST NOT be used to request secrets or credentials that grant access or authorize transactions',
  ),
  'elicit/url': pages(
    'elicitation#URL security',
    'Agents MUST NOT put credentials, personal data, or pre-authenticated access in the URL and SHOULD use HTTPS outside development.',
  ),
  'mcp/envelope': schemas(
    'MessageMcpRequest',
    'The declared ACP MCP server receiving this request. … The caller-generated identifier for the inner MCP request.',
  ),
  'mcp/legacy': schemas('MessageMcpRequest', 'The declared ACP MCP server receiving this request.'),
  'proxy/version': schemas(
    'InitializeProxyRequest',
    'Before answering successfully, the proxy MUST forward an `initialize` request to its successor through `proxy/successor`.',
  ),
  'proxy/role': rfd(
    'proxy-chains#Proxy initialization protocol',
    'The conductor MUST send `proxy/initialize` to all proxy components … The conductor MUST send `initialize` to the final agent component (if any)',
  ),
  'http/init': rfd(
    'streamable-http-websocket-transport#1. Adds an HTTP Transport',
    'The `initialize` request is special: it returns `200 OK` with a JSON response body containing capabilities and the `Acp-Connection-Id`.',
  ),
  'http/accepted': rfd(
    'streamable-http-websocket-transport#1. Adds an HTTP Transport',
    'Most POST requests return `202 Accepted` immediately with an empty body.',
  ),
  'http/headers': rfd(
    'streamable-http-websocket-transport#Content Negotiation and Validation',
    'POST requests for session-scoped operations MUST include both `Acp-Connection-Id` and `Acp-Session-Id` headers.',
  ),
  'http/stream-open': rfd(
    'streamable-http-websocket-transport#1. Adds an HTTP Transport',
    'All server→client messages (responses to requests and unsolicited notifications) are delivered via SSE streams opened with GET.',
  ),
  'http/wrong-stream': rfd(
    'streamable-http-websocket-transport#Connection and Session Model',
    'Server→client messages are routed to either the connection-scoped GET stream or the appropriate session-scoped GET stream based on whether the message is tied to a specific session.',
  ),
  'http/status': rfd(
    'streamable-http-websocket-transport#Content Negotiation and Validation',
    'POST `Content-Type` MUST be `application/json` (415 otherwise). … GET `Accept` MUST include `text/event-stream` (406 otherwise).',
  ),
  'http/cookies': rfd(
    'streamable-http-websocket-transport#5. Requires cookie support on HTTP transports',
    'Clients MUST accept, store, and return cookies set by the server on all HTTP-based transports (Streamable HTTP and WebSocket).',
  ),
  'ws/first-frame': rfd(
    'streamable-http-websocket-transport#Connection Establishment (GET with Upgrade)',
    'The client must still send `initialize` as the first JSON-RPC message over the WebSocket to negotiate capabilities before creating sessions.',
  ),
} satisfies Record<string, Source>;
