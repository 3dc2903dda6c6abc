// What is odd about a message being written, with the place in the text. Warnings only: whatever
// they say, the message can be sent.
import { jsonFault } from '../../acp/json-fault.ts';
import { parseMessage, type Message } from '../../acp/message.ts';
import type { Version } from '../../acp/methods.ts';
import { pointerParts } from '../../acp/json-pointer.ts';
import { sessionIdOf } from '../../acp/update.ts';
import { fillPlaceholders, type PlaceholderValues } from '../../state/connections/placeholders.ts';
import type { SessionFacts } from '../../model/facts/facts-view.ts';
import type { Side } from '../../trace/event.ts';
import { jsonEntries, rootSpan, type JsonSpan } from '../../lib/json-text.ts';

export interface Diagnosis {
  readonly from: number;
  readonly to: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

/**
 * `requestMethod`: of the request that a response answers, where it is known. `sessions`: of the
 * connection, some of which may be children. `from`: who says it. `whole`: the text with what it lacks to be a
 * message of its kind. `values`: the message that goes out has these in place of its placeholders.
 */
export async function diagnose(
  text: string,
  version: Version,
  requestMethod: string | undefined,
  sessions: readonly SessionFacts[] = [],
  from: Side = 'client',
  whole = text,
  values: PlaceholderValues = {},
): Promise<readonly Diagnosis[]> {
  if (text.trim() === '') return [];
  const fault = jsonFault(text);
  if (fault) {
    const at = Math.min(fault.at, Math.max(0, text.length - 1));
    const to = Math.min(text.length, at + 1);
    return [{ from: at, to, severity: 'error', message: fault.what }];
  }
  const { checkMessage } = await import('../../acp/schema/check.ts');
  const parse = (json: string) => parseMessage(fillPlaceholders(json, values).text);
  const parsed = parse(text);
  // What is wrong with the rest is told too where it lacks what makes it a message.
  const meant = whole === text ? parsed : parse(whole);
  const warnings = [
    ...(await checkMessage(version, from, parsed, requestMethod)),
    ...(meant === parsed ? [] : await checkMessage(version, from, meant, requestMethod)),
    ...(from === 'client' ? ofChild(meant, sessions) : []),
  ];
  return warnings.map(({ pointer, message }) => ({
    ...pointerRange(text, pointer),
    severity: 'warning',
    message: message.replaceAll('`', ''),
  }));
}

/** A child session takes nothing but a cancel, where it allows that. */
function ofChild(message: Message, sessions: readonly SessionFacts[]) {
  if (message.kind !== 'request' && message.kind !== 'notification') return [];
  const id = sessionIdOf(message.params);
  const child = sessions.find(({ sessionId, parent }) => sessionId === id && parent !== undefined);
  const isCancel = message.method === 'session/cancel';
  if (child === undefined || (isCancel && child.cancels)) return [];
  const why = isCancel
    ? `${child.chip} is a child session that does not let its work be cancelled`
    : `${child.chip} is a child session: a client asks nothing of it but to cancel its work`;
  return [{ pointer: '/params/sessionId', message: why }];
}

/** The value a JSON Pointer names; of an object or array, its opening sign. */
export function pointerRange(
  text: string,
  pointer: string,
): { readonly from: number; readonly to: number } {
  let span: JsonSpan = rootSpan(text);
  for (const step of pointerParts(pointer)) {
    const found = [...jsonEntries(text, span)].findLast(
      ({ key, index }) => (key ?? String(index)) === step,
    );
    if (!found) break;
    span = found;
  }
  const container = span.kind === 'object' || span.kind === 'array';
  return { from: span.start, to: container ? span.start + 1 : span.end };
}
