// Where the rules of turns are written, and in which words.
import { both, inAugust, page, pages, rfd, schema, shape, type Source } from '../source.ts';

export const TURNS_SOURCES = {
  'content/replacement': pages('transports', 'JSON-RPC messages MUST be UTF-8 encoded.'),
  'prompt/empty': both(
    shape('v1/PromptRequest'),
    schema(
      'v2/PromptRequest',
      'Clients MUST NOT send an empty array. Agents MAY reject one with `-32602` without inserting it.',
    ),
  ),
  'prompt/overlap': page(
    'v1/prompt-turn#Cancellation',
    'Once a prompt turn completes, the Client may send another `session/prompt` to continue the conversation, building on the context established in previous turns.',
  ),
  'prompt/update-after-turn': page(
    'v1/prompt-turn#Cancellation',
    'The Agent MAY send `session/update` notifications with content or tool call updates after receiving the `session/cancel` notification, but it MUST ensure that it does so before responding to the `session/prompt` request.',
  ),
  'prompt/open-tools-at-end': page(
    'v1/prompt-turn#4. Check for Completion',
    'If there are no pending tool calls, the turn ends and the Agent MUST respond to the original `session/prompt` request with a `StopReason`',
  ),
  'prompt/client-waits-answer': page(
    'v2/prompt-lifecycle#2. Prompt Accepted',
    'The response body is empty because completion is reported through `state_update` notifications, not through the `session/prompt` response',
  ),
  'prompt/receipt-id': schema(
    'v2/PromptResponse',
    'Insertion is the logical addition of a user message with a message ID and a position relative to other messages in the ACP conversation.',
  ),
  'prompt/echo-missing': page(
    'v2/prompt-lifecycle#2. Prompt Accepted',
    'After accepting the prompt, the Agent MUST report where the user message was inserted in session history.',
  ),
  'prompt/echo-id-mismatch': schema(
    'v2/PromptResponse',
    'The corresponding user-message session update carries this same identifier and may arrive before or after this response.',
  ),
  'prompt/echo-content': page(
    'v2/prompt-lifecycle#2. Prompt Accepted',
    'It can send either a `user_message` update with the full `content` array or streamed `user_message_chunk` updates.',
  ),
  'prompt/error-after-insert': schema(
    'v2/PromptRequest',
    'Once it is inserted, the Agent MUST NOT answer with an error, even if the work fails before the response is sent. It ends that work with the `error` stop reason.',
  ),
  'state/running-missing': inAugust(
    schema(
      'v2/StateUpdate',
      'Either way, the agent MUST report `running` when foreground work starts, or `requires_action` if it starts blocked on user action, and `idle` when it ends.',
    ),
    page(
      'v2/prompt-lifecycle#3. Agent Reports Output',
      'When foreground work starts or resumes, the Agent MUST send a `state_update` notification with `state: "running"`',
    ),
  ),
  'state/idle-missing': inAugust(
    schema('v2/StateUpdate', 'The agent MUST report `idle` when no foreground activity remains.'),
    page(
      'v2/prompt-lifecycle#4. Report Completion',
      'When the Agent is ready to process a new prompt, it MUST report `idle` with a `state_update` notification.',
    ),
  ),
  'state/stop-reason-missing': inAugust(
    schema(
      'v2/IdleStateUpdate',
      'Agents SHOULD include a `stopReason` when the idle transition ends foreground work.',
    ),
    page(
      'v2/prompt-lifecycle#4. Report Completion',
      'When the transition ends foreground work, the Agent MUST include the corresponding `StopReason`',
    ),
  ),
  'state/requires-action-exit': inAugust(
    schema(
      'v2/RequiresActionStateUpdate',
      'Once reported, agents MUST report `running` when progress resumes, or `idle` if the work ends without resuming.',
    ),
    page(
      'v2/prompt-lifecycle#5. Tool Invocation and Status Reporting',
      'When work resumes, the Agent SHOULD report `running`.',
    ),
  ),
  'state/requires-action-absent': inAugust(
    schema(
      'v2/StateUpdate',
      'The agent SHOULD report `requires_action` when the foreground workflow as a whole cannot progress without user action, including permissions or elicitations.',
    ),
    page(
      'v2/prompt-lifecycle#5. Tool Invocation and Status Reporting',
      'While foreground work is blocked on a permission response or other user action, the Agent SHOULD report `requires_action`.',
    ),
  ),
  'state/error-detail': schema(
    'v2/ErrorStopReason',
    'Optional. Omitted and `null` are equivalent and mean the agent is not reporting failure details. Agents SHOULD include it.',
  ),
  'state/background-dropped': schema(
    'v2/RunningStateUpdate',
    'An Agent that reports background work MUST include it on every state update for the session.',
  ),
  'state/background-unannounced': schema(
    'v2/BackgroundWork',
    "The Agent MUST announce each item before the first snapshot that lists it, and MUST report a terminal's `exitStatus` or a tool call's final status before the snapshot that removes it.",
  ),
  'message/id-reopened': schema(
    'v1/ContentChunk',
    'A change in `messageId` indicates a new message has started.',
  ),
  'message/mixed-ids': rfd(
    'message-id#Backward Compatibility',
    'Agents SHOULD include the `messageId` field on message chunks they can identify, but it is not required for v1 compatibility.',
  ),
  'message/told-again': both(
    schema('v1/ContentChunk', 'A streamed item of content'),
    schema('v2/ContentChunk', 'A streamed item of message content.'),
  ),
  'usage/range': pages(
    'prompt-turn#Session Usage Updates',
    '`used` and `size` are required and non-null token counts for the current session context. … `currency` is an ISO 4217 currency code like `"USD"`.',
  ),
  'cancel/prompt-result': page(
    'v1/prompt-turn#Cancellation',
    'After all ongoing operations have been successfully aborted and pending updates have been sent, the Agent MUST respond to the original `session/prompt` request with the `cancelled` stop reason.',
  ),
  'cancel/idle': page(
    'v2/prompt-lifecycle#Cancellation',
    'After all ongoing operations have been successfully aborted and pending updates have been sent, the Agent MUST send an idle `state_update` session update with the `cancelled` stop reason.',
  ),
  'cancel/held-prompt': schema(
    'v2/CloseSessionRequest',
    "If closing prevents a prompt's user message from being inserted, the Agent MUST answer that request with `-32800` (Request Cancelled).",
  ),
  'cancel/unsolicited': schema(
    'v1/StopReason',
    'The turn was cancelled by the client via `session/cancel`.',
  ),
  'cancel/request-target': both(
    schema(
      'v1/CancelRequestNotification',
      'This is a notification sent by the side that sent a request to cancel that request.',
    ),
    schema(
      'v2/CancelRequestNotification',
      'The ID of the request to cancel: a request that the sender of this notification issued.',
    ),
  ),
  'cancel/request-unanswered': pages(
    'cancellation#$/cancel_request Notification',
    'MUST send one of these responses for the original request',
  ),
  'cancel/stop-sending': pages(
    'prompt-turn#Cancellation',
    'The Client SHOULD still accept tool call updates received after sending `session/cancel`.',
  ),
} satisfies Record<string, Source>;
