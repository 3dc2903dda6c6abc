// What a restore does to the state: its answer, and the history that may come before it.
import { str } from '../../acp/json.ts';
import type { Failure, Success } from '../../acp/message.ts';
import { isAbsolutePath } from '../../lib/absolute-path.ts';
import { failureWords, quiet } from '../sessions/conversation-words.ts';
import { NO_ECHOES } from '../facts/echo.ts';
import { clearItems, note } from './items.ts';
import { begin } from './settings.ts';
import type { Draft, FoldedFrame, Life, Restoring, WaitingRequest } from './state.ts';
import { settleSubagents } from './subagents.ts';

/** A restore is answered. */
export function restored(
  draft: Draft,
  asked: WaitingRequest,
  message: Success | Failure,
  place: FoldedFrame,
): void {
  const restoring = draft.restoring.find(({ seq }) => seq === asked.seq);
  draft.restoring = draft.restoring.filter(({ seq }) => seq !== asked.seq);
  const { method, params } = asked.request;
  if (message.kind === 'failure') return note(draft, failureWords(method, message), place);
  begin(draft, message.result, place);
  settleSubagents(draft);
  // An agent may restore with a cwd that is not the session's.
  const tried = str(params, 'cwd');
  const isBest = draft.cwd === undefined && tried !== undefined && isAbsolutePath(tried);
  lives(draft, 'active', isBest ? tried : undefined, place);
  if (restoring?.replayed) return;
  if (restoring) rebuild(draft, restoring);
  note(draft, quiet(`Restored by ${method}, without history`), place);
}

/** What is known of its life, and with it of its folder. */
export function lives(
  draft: Draft,
  value: Life,
  cwd: string | undefined,
  { seq }: FoldedFrame,
): void {
  draft.life = { value, seq };
  if (cwd !== undefined && cwd !== draft.cwd?.value) draft.cwd = { value: cwd, seq };
  if (value === 'active') draft.activity ??= { value: { state: 'idle' }, seq };
  else rest(draft);
}

/** No work goes on in a session that is closed or deleted. What is restored later reports anew. */
function rest(draft: Draft): void {
  if (draft.activity?.value.state !== 'idle') draft.activity = undefined;
  draft.background = undefined;
  draft.prompted &&= draft.prompts > 0;
}

/** The first history of a restore. */
export function replayBegins(draft: Draft, restoring: Restoring): void {
  if (restoring.replayed) return;
  draft.restoring = draft.restoring.map((other) =>
    other.seq === restoring.seq ? { ...other, replayed: true } : other,
  );
  rebuild(draft, restoring);
}

/** What `session/load` brings takes the place of everything known. */
function rebuild(draft: Draft, { method }: Restoring): void {
  if (method !== 'session/load') return;
  clearItems(draft);
  draft.echoes = NO_ECHOES;
  draft.echo = undefined;
  draft.plans = [];
  draft.turnPlan = undefined;
  draft.toolCounts = [];
}
