// Prompts: what they hold, one at a time in v1, and what a turn leaves behind. Family `prompt` of the
// catalogue; how a v2 agent says that a prompt is in stands in prompt-echo.ts.
import { get, isArray, str } from '../../acp/json.ts';
import { agentEnd } from '../../trace/agent-end.ts';
import type { Seq } from '../../trace/event.ts';
import type { Connection } from '../connection.ts';
import type { Severity } from '../finding.ts';
import { onAnswer, onRequest, onUpdate, onEndOfEach } from '../listen.ts';
import type { UpdateStep } from '../steps.ts';
import { catalogue, fail, quoteAll, type RuleFault } from '../rule.ts';
import { isChild } from '../children/child-facts.ts';
import { isReplay, toolCalls } from '../work/tool-facts.ts';
import { isSilent, isWorking, OUTPUT, turnOf, type TurnRecord } from './turn-facts.ts';

/** Agents that take prompts in while they work say so in `_meta`, each in its own words. */
function announcesQueue({ agentCapabilities }: Connection): boolean {
  const meta = get(agentCapabilities, '_meta');
  return meta !== undefined && /queue/i.test(JSON.stringify(meta));
}

type TurnEnded = NonNullable<TurnRecord['ended']>;

/** True if an update continues something that the ended turn began; undefined: nobody knows. */
function isOfTurn({ item, itemId, session }: UpdateStep, ended: TurnEnded): boolean | undefined {
  if (itemId === undefined) return undefined;
  if (item !== 'tool') return ended.message === itemId;
  return (toolCalls.of(session).get(itemId)?.first ?? Infinity) < ended.seq;
}

const CONTINUED = new Map<boolean | undefined, Severity>([
  [true, 'error'],
  [undefined, 'warning'],
]);

/** Work that an agent begins by itself, such as the report on a command in the background. */
const OWN_WORK = {
  point: 'own work',
  due: 'updates come within a turn: v1 has no word for work that an agent begins, and a client may not show it',
} as const;

function overlap(waiting: Seq, next: Seq, connection: Connection): RuleFault {
  return fail(`a prompt while #${waiting} waits for its answer`, {
    seqs: [waiting, next],
    ...(announcesQueue(connection) ? { severity: 'hint' } : {}),
  });
}

export const PROMPTS = catalogue({
  'prompt/empty': {
    side: 'client',
    severity: 'error',
    clause: 'a prompt holds at least one block',
    on: onRequest(['session/prompt'], ({ params, from }) => {
      const prompt = get(params, 'prompt');
      if (from !== 'client' || !isArray(prompt)) return undefined;
      return prompt.length > 0 ? 'pass' : fail('an empty `prompt`', '/params/prompt');
    }),
  },
  'prompt/overlap': {
    gaps: 'since',
    versions: [1],
    side: 'client',
    severity: 'warning',
    clause: 'v1 has one turn at a time: the next prompt waits for the answer to the last',
    on: [
      onRequest(['session/prompt'], ({ session, from, seq, at }, connection) => {
        if (session === undefined || from !== 'client') return undefined;
        const { open } = turnOf.of(session);
        if (open.length === 0) return 'pass';
        // A client does not wait for a turn after which others have ended: rpc/response-missing.
        const waiting = open.find(({ passedBy }) => passedBy.length === 0);
        if (waiting === undefined || isSilent(waiting, at, connection)) return undefined;
        return overlap(waiting.asked.seq, seq, connection);
      }),
      // The agent was silent for long, but had not lost the turn.
      onAnswer(['session/prompt'], ({ session, asked }, connection) => {
        const prompt = session && turnOf.of(session).open.find((one) => one.asked === asked);
        if (prompt?.retry === undefined) return undefined;
        return overlap(asked.seq, prompt.retry, connection);
      }),
    ],
  },
  'prompt/update-after-turn': {
    versions: [1],
    side: 'agent',
    severity: 'hint',
    clause: 'what a turn has to say comes before the answer that ends it',
    on: onUpdate(OUTPUT, (step) => {
      const { session, seq, variant } = step;
      const turn = turnOf.of(session);
      if (turn.open.length > 0) return 'pass';
      const { ended } = turn;
      if (ended === undefined || step.window !== undefined || isReplay(step)) return undefined;
      if (session.closed !== undefined) return undefined;
      const words = `after #${ended.seq} ended the ${ended.cancelled ? 'cancelled ' : ''}turn`;
      const seqs = [ended.seq, seq];
      const isContinued = isOfTurn(step, ended);
      if (isContinued === false)
        return fail(`\`${variant}\` of new work ${words}, without a prompt`, {
          seqs,
          ...OWN_WORK,
        });
      const severity = ended.cancelled ? CONTINUED.get(isContinued) : undefined;
      return fail(`\`${variant}\` ${words}`, { seqs, ...(severity && { severity }) });
    }),
  },
  'prompt/open-tools-at-end': {
    gaps: 'since',
    versions: [1],
    side: 'agent',
    severity: 'warning',
    clause: 'tool calls are completed or failed when their turn ends',
    on: onAnswer(['session/prompt'], ({ session, result, seq }) => {
      if (session === undefined || str(result, 'stopReason') !== 'end_turn') return undefined;
      const { tools, open } = turnOf.of(session);
      // Of several turns at once nobody knows whose they are.
      if (open.length > 1) return undefined;
      if (tools.size === 0) return 'pass';
      return fail(`the turn ends, and ${quoteAll([...tools.keys()])} did not`, {
        seqs: [...tools.values(), seq],
      });
    }),
  },
  'prompt/client-waits-answer': {
    versions: [2],
    side: 'client',
    severity: 'hint',
    clause: 'the answer to a prompt only says that it is in; its work ends with an idle state',
    on: [
      onRequest(['session/close'], ({ session, from, seq }) => {
        if (session === undefined || from !== 'client') return undefined;
        const turn = turnOf.of(session);
        if (turn.cancel !== undefined) return undefined;
        if (!isWorking(session) || turn.stateSeq === undefined) return 'pass';
        return fail(
          `the session is closed while its work goes on (${session.activity.own ?? ''})`,
          {
            seqs: [turn.stateSeq, seq],
          },
        );
      }),
      onEndOfEach((session, { exit }) => {
        // An agent that exits in order does so because its client left.
        if (!exit || !agentEnd(exit).isOrderly) return [];
        const { stateSeq, cancel } = turnOf.of(session);
        const { own: state } = session.activity;
        // Nobody waits for a prompt of a child: its parent gave it the work.
        const isAtWork = state === 'running' && cancel === undefined && !isChild(session);
        if (!isAtWork || stateSeq === undefined || session.closed !== undefined) return [];
        return [
          fail(`the connection ends while its work goes on (${state})`, {
            seqs: [stateSeq],
            side: 'client',
            session: session.id,
            method: 'session/update',
          }),
        ];
      }),
    ],
  },
});
