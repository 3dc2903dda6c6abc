// Where the rules of child sessions are written, and in which words.
import { both, page, rfd, type Source } from '../source.ts';

const SUBAGENTS = (heading: string, quote: string) => rfd(`subagents#${heading}`, quote);

export const CHILDREN_SOURCES = {
  'child/unannounced': both(
    SUBAGENTS(
      'Announcing and updating an association',
      "When an Agent creates a subagent that it wants to expose, it MUST send the announcing `subagent_update` before sending any request or notification bearing the child's session ID",
    ),
    page(
      'v2/subagents#Announcing a child session',
      "The Agent MUST send the announcing `subagent_update` before any request or notification that carries the child's `sessionId`.",
    ),
  ),
  'child/not-gated': page(
    'v1/draft/subagents#Checking support',
    'It sends `session` tool call content only to a Client that advertised it.',
  ),
  'child/ownership': both(
    SUBAGENTS(
      'Announcing and updating an association',
      'A child has one immediate parent; the association cannot reparent an existing session, refer to itself, or create a cycle.',
    ),
    page(
      'v2/subagents#Announcing a child session',
      'They do not create another child or move the child to another parent.',
    ),
  ),
  'child/mutation': SUBAGENTS(
    'Restricted session methods',
    "Client-initiated methods that modify a child session or its runtime are disabled unless explicitly enabled by that child's capabilities.",
  ),
  'child/cancel-ungated': SUBAGENTS(
    'Cancellation and resource ownership',
    "If `capabilities.cancel` is a non-null object, the Client may send the existing `session/cancel` notification with the child's session ID.",
  ),
  'child/cancel-confirm': SUBAGENTS(
    'Cancellation and resource ownership',
    'A child confirms cancellation with `idle` and `stopReason: "cancelled"` through its v1 state snapshot or ordinary v2 notification.',
  ),
  'child/listed': SUBAGENTS(
    'Restricted session methods',
    'Restricted children are discovered through parent associations rather than ordinary standalone `session/list` entries.',
  ),
  'child/reannounce': SUBAGENTS(
    'Reconnection and replay',
    'After responding, the Agent MUST reannounce each continuing child and its complete chain of intermediate ancestors up to the resumed parent, … before sending fresh child traffic or session references.',
  ),
  'child/replay-request': SUBAGENTS(
    'Reconnection and replay',
    'Replay MUST NOT reissue historical permission, elicitation, or other Agent-to-Client requests.',
  ),
  'content/session-unknown': both(
    page(
      'v1/draft/tool-calls#Session References (unstable)',
      'A tool call can link to an already-known session on this ACP connection.',
    ),
    SUBAGENTS(
      'Operations reference sessions',
      'The target MUST already be known to the Client through ordinary session setup or a `subagent_update` announcement.',
    ),
  ),
} satisfies Record<string, Source>;
