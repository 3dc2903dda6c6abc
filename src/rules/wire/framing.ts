// Framing: what a line must be before it can be a message. Family `frame` of the catalogue.
import { isObject, parseJson, typeWords } from '../../acp/json.ts';
import { jsonFault } from '../../acp/json-fault.ts';
import { refusesArray, type Json } from '../../acp/message.ts';
import { otherSide, type Seq, type Side } from '../../trace/event.ts';
import { type Connection, fact } from '../connection.ts';
import { onEnd, onFrame, onOrphan, type Listener } from '../listen.ts';
import type { FrameStep } from '../steps.ts';
import {
  rulesOf,
  fail,
  judged,
  undecidable,
  type RuleFault,
  type Outcome,
  type Fold,
} from '../rule.ts';

const BOM = '\u{feff}';
/** Lines and characters that are joined to see whether a message was spread over them. */
const MAX_LINES = 500;
const MAX_TEXT = 1_000_000;
/** The rest of a text from the place where it stops being JSON, if more text could make it JSON. */
const CAN_CONTINUE = /^(?:|\\(?:u[\da-f]{0,3})?|tr?u?|fa?l?s?|nu?l?|-|\.|e[-+]?)$/i;

interface Part {
  readonly step: FrameStep;
  readonly text: string;
}

interface Parts {
  /** Lines in a row that may be one message printed over several; none of them is one by itself. */
  held: Part[];
  /** The message that the last line completed, on one line. */
  joined: string | undefined;
}

const parts = fact<Connection, Record<Side, Parts>>(() => ({
  client: { held: [], joined: undefined },
  agent: { held: [], joined: undefined },
}));

/** True if the text is the beginning of an object or an array in JSON. */
function isBeginning(text: string): boolean {
  if (!/^\s*[{[]/.test(text) || text.length > MAX_TEXT) return false;
  const fault = jsonFault(text);
  return fault !== undefined && CAN_CONTINUE.test(text.slice(fault.at));
}

function partOf(step: FrameStep, before: readonly Part[]): Part | undefined {
  const { message, frame } = step;
  if (message.kind !== 'invalid' || !('text' in frame.line)) return undefined;
  const text = frame.line.text.replace(/\r$/, '');
  if (before.length === 0)
    return message.reason === 'not-json' && isBeginning(text) ? { step, text } : undefined;
  // Inside of one a line may parse by itself: the last string of a list, or an empty object.
  if (message.reason === 'not-a-message' && isObject(message.value) && !isForeign(message.value))
    return undefined;
  const whole = before.reduce((sum, one) => sum + one.text.length, text.length);
  return before.length < MAX_LINES && whole <= MAX_TEXT ? { step, text } : undefined;
}

/** The line that these parts make; undefined if they are no JSON. */
function joined(before: readonly Part[], part: Part): string | undefined {
  if (before.length === 0 || !/[}\]]\s*$/.test(part.text)) return undefined;
  const text = [...before, part].map((one) => one.text).join('');
  return parseJson(text) === undefined ? undefined : text;
}

/** Where the message was cut, if JSON has no line break there. */
function cutIn(before: readonly Part[], part: Part): string | undefined {
  const fault = jsonFault([...before, part].map((one) => one.text).join('\n'));
  return fault && (fault.what.includes('string') ? 'a string' : 'a word');
}

export const partsFold: Fold = [
  onFrame((step, connection) => {
    const known = parts.of(connection)[step.from];
    const part = partOf(step, known.held);
    known.joined = part && joined(known.held, part);
    if (part === undefined || known.joined !== undefined) {
      if (known.held.length > 0) known.held = [];
    } else known.held.push(part);
  }),
];

/** The message that this side's last frame completed, which began in frames before it. */
export function joinedLine(connection: Connection, side: Side): string | undefined {
  return parts.of(connection)[side].joined;
}

/** Judges each line, once it is clear that it is not part of a message printed over several. */
function onLine(
  judge: (step: FrameStep) => RuleFault | 'pass' | undefined,
): readonly Listener<Outcome>[] {
  const earlier = (held: readonly Part[]): readonly RuleFault[] =>
    held.flatMap(({ step }) => {
      const said = judge(step);
      if (said === undefined || said === 'pass') return [];
      return { seqs: [step.seq], side: step.from, ...said };
    });
  return [
    onFrame((step, connection) => {
      const before = parts.of(connection)[step.from].held;
      if (partOf(step, before) !== undefined) return undefined;
      const said = judge(step);
      if (before.length === 0) return said;
      const faults = said === undefined || said === 'pass' ? [] : [said];
      return judged([...earlier(before), ...faults]);
    }),
    onEnd((_, connection) => {
      const { client, agent } = parts.of(connection);
      return [...earlier(client.held), ...earlier(agent.held)];
    }),
  ];
}

const FOREIGN = 'an object without `jsonrpc`, `id`, `method`, `result` and `error`: no message';
const MARKS = ['jsonrpc', 'id', 'method', 'result', 'error'] as const;

/** JSON that was never meant as a message: a line of a log. */
export function isForeign(value: Json | undefined): boolean {
  return isObject(value) && MARKS.every((name) => !Object.hasOwn(value, name));
}

/** What a batch of the August draft should not hold, since later messages depend on its answer. */
const ALONE: ReadonlySet<unknown> = new Set([
  'initialize',
  'auth/login',
  'session/new',
  'session/resume',
  'session/prompt',
]);

