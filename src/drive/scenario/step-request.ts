// The step that sends a request and waits for its answer, in v2 also for the end of a prompt's turn.
import { endWords } from '../peer.ts';
import { str, parseJson } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import { fill, fillText } from './file/names.ts';
import { pointerParts, valueAt } from '../../acp/json-pointer.ts';
import type { ScenarioStep, Captures } from './file/scenario.ts';
import { heardWords } from './report/words.ts';
import { Failed, MOST_MS, mustRun, unanswered, type ScenarioStage } from './stage.ts';
import type { Timers } from '../timers.ts';
import { count } from '../../lib/format.ts';
import { parseQuery } from '../../model/query/parse.ts';
import { errorWords } from '../../model/words.ts';
import type { Frame } from '../../trace/event.ts';
import { lineText } from '../../trace/line.ts';

const PROMPT_MS = 600_000;

/** Throws Failed. */
export async function takeRequest(
  stage: ScenarioStage,
  step: Extract<ScenarioStep, { readonly kind: 'request' }>,
): Promise<void> {
  mustRun(stage);
  const { connection, names } = stage;
  const { method, fault, wait } = step;
  const params = fill(step.params, names);
  const isPrompt = method === 'session/prompt';
  const patience = Math.min(step.within ?? (isPrompt ? PROMPT_MS : stage.patience.ms), MOST_MS);
  stage.markNow();
  const { answered } = stage.wire.during(fault, () => connection.ask(method, params, patience));
  const done = answered.then((asked) => {
    const { answer, answerFrame } = asked;
    const sessionId = answer?.kind === 'success' ? str(answer.result, 'sessionId') : undefined;
    if (sessionId !== undefined) names.set('$sessionId', sessionId);
    if (answerFrame) capture(names, step.capture, answerFrame);
    return asked;
  });
  if (!wait) {
    // What it should have given is missed where its name is used.
    void done.then(
      ({ refusal }) => refusal !== undefined && connection.notes.push(`${method}: ${refusal}`),
      () => undefined,
    );
    return;
  }
  const asked = await done;
  const { answer, requestSeq, answerSeq } = asked;
  if (answer === undefined) throw unanswered(stage, asked, patience);
  if (step.mustSucceed && answer.kind === 'failure')
    throw new Failed(
      `${method} failed: ${errorWords(answer.error)}.`,
      answerSeq === undefined ? [] : [answerSeq],
    );
  const isTaken = answer.kind === 'success' && str(answer.result, 'stopReason') === undefined;
  if (!isPrompt || !isTaken || connection.version !== 2) return;
  if (await connection.until(() => stage.isOver(requestSeq), patience)) return;
  const { exit } = connection;
  throw new Failed(
    exit
      ? `The agent ended (${endWords(exit)}) in the middle of the turn.`
      : `The turn was not over after ${patience} ms.`,
    requestSeq === undefined ? [] : [requestSeq],
  );
}

// The step that waits for a frame which a query matches, and says what came instead.

/** Throws Failed. */
export async function takeExpect(
  stage: ScenarioStage,
  step: Extract<ScenarioStep, { readonly kind: 'expect' }>,
): Promise<void> {
  const query = fillText(step.query, stage.names);
  const parsed = step.parts ? { ok: true as const, query: step.parts } : parseQuery(query);
  if (!parsed.ok) throw new Failed(`The query ${query} cannot be read: ${parsed.problem.message}`);
  const patience = Math.min(step.within ?? stage.patience.ms, MOST_MS);
  const found = await stage.expect(parsed.query, step.nth, patience);
  if (found) return capture(stage.names, step.capture, found.frame);
  const { exit } = stage.connection;
  const since = stage.heardSinceMark().filter(({ frame }) => frame.from === 'agent');
  const came =
    since.length === 0
      ? 'nothing came from the agent'
      : `${count(since.length, 'frame')} came from the agent, the last ${heardWords(since.at(-1))}`;
  const due = step.nth > 1 ? `Fewer than ${step.nth} frames matched` : 'No frame matched';
  const end = exit ? `before the agent ended (${endWords(exit)})` : `in ${patience} ms`;
  throw new Failed(
    `${due} ${query} ${end}; ${came}.`,
    since.slice(-1).map(({ frame }) => frame.seq),
  );
}

// Takes values out of a frame for the steps that follow.

/** Throws Failed where nothing stands there. */
function capture(names: Map<string, Json>, captures: Captures, frame: Frame): void {
  const message = parseJson(lineText(frame.line));
  for (const { name, pointer } of captures) {
    const value = message === undefined ? undefined : valueAt(message, pointerParts(pointer));
    if (value === undefined)
      throw new Failed(`#${frame.seq} has nothing at ${pointer} to be ${name}.`, [frame.seq]);
    names.set(name, value);
  }
}

// What a run waits for, so that whoever stops it need not wait too.

/** What waits when it is stopped never ends; what begins to wait afterwards does. */
export function stoppable(timers: Timers, stop: AbortSignal | undefined): Timers {
  if (stop === undefined) return timers;
  const waiting = new Set<() => void>();
  stop.addEventListener('abort', () => {
    for (const callOff of waiting) callOff();
    waiting.clear();
  });
  return {
    now: () => timers.now(),
    later(ms, run) {
      const callOff = timers.later(ms, () => {
        waiting.delete(callOff);
        run();
      });
      if (!stop.aborted) waiting.add(callOff);
      return () => {
        waiting.delete(callOff);
        callOff();
      };
    },
  };
}

/** Throws Failed as soon as it is stopped. */
export async function unlessStopped<T>(
  doing: Promise<T>,
  stop: AbortSignal | undefined,
): Promise<T> {
  if (stop === undefined) return doing;
  let heed: () => void = () => undefined;
  const stopped = new Promise<never>((_, reject) => {
    heed = () => reject(new Failed('The run was stopped.'));
    if (stop.aborted) heed();
    stop.addEventListener('abort', heed);
  });
  try {
    return await Promise.race([doing, stopped]);
  } finally {
    stop.removeEventListener('abort', heed);
  }
}
