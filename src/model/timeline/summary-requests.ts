// What a request or notification asks for, in one line.
import { arr, get, isObject, num, obj, objects, str } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import { count } from '../../lib/format.ts';
import { contentWords, type SummaryContext } from './summary-content.ts';
import { baseName, described, facts, oneLine, quoted, shortId } from '../words.ts';
import { askedToolCall } from '../facts/permission.ts';

export function requestWords(
  method: string,
  params: Json | undefined,
  { version, toolOf }: SummaryContext,
): string {
  const session = shortId(str(params, 'sessionId') ?? '');
  switch (method) {
    case 'initialize':
    case 'proxy/initialize':
      return handshakeWords(params, 'clientInfo', 'clientCapabilities');
    case 'authenticate':
    case 'auth/login':
      return oneLine(str(params, 'methodId') ?? 'no methodId');
    case 'session/new':
      return placeWords(params);
    case 'session/load':
    case 'session/fork':
      return facts(session, placeWords(params));
    case 'session/resume':
      return facts(session, cursorWords(params, version), placeWords(params));
    case 'session/list':
      return listWords(params);
    case 'session/prompt':
      return contentWords(get(params, 'prompt')) || 'an empty prompt';
    case 'session/set_mode':
      return `mode ${oneLine(str(params, 'modeId') ?? '')}`;
    case 'session/set_config_option':
      return facts(`${oneLine(str(params, 'configId') ?? '')} = ${scalar(get(params, 'value'))}`);
    case 'session/set_title':
      return quoted(str(params, 'title') ?? '');
    case 'session/request_permission': {
      const asked = facts(
        askedTitle(params, toolOf),
        count(arr(params, 'options').length, 'option'),
      );
      return asked;
    }
    case 'elicitation/create':
      return elicitationWords(params);
    case 'fs/read_text_file': {
      const line = num(params, 'line');
      const limit = num(params, 'limit');
      return facts(
        baseName(str(params, 'path') ?? ''),
        line !== undefined && `from line ${line}`,
        limit !== undefined && count(limit, 'line'),
      );
    }
    case 'fs/write_text_file': {
      const lines = (str(params, 'content') ?? '').split('\n').length;
      return facts(baseName(str(params, 'path') ?? ''), count(lines, 'line'));
    }
    case 'terminal/create': {
      const cwd = str(params, 'cwd');
      return facts(
        oneLine([str(params, 'command') ?? '', ...arr(params, 'args').map(scalar)].join(' ')),
        cwd !== undefined && `in ${baseName(cwd)}`,
      );
    }
    case 'terminal/output':
    case 'terminal/wait_for_exit':
    case 'terminal/kill':
    case 'terminal/release':
    case 'terminal/cancel':
      return shortId(str(params, 'terminalId') ?? '');
    case 'tool_call/cancel': {
      const id = str(params, 'toolCallId') ?? '';
      return oneLine(toolOf?.(id)?.title ?? shortId(id));
    }
    case 'mcp/message':
      return facts(str(params, 'method'), str(params, 'serverId'));
    case 'proxy/successor':
      return facts(str(params, 'method'));
    default:
      return facts(session) || described(params);
  }
}

export function notificationWords(method: string, params: Json | undefined): string {
  switch (method) {
    case 'session/update':
      return isObject(get(params, 'update')) ? 'an update without sessionUpdate' : 'no update';
    case 'session/cancel':
      return 'cancels the turn';
    case '$/cancel_request':
      return `cancels ${scalar(get(params, 'requestId'))}`;
    case 'elicitation/complete':
      return shortId(str(params, 'elicitationId') ?? '');
    case 'mcp/message':
      return facts(str(params, 'method'), str(params, 'serverId'));
    case 'proxy/successor':
      return facts(str(params, 'method'));
    default:
      return described(params);
  }
}

