// The step that waits for a frame which a query matches, and says what came instead.
import { count } from '../../../lib/format-count.ts';
import { parseQuery } from '../../../model/query/query.ts';
import { capture } from '../capture.ts';
import { Failed, MOST_MS, PATIENCE_MS } from '../failed.ts';
import { fillText } from '../file/names.ts';
import type { Step } from '../file/scenario.ts';
import type { Stage } from '../stage.ts';
import { endWords, seenWords } from '../report/words.ts';

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
