// Reconnect truth: what was open when a connection was cut, and what the next ones say became of it.
// Only frames decide; where they say nothing, nothing can be known, and the words say why.
import { obj, str } from '../../acp/json.ts';
import { isFinal } from '../../acp/update.ts';
import { messageOf } from '../../model/timeline/digest.ts';
import { openRequests, reduce } from '../../model/fold/reduce.ts';
import { freshState, type SessionState } from '../../model/fold/state.ts';
import { FLAG } from '../../model/columns.ts';
import { oneLine } from '../../model/words.ts';
import type { IndexedTrace } from '../../model/indexed-trace.ts';
import type { Seq } from '../../trace/event.ts';
import { seenAfter, type LabFrame, type SeenAfter, type SeenAgain } from './seen-after.ts';
import { promptText } from '../../model/facts/message-text.ts';

export type OpenKind = 'turn' | 'permission' | 'request' | 'tool' | 'terminal' | 'background';
export type Fate = 'seen again' | 'settled' | 'silently gone' | 'cannot be known';

export interface OpenThing {
  readonly kind: OpenKind;
  /** What a person calls it. */
  readonly words: string;
  readonly fate: Fate;
  /** One clause: what the frames say, or why they do not. */
  readonly why: string;
  readonly before: readonly LabFrame[];
  readonly after: readonly LabFrame[];
}

export interface ReconnectTruth {
  readonly open: readonly OpenThing[];
  /** Whether the restored session took a prompt. */
  readonly takesPrompts: SeenAfter['prompt']['answer'];
  readonly prompt: LabFrame | undefined;
}

/** `before`: the connection that was cut; `after`: those since, in order. */
export function reconnectTruth(
  before: IndexedTrace,
  after: readonly IndexedTrace[],
  sessionId: string,
): ReconnectTruth {
  const state = stateBeforeEnd(before, sessionId);
  const seen = seenAfter(after, sessionId);
  const at = (seq: number): LabFrame => ({ connection: before.connection, seq: seq as Seq });
  const things = [
    ...turnOf(state, seen, at),
    ...requestsOf(state, seen, at),
    ...toolsOf(state, seen, at),
    ...terminalsOf(state, seen, at),
    ...backgroundOf(state, seen, at),
  ];
  return { open: things, takesPrompts: seen.prompt.answer, prompt: seen.prompt.frame };
}

/** With every frame, and without the end itself, which settles nothing but forgets what is open. */
function stateBeforeEnd({ index, eventAt }: IndexedTrace, sessionId: string): SessionState {
  const { columns } = index;
  let state = freshState(sessionId, index.version);
  for (let place = 0; place < index.length; place++) {
    const event = eventAt(place);
    if (event.type !== 'frame') continue;
    const flags = { replay: columns.has(place, FLAG.replay), late: columns.has(place, FLAG.late) };
    state = reduce(state, event, messageOf(event), flags);
  }
  return state;
}

type At = (seq: number) => LabFrame;

function turnOf(state: SessionState, seen: SeenAfter, at: At): OpenThing[] {
  const prompts = openRequests(state).filter(({ request }) => request.method === 'session/prompt');
  const runs = state.version === 2 && state.activity?.value.state !== 'idle';
  if (prompts.length === 0 && !(runs && state.activity)) return [];
  const prompt = prompts.at(-1);
  const text = oneLine(promptText(prompt?.request.params), 60).replace(/…$/, '');
  const before = [prompt?.seq ?? state.activity?.seq ?? 0].map(at);
  const thing = (fate: Fate, why: string, after: readonly LabFrame[] = []): OpenThing[] => [
    {
      kind: 'turn',
      words: text === '' ? 'a turn' : `the turn “${text}”`,
      fate,
      why,
      before,
      after,
    },
  ];
  if (!seen.restored) return thing('cannot be known', 'the session was not restored');
  if (seen.live) return thing('seen again', 'updates go on without a new prompt', [seen.live]);
  const told = seen.state;
  if (told) {
    const isOver = told.state === 'idle';
    const why = isOver ? 'the agent says that it is idle' : `the agent says ${told.state}`;
    return thing(isOver ? 'settled' : 'seen again', why, [told.frame]);
  }
  if (seen.replay === undefined)
    return thing(
      'cannot be known',
      'nothing was replayed, and v1 does not say whether a turn runs',
    );
  const user = text === '' ? undefined : seen.userTexts.find(({ said }) => said.includes(text));
  if (text !== '' && user === undefined)
    return thing('silently gone', 'the replay does not hold its prompt', [seen.replay]);
  return thing(
    'cannot be known',
    'its prompt was replayed; v1 does not say whether the turn runs',
    user ? [user.frame] : [],
  );
}

