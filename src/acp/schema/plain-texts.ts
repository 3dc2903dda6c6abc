// Words on the fields that the schemas leave to others: JSON-RPC's own, and what is kept in `_meta`.
import type { Version } from '../methods.ts';

interface Words {
  readonly type?: string;
  readonly required?: true;
  readonly note?: string;
  readonly texts: readonly string[];
}

const ENVELOPE: Readonly<Record<string, Words>> = {
  jsonrpc: {
    type: 'always "2.0"',
    required: true,
    texts: ['The version of JSON-RPC, the protocol below ACP.'],
  },
  id: {
    type: 'a whole number or a string',
    texts: [
      'Names a request, so that its answer can be told. Each side numbers its own requests: the same id may be waiting in both directions. Without an id, a message is a notification, and no answer is due.',
    ],
  },
};

/** On a field of the envelope, apart from `method` and what the schemas describe. */
export function envelopeText(name: string): Words | undefined {
  return Object.hasOwn(ENVELOPE, name) ? ENVELOPE[name] : undefined;
}

const TRACE_CONTEXT = /^(?:traceparent|tracestate|baggage)$/;

/** On `_meta` itself (no key), or on what stands under a key of it, `depth` levels below. */
export function metaText(version: Version, key: string | undefined, depth: number): Words {
  const site = `https://agentclientprotocol.com/protocol/v${version}/extensibility`;
  if (key === undefined)
    return {
      type: 'an object or null',
      texts: [
        `Reserved for data of one’s own. Left out and \`null\` both mean that there is none. Nobody may make assumptions about values under keys they do not know.\n\nSee protocol docs: [Extensibility](${site})`,
      ],
    };
  if (depth === 1 && TRACE_CONTEXT.test(key))
    return {
      type: 'a string',
      texts: [
        'Reserved for [W3C Trace Context](https://www.w3.org/TR/trace-context/), so that a request can be followed through several programs.',
      ],
    };
  return {
    note: 'Data of one’s own: in `_meta` the protocol leaves keys and values free.',
    texts: [],
  };
}