/** Batches that nobody refused so far, by who sent them. */
const batches = fact<Connection, Record<Side, Seq[]>>(() => ({ client: [], agent: [] }));

export const batchFold: Fold = [
  onFrame(({ message, from, seq }, connection) => {
    if (message.kind !== 'invalid' || message.reason !== 'batch') return;
    // Inside of a message printed over several lines, an empty list is none.
    if (parts.of(connection)[from].held.length === 0) batches.of(connection)[from].push(seq);
  }),
  onOrphan(({ from, message }, connection) => {
    if (refusesArray(message)) batches.of(connection)[otherSide(from)].shift();
  }),
];

const SURROGATE = /\\u[dD][89a-fA-F]/;
/** A pair of surrogates, or any other escape. */
const ESCAPES = /\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u....|\\./g;

/** Half of a character as JSON can write it: a surrogate without the other of its pair. */
function halfIn(text: string): string | undefined {
  if (!text.includes('\\u') || !SURROGATE.test(text)) return undefined;
  for (const [escape] of text.matchAll(ESCAPES))
    if (escape.length === 6 && SURROGATE.test(escape)) return escape;
  return undefined;
}

export const FRAMING = rulesOf({ side: 'sender', needs: 'nothing' })({
  'frame/not-json': {
    severity: 'error',
    clause: 'every line is one JSON-RPC message, and nothing else is written there',
    on: onLine(({ message }) => {
      if (message.kind !== 'invalid') return 'pass';
      if (message.reason === 'not-json') return fail(message.why);
      if (message.reason === 'not-a-message' && isForeign(message.value)) return fail(FOREIGN);
      return message.reason === 'blank' ? fail('a blank line', { severity: 'hint' }) : undefined;
    }),
  },
  'frame/utf8': {
    severity: 'error',
    clause: 'messages are UTF-8 without a byte order mark',
    on: onFrame(({ message, frame: { line } }) => {
      if (message.kind === 'invalid' && message.reason === 'not-utf8')
        return fail('bytes that are not UTF-8');
      if ('text' in line && line.text.startsWith(BOM))
        return fail('a byte order mark (EF BB BF) before the message');
      const half = 'text' in line && message.kind !== 'invalid' ? halfIn(line.text) : undefined;
      if (half === undefined) return 'pass';
      return fail(`\`${half}\`, half of a character, for which many readers refuse the line`, {
        due: 'a text is cut between two characters, not by its UTF-16 units',
        severity: 'warning',
      });
    }),
  },
  'frame/embedded-newline': {
    severity: 'error',
    clause: 'a message stands on one line',
    on: onFrame((step, connection) => {
      const before = parts.of(connection)[step.from].held;
      const part = partOf(step, before);
      if (part === undefined) return step.message.kind === 'invalid' ? undefined : 'pass';
      if (joined(before, part) === undefined) return undefined;
      const seqs = [...before, part].map((one) => one.step.seq);
      const cut = cutIn(before, part);
      if (cut === undefined)
        return fail(`one JSON value printed over ${seqs.length} lines`, { seqs });
      const pieces = seqs.length === 2 ? 'the two halves' : `the ${seqs.length} parts`;
      return fail(`${pieces} of one message, cut inside ${cut}`, { seqs });
    }),
  },
  'frame/not-object': {
    severity: 'error',
    clause: 'a message is a JSON object',
    on: onLine(({ message }) => {
      if (message.kind !== 'invalid') return 'pass';
      const { value, reason } = message;
      if (reason !== 'not-a-message' || (typeof value === 'object' && value !== null))
        return undefined;
      return fail(`a message that is ${typeWords(value)}`);
    }),
  },
  'frame/batch': {
    severity: 'error',
    clause: 'a line holds one message, not an array of them',
    on: onLine(({ message }) => {
      if (message.kind !== 'invalid') return 'pass';
      if (message.reason !== 'batch') return undefined;
      const items: readonly unknown[] = Array.isArray(message.value) ? message.value : [];
      const methods = items.map((item) => (item as { method?: unknown } | null)?.method);
      const alone = methods.find((method) => ALONE.has(method));
      const words = alone === undefined ? '' : `, \`${String(alone)}\` among them`;
      return fail(
        `an array of ${items.length}${words}`,
        alone === undefined ? { point: 'harmless' } : {},
      );
    }),
  },
  'frame/batch-reply': {
    side: 'receiver',
    severity: 'warning',
    clause: 'an array is refused once, with -32600 and a null id',
    on: [
      onOrphan(({ from, message }, connection) => {
        if (!refusesArray(message)) return undefined;
        return batches.of(connection)[otherSide(from)].length > 0 ? 'pass' : undefined;
      }),
      onEnd((_, connection) => {
        const { client, agent } = batches.of(connection);
        const unanswered = (seqs: readonly Seq[], side: Side, last: Seq | undefined) =>
          seqs.map((seq) =>
            last !== undefined && last > seq
              ? fail('no error for the array', { seqs: [seq], side })
              : undecidable(
                  'the trace ends with the array',
                  'a recording in which the other side speaks after it',
                  { seqs: [seq], side },
                ),
          );
        return [
          ...unanswered(client, 'agent', connection.last.agent?.seq),
          ...unanswered(agent, 'client', connection.last.client?.seq),
        ];
      }),
    ],
  },
  'frame/unterminated': {
    severity: 'hint',
    clause: 'every message ends in a line feed; strict readers lose the last one without',
    on: onFrame(({ frame }) =>
      frame.cut ? fail('the stream ended before the line feed') : 'pass',
    ),
  },
});