function requestsOf(state: SessionState, seen: SeenAfter, at: At): OpenThing[] {
  return openRequests(state)
    .filter(({ from }) => from === 'agent')
    .map(({ request, seq }) => {
      const { method, params } = request;
      const tool = obj(params, 'toolCall') ?? obj(obj(params, 'subject'), 'toolCall');
      const id = str(tool, 'toolCallId');
      const isPermission = method === 'session/request_permission';
      const title = str(tool, 'title') ?? str(params, 'title') ?? str(params, 'message');
      const words = `${isPermission ? 'the permission request' : method}${title === undefined ? '' : ` for “${oneLine(title, 60)}”`}`;
      const kind: OpenKind = isPermission ? 'permission' : 'request';
      const thing = (fate: Fate, why: string, after: readonly LabFrame[] = []): OpenThing => ({
        kind,
        words,
        fate,
        why,
        before: [at(seq)],
        after,
      });
      const again = seen.requests.find((one) => one.method === method && one.toolCallId === id);
      if (again) return thing('seen again', 'asked again', [again.frame]);
      const about = id === undefined ? undefined : seen.tools.get(id);
      if (about?.isOver) return thing('settled', `its tool call is ${about.status}`, [about.frame]);
      if (seen.replay === undefined)
        return thing('cannot be known', 'nothing was replayed that could tell');
      if (about)
        return thing('silently gone', `its tool call is ${about.status}, and nobody asks`, [
          about.frame,
        ]);
      return thing('silently gone', 'not asked again, and nothing replayed tells of it', [
        seen.replay,
      ]);
    });
}

function toolsOf(state: SessionState, seen: SeenAfter, at: At): OpenThing[] {
  return state.items.slice(0, state.items.length).flatMap(({ body, first, last }) => {
    if (body.type !== 'tool' || isFinal(body.status)) return [];
    const { toolCallId, status, title, name } = body;
    const again = seen.tools.get(toolCallId);
    const words = `the tool call “${oneLine(title ?? name ?? toolCallId, 60)}”, ${status}`;
    const before = first === last ? [at(first)] : [at(first), at(last)];
    return [{ kind: 'tool', words, before, ...fateOf(again, seen, 'tool call') }];
  });
}

function terminalsOf(state: SessionState, seen: SeenAfter, at: At): OpenThing[] {
  // Terminals of v1 are the client's own, and end with it.
  if (state.version !== 2) return [];
  const { list } = state.terminals;
  return list.slice(0, list.length).flatMap(({ terminalId, command, exit, first, last }) => {
    if (exit !== undefined) return [];
    const again = seen.terminals.get(terminalId);
    const words = `the terminal “${oneLine(command ?? terminalId, 60)}”`;
    const before = first === last ? [at(first)] : [at(first), at(last)];
    return [{ kind: 'terminal', words, before, ...fateOf(again, seen, 'terminal') }];
  });
}

function backgroundOf(state: SessionState, seen: SeenAfter, at: At): OpenThing[] {
  const listed = state.background;
  return (listed?.value ?? []).map(({ type, id }) => {
    const base = {
      kind: 'background',
      words: `background work: ${type} ${id}`,
      before: [at(listed?.seq ?? 0)],
    } as const;
    const now = seen.background;
    if (now?.ids.has(id))
      return { ...base, fate: 'seen again', why: 'listed again', after: [now.frame] } as const;
    const again = seen.tools.get(id) ?? seen.terminals.get(id);
    if (again?.isOver)
      return {
        ...base,
        fate: 'settled',
        why: `it is ${again.status}`,
        after: [again.frame],
      } as const;
    if (now)
      return {
        ...base,
        fate: 'silently gone',
        why: 'no longer listed, and not ended',
        after: [now.frame],
      } as const;
    return {
      ...base,
      fate: 'cannot be known',
      why: 'background work was not reported',
      after: [],
    } as const;
  });
}

function fateOf(
  again: SeenAgain | undefined,
  { replay }: SeenAfter,
  what: string,
): Pick<OpenThing, 'fate' | 'why' | 'after'> {
  if (again) {
    const { status, isOver, frame } = again;
    return {
      fate: isOver ? 'settled' : 'seen again',
      why: `it is ${status}`,
      after: [frame],
    };
  }
  if (replay)
    return { fate: 'silently gone', why: `the replay does not hold this ${what}`, after: [replay] };
  return { fate: 'cannot be known', why: 'nothing was replayed that could tell', after: [] };
}
