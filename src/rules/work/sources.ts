// Where the rules of tool calls, terminals, plans, permissions and files are written, and in which words.
import { andOf, both, inAugust, page, pages, schema, schemas, type Source } from '../source.ts';

export const WORK_SOURCES = {
  'tool/update-before-create': schema('v1/ToolCallUpdate', 'An update to an existing tool call.'),
  'tool/duplicate-create': page(
    'v1/tool-calls#Creating',
    'A unique identifier for this tool call within the session',
  ),
  'tool/status-regress': pages(
    'tool-calls#Status',
    'Tool calls progress through different statuses during their lifecycle',
  ),
  'tool/emptied': both(
    schema('v1/ToolCallUpdate', 'only changed fields need to be included.'),
    schema(
      'v2/ToolCallUpdate',
      'omitted fields leave the existing tool call value unchanged, `null` clears or unsets the value, and concrete values replace the previous value.',
    ),
  ),
  'tool/raw-output-only': both(
    schema('v1/ToolCall', 'Raw output returned by the tool.'),
    schema('v2/ToolCallUpdate', 'Raw output returned by the tool.'),
  ),
  'tool/first-title': page(
    'v2/tool-calls#Reporting',
    'Agents SHOULD include the title the first time they report a `toolCallId`.',
  ),
  'tool/null-as-clear': schema(
    'v1/ToolCallUpdate',
    'Omitting it or sending `null` both mean that the existing name is left unchanged.',
  ),
  'tool/path-absolute': pages(
    'overview#Argument requirements',
    'All file paths in the protocol MUST be absolute. … Line numbers are 1-based',
  ),
  'content/base64': schemas('ImageContent', 'Base64-encoded media payload.'),
  'tool/diff-consistent': inAugust(
    schema(
      'v2/DiffPatchFormat',
      "every path MUST be absolute, including in `rename from`, `rename to`, `copy from`, and `copy to` lines, and MUST NOT have a prefix such as Git's default `a/` and `b/`.",
    ),
    page(
      'v2/tool-calls#Diffs',
      '`patch`, when present, provides renderable text for some or all of those changes and MUST be consistent with `changes`.',
    ),
  ),
  'tool/cancel-confirm': andOf(
    schema(
      'v2/CancelToolCallRequest',
      'The Agent confirms it with a `tool_call_update` to a final status … The Agent responds with `-32602` if the tool call is unknown, already final, or not cancellable.',
    ),
    {
      'terminal/cancel': schema(
        'v2/CancelTerminalRequest',
        'The Agent confirms it with a `terminal_update` that sets `exitStatus`. … The Agent responds with `-32602` if the terminal is unknown, has already exited, or is not cancellable.',
      ),
    },
  ),
  'tool/cap-after-final': andOf(
    schema(
      'v2/ToolCallCapabilities',
      'Agents SHOULD stop advertising it once the tool call reaches a final status.',
    ),
    {
      terminal: schema(
        'v2/TerminalCapabilities',
        'Agents SHOULD stop advertising it once the terminal reports `exitStatus`.',
      ),
    },
  ),
  'term/base64': page(
    'v2/tool-calls#Display-only Terminals',
    'Each `data` value is an independently RFC 4648 base64-encoded byte chunk with JSON Schema `contentEncoding: "base64"`.',
  ),
  'term/output-after-exit': page(
    'v2/tool-calls#Display-only Terminals',
    "`terminalId` is unique within the session, remains stable for the terminal's lifetime, and MUST NOT be reused for a different terminal.",
  ),
  'term/cwd-absolute': both(
    schema(
      'v1/CreateTerminalRequest',
      'Working directory for the command. Must be an absolute path.',
    ),
    page(
      'v2/tool-calls#Display-only Terminals',
      "`cwd` is the command's working directory and MUST be absolute when supplied.",
    ),
  ),
  'plan/partial': both(
    page(
      'v1/agent-plan#Updating Plans',
      'The Agent MUST send a complete list of all plan entries in each update and their current status.',
    ),
    page(
      'v2/agent-plan#Updating Plans',
      'For item-based plans, the Agent MUST send a complete list of all plan entries in each update and their current status.',
    ),
  ),
  'commands/name': inAugust(
    both(
      page('v1/slash-commands#AvailableCommand', 'The command name (e.g., "web", "test", "plan")'),
      schema(
        'v2/AvailableCommand',
        'Command name without the leading `/`. MUST NOT contain whitespace and MUST be unique within the command list.',
      ),
    ),
    page('v2/slash-commands#AvailableCommand', 'The command name (e.g., "web", "test", "plan")'),
  ),
  'compaction/order': pages(
    'draft/prompt-turn#Session Compaction',
    'It first sends `compaction_update` and may then append retained summary content with `compaction_summary_chunk` before sending one terminal update for the same `compactionId`',
  ),
  'perm/options': both(
    page('v1/tool-calls#Permission Options', 'Unique identifier for this option'),
    schema(
      'v2/RequestPermissionRequest',
      'Available permission options for the user to choose from. Must contain at least one option.',
    ),
  ),
  'perm/unknown-option': inAugust(
    both(
      schema('v1/RequestPermissionOutcome', 'The user selected one of the provided options.'),
      schema(
        'v2/RequestPermissionOutcome',
        "The user selected one of the provided options. If `optionId` doesn't match an offered option, the agent MUST treat the request as not approved.",
      ),
    ),
    page(
      'v2/tool-calls#Requesting Permission',
      '`selected` with an `optionId` for the selected permission option',
    ),
  ),
  'perm/unknown-tool': page(
    'v1/tool-calls#Requesting Permission',
    'The tool call update containing details about the operation',
  ),
  'perm/title-pollution': page(
    'v2/migration#Permission requests',
    "In v1, agents routinely stuffed permission prompt text into the tool call's `title`, mutating displayed tool state as a side effect.",
  ),
  'perm/answer-after-cancel': page(
    'v1/prompt-turn#Cancellation',
    'The Client MUST respond to all pending `session/request_permission` requests with the `cancelled` outcome.',
  ),
  'perm/cancelled-alone': schema(
    'v1/RequestPermissionOutcome',
    'The prompt turn was cancelled before the user responded.',
  ),
  'perm/left-waiting': page(
    'v1/prompt-turn#4. Check for Completion',
    'If there are no pending tool calls, the turn ends and the Agent MUST respond to the original `session/prompt` request with a `StopReason`',
  ),
  'perm/withdrawn-answer': schema(
    'v2/RequestPermissionOutcome',
    'The client answers a request the agent cancels with `$/cancel_request` with this outcome.',
  ),
  'perm/withdraw-missing': schema(
    'v2/CancelSessionNotification',
    'It SHOULD cancel each of them with `$/cancel_request`.',
  ),
  'perm/proceed-anyway': inAugust(
    both(
      andOf(page('v1/tool-calls#Permission Options', 'Reject this operation only this time'), {
        unasked: schemas(
          'RequestPermissionRequest',
          'Sent when the agent needs authorization before performing a sensitive operation.',
        ),
      }),
      schema(
        'v2/RequestPermissionOutcome',
        'The request was not approved and no option was selected … Agents MUST NOT proceed with the operation.',
      ),
    ),
    page(
      'v2/tool-calls#Requesting Permission',
      'agents that do not understand the outcome MUST NOT treat it as approval.',
    ),
  ),
  'perm/late-resume': schema(
    'v2/StateUpdate',
    'Agents SHOULD ignore responses for work that has already ended rather than use them to resume it.',
  ),
  'fs/path': page(
    'v1/overview#Argument requirements',
    'All file paths in the protocol MUST be absolute. … Line numbers are 1-based',
  ),
  'fs/limit': page('v1/file-system#Reading Files', 'Optional maximum number of lines to read'),
  'fs/not-found': page(
    'v1/error#Unknown Sessions',
    'Clients SHOULD respond with -32002 when fs/read_text_file names a file that does not exist',
  ),
  'xterm/unknown': page(
    'v1/terminals#Releasing Terminals',
    'After release the terminal ID becomes invalid for all other `terminal/*` methods.',
  ),
  'xterm/unreleased': page(
    'v1/terminals#Executing Commands',
    "The Agent MUST release the terminal using `terminal/release` when it's no longer needed.",
  ),
  'xterm/embed-after-release': schema(
    'v1/Terminal',
    'The terminal must be added before calling `terminal/release`.',
  ),
  'xterm/output-limit': page(
    'v1/terminals#Executing Commands',
    'The Client MUST ensure truncation happens at a character boundary to maintain valid string output, even if this means the retained output is slightly less than the specified limit.',
  ),
  'xterm/exit-missing': page(
    'v1/terminals#Waiting for Exit',
    'The process exit code (may be null if terminated by signal) … The signal that terminated the process (may be null if exited normally)',
  ),
} satisfies Record<string, Source>;
