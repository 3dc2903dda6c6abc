// The step that sends a request and waits for its answer, in v2 also for the end of a prompt's turn.
import { str } from '../../acp/json.ts';
import { capture } from './capture.ts';
import { Failed, MOST_MS, mustRun, PATIENCE_MS, unanswered } from './failed.ts';
import { fill, fillText } from './file/names.ts';
import type { Step } from './file/scenario.ts';
import { endWords, seenWords } from './report/words.ts';
import type { Stage } from './stage.ts';
import { endOfTurn } from '../turn.ts';
import { count } from '../../lib/format-count.ts';
import { parseQuery } from '../../model/query/query.ts';

const PROMPT_MS = 600_000;

/** Throws Failed. */
export async function takeRequest(
  stage: Stage,
  step: Extract<Step, { readonly kind: 'request' }>,
): Promise<void> {
  mustRun(stage);
  const { connection, names } = stage;
  const { method, fault, wait } = step;
  const params = fill(step.params, names);
  const isPrompt = method === 'session/prompt';
  const patience = Math.min(step.within ?? (isPrompt ? PROMPT_MS : PATIENCE_MS), MOST_MS);
  const from = connection.heard.length;
  stage.mark = from;
  const { answered } = stage.wire.during(fault, () => connection.ask(method, params, patience));
  const done = answered.then((asked) => {
    const { answer, answerSeq } = asked;
    const sessionId = answer?.kind === 'success' ? str(answer.result, 'sessionId') : undefined;
    if (sessionId !== undefined) names.set('$sessionId', sessionId);
    const heard = connection.heard.find(({ frame }) => frame.seq === answerSeq);
    if (heard) capture(names, step.capture, heard);
    return asked;
  });
  if (!wait) {
    // What it should have given is missed where its name is used.
    void done.catch(() => undefined);
    return;
  }
  const asked = await done;
  const { answer, requestSeq } = asked;
  if (answer === undefined) throw unanswered(stage, asked, patience);
  const isTaken = answer.kind === 'success' && str(answer.result, 'stopReason') === undefined;
  if (!isPrompt || !isTaken || connection.version !== 2) return;
  const turn = await endOfTurn(connection, str(params, 'sessionId') ?? '', asked, from, patience);
  if (turn.end !== undefined) return;
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
  stage: Stage,
  step: Extract<Step, { readonly kind: 'expect' }>,
): Promise<void> {
  const query = fillText(step.query, stage.names);
  const parsed = step.terms ? { ok: true as const, terms: step.terms } : parseQuery(query);
  if (!parsed.ok) throw new Failed(`The query ${query} cannot be read: ${parsed.problem.message}`);
  const patience = Math.min(step.within ?? PATIENCE_MS, MOST_MS);
  const { mark } = stage;
  const found = await stage.expect(parsed.terms, step.nth, patience);
  if (found) return capture(stage.names, step.capture, found);
  const { heard, exit } = stage.connection;
  const since = heard.slice(mark).filter(({ frame }) => frame.from === 'agent');
  const came =
    since.length === 0
      ? 'nothing came from the agent'
      : `${count(since.length, 'frame')} came from the agent, the last ${seenWords(since.at(-1))}`;
  const due = step.nth > 1 ? `Fewer than ${step.nth} frames matched` : 'No frame matched';
  const end = exit ? `before the agent ended (${endWords(exit)})` : `in ${patience} ms`;
  throw new Failed(
    `${due} ${query} ${end}; ${came}.`,
    since.slice(-1).map(({ frame }) => frame.seq),
  );
}
