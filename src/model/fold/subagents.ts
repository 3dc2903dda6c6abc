// Sessions that this one has made and owns (unstable), as `subagent_update` tells them: omitted
// leaves, `null` clears, a value replaces. The end of work does not end the bond.
import { arr, get, obj, str } from '../../acp/json.ts';
import type { JsonObject } from '../../acp/message.ts';
import { patchedMeta } from './meta.ts';
import type { Draft, FoldedFrame, Subagent } from './state.ts';

export function subagent(draft: Draft, update: JsonObject, { seq }: FoldedFrame): void {
  const sessionId = str(update, 'sessionId');
  if (sessionId === undefined) return;
  const before = draft.subagents.get(sessionId);
  /** `known`: undefined where the value is of a wrong type, which changes nothing. */
  const patched = <T>(key: string, known: T | undefined, old: T | undefined): T | undefined =>
    get(update, key) === null ? undefined : (known ?? old);
  const text = (key: string, old: string | undefined) => patched(key, str(update, key), old);
  const paths = arr(update, 'additionalDirectories').filter((path) => typeof path === 'string');
  const isListed = Array.isArray(get(update, 'additionalDirectories'));
  const agent: Subagent = {
    sessionId,
    title: text('title', before?.title),
    description: text('description', before?.description),
    allows: patched('capabilities', allowed(obj(update, 'capabilities')), before?.allows),
    state: patched('state', stateWords(obj(update, 'state')), before?.state),
    cwd: text('cwd', before?.cwd),
    directories: patched(
      'additionalDirectories',
      isListed ? paths : undefined,
      before?.directories,
    ),
    meta: patchedMeta(before?.meta, update, draft.version),
    first: before?.first ?? seq,
    last: seq,
  };
  draft.subagents = draft.subagents.set(sessionId, agent);
}

/** A restore was answered: what they do and allow is history until it is told anew. */
export function settleSubagents(draft: Draft): void {
  for (const agent of draft.subagents.values())
    draft.subagents = draft.subagents.set(agent.sessionId, {
      ...agent,
      allows: undefined,
      state: undefined,
    });
}

/** A snapshot: it replaces the one before whole. */
function stateWords(state: JsonObject | undefined): string | undefined {
  const words = [
    str(state, 'state'),
    str(state, 'stopReason'),
    str(get(state, 'error'), 'message'),
  ];
  return words.filter((word) => word !== undefined).join(' · ') || undefined;
}

function allowed(capabilities: JsonObject | undefined): readonly string[] | undefined {
  return (
    capabilities &&
    Object.keys(capabilities).filter((key) => key !== '_meta' && obj(capabilities, key))
  );
}

/** In the order they were announced. */
export function subagentList({ subagents }: Pick<Draft, 'subagents'>): readonly Subagent[] {
  return subagents.values().sort((a, b) => a.first - b.first);
}

/** Everything known of it, in one line. */
export function subagentWords(agent: Subagent): string {
  const { title, description, state, allows, cwd, directories, meta } = agent;
  const words = [
    state ?? 'activity not confirmed',
    title,
    description,
    allows && allows.length > 0 ? `allows ${allows.join(', ')}` : undefined,
    cwd,
    directories && `directories: ${directories.join(', ') || 'none'}`,
    meta && JSON.stringify(meta),
  ];
  return words.filter((word) => word !== undefined).join(' · ');
}