/**
 * `protocol 2 · claude-agent-acp 0.100.0 · offers auth, session`, of either side; the pane of the connection
 * tells them one by one, and counts them.
 */
export function handshakeWords(
  value: Json | undefined,
  info: string,
  capabilities: string,
): string {
  const party = obj(value, info) ?? obj(value, 'info');
  const name = str(party, 'name');
  const can = obj(value, capabilities) ?? obj(value, 'capabilities');
  const signIns = arr(value, 'authMethods').length;
  return facts(
    `protocol ${scalar(get(value, 'protocolVersion')) || 'not named'}`,
    name !== undefined && `${baseName(name)} ${oneLine(str(party, 'version') ?? '')}`.trim(),
    offeredWords(can),
    signIns > 0 && count(signIns, 'way to sign in', 'ways to sign in'),
  );
}

function offeredWords(capabilities: JsonObject = {}): string {
  const names = Object.entries(capabilities).flatMap(([name, marker]) =>
    name !== '_meta' && isOffered(marker) ? name.replace(/Capabilities$/, '') : [],
  );
  return oneLine(`offers ${names.join(', ') || 'nothing'}`);
}

/** `{}` is a yes; an object of refusals is none. */
function isOffered(marker: Json): boolean {
  if (!isObject(marker)) return marker !== null && marker !== false;
  const markers = Object.values(marker);
  return markers.length === 0 || markers.some(isOffered);
}

/** `replayFrom start`, `replayFrom _message msg_7`; in v2 leaving it out is said too. */
function cursorWords(params: Json | undefined, version: number | undefined): string | undefined {
  const cursor = get(params, 'replayFrom');
  if (cursor === undefined) return version === 2 ? 'replayFrom omitted' : undefined;
  if (!isObject(cursor)) return `replayFrom ${scalar(cursor)}`;
  const { type, ...rest } = cursor;
  const values = Object.values(rest).map(scalar).join(' ');
  return oneLine(`replayFrom ${type === undefined ? 'without a type' : scalar(type)} ${values}`);
}

function placeWords(params: Json | undefined): string {
  const cwd = str(params, 'cwd');
  const servers = arr(params, 'mcpServers').length;
  const more = arr(params, 'additionalDirectories').length;
  return facts(
    cwd !== undefined && baseName(cwd),
    servers > 0 && count(servers, 'MCP server'),
    more > 0 && count(more, 'more directory', 'more directories'),
  );
}

function listWords(params: Json | undefined): string {
  const cwd = str(params, 'cwd');
  const cursor = str(params, 'cursor');
  return facts(
    cursor === undefined ? 'first page' : `next page from ${shortId(cursor)}`,
    cwd !== undefined && `in ${baseName(cwd)}`,
  );
}

/** v2 gives the question a title; v1 asks about a tool call. */
function askedTitle(params: Json | undefined, toolOf: SummaryContext['toolOf']): string {
  const tool = askedToolCall(params);
  const title =
    str(params, 'title') ?? str(tool, 'title') ?? toolOf?.(str(tool, 'toolCallId') ?? '')?.title;
  return oneLine(title ?? 'permission');
}

function elicitationWords(params: Json | undefined): string {
  const fields = Object.keys(obj(get(params, 'requestedSchema'), 'properties') ?? {}).length;
  const url = str(params, 'url');
  return facts(
    quoted(str(params, 'message') ?? ''),
    str(params, 'mode') === 'form' && count(fields, 'field'),
    url !== undefined && oneLine(url, 80),
  );
}

/** A scalar as it is; what is nested, by its facts. */
function scalar(value: Json | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'object' && value !== null) return described(value);
  return oneLine(String(value), 80);
}

/** Titles of the sessions an answer lists, for the first few. */
export function listedWords(result: Json): string {
  const sessions = objects(result, 'sessions');
  const more = typeof get(result, 'nextCursor') === 'string';
  return facts(count(sessions.length, 'session'), more ? 'more to list' : 'end of list');
}
