// The steps of a scenario as rows of a form, read from its text and written back into it: only what is
// changed is another text, all else stays as it stands, fields that the form does not know too.
import { parseJson } from '../../acp/json.ts';
import {
  compactJson,
  jsonEntries,
  rootSpan,
  stringAt,
  type JsonEntry,
} from '../../lib/json-text.ts';

interface StepRow {
  /** The word it begins with; empty: it has none that is known. */
  readonly kind: string;
  /** What stands under that word: a text as it reads, anything else as JSON. */
  readonly what: string;
  /** What is sent with it, as compact JSON; undefined: a step of this kind sends nothing. */
  readonly params: string | undefined;
  /** Milliseconds, as they stand; empty: nothing is said. Undefined: the kind has no time. */
  readonly time: string | undefined;
}

/** Where a step of each kind keeps its time. */
const TIMES: Readonly<Record<string, string>> = {
  ...{ request: 'within', expect: 'within', answer: 'late', quiet: 'quiet', wait: 'wait' },
};
const SENDS = ['request', 'notify'];
/** What a step of this kind says at first. */
const FIRST: Readonly<Record<string, string>> = {
  ...{ request: '"session/new"', notify: '"session/cancel"', line: '"{}"' },
  ...{ expect: '"side:agent"', answer: '"session/request_permission"', kill: '"SIGKILL"' },
  ...{ quiet: '500', wait: '500', cut: 'true', restart: 'true', intercept: '["slow"]' },
};

/** Undefined: the text is not JSON with a list of steps. */
export function stepRows(text: string): readonly StepRow[] | undefined {
  return stepsIn(text)?.map((step) => {
    const fields = [...jsonEntries(text, step)];
    const main = fields.find(({ key }) => key !== undefined && key in FIRST);
    const kind = main?.key ?? '';
    const timeAt = TIMES[kind];
    const time = fields.find(({ key }) => key === timeAt);
    const params = fields.find(({ key }) => key === 'params');
    return {
      kind,
      what: main === undefined ? compactJson(text.slice(step.start, step.end)) : said(text, main),
      params: SENDS.includes(kind) ? (params ? said(text, params) : '') : undefined,
      time: timeAt === undefined ? undefined : time ? said(text, time) : '',
    };
  });
}

function said(text: string, { kind, start, end }: JsonEntry): string {
  return kind === 'string' ? stringAt(text, start, end) : compactJson(text.slice(start, end));
}

function stepsIn(text: string): readonly JsonEntry[] | undefined {
  if (parseJson(text) === undefined) return undefined;
  const root = rootSpan(text);
  if (root.kind !== 'object') return undefined;
  const steps = [...jsonEntries(text, root)].find(({ key }) => key === 'steps');
  if (steps?.kind !== 'array') return undefined;
  const all = [...jsonEntries(text, steps)];
  return all.every(({ kind }) => kind === 'object') ? all : undefined;
}

/** `what` as typed: a text where it was one, else JSON; undefined: it is no JSON. */
export function withWhat(text: string, at: number, what: string): string | undefined {
  const step = stepsIn(text)?.[at];
  const main = step && [...jsonEntries(text, step)].find(({ key }) => key && key in FIRST);
  if (!main) return undefined;
  const json = main.kind === 'string' ? JSON.stringify(what) : what;
  return parseJson(json) === undefined ? undefined : replaced(text, main, json);
}

/** Nothing typed: nothing is said. Undefined: it is no JSON. */
export function withParams(text: string, at: number, json: string): string | undefined {
  return withField(text, at, 'params', json);
}

/** Milliseconds as typed; nothing: none are said. Undefined: it is no whole number. */
export function withTime(text: string, at: number, ms: string): string | undefined {
  const { kind = '' } = stepRows(text)?.[at] ?? {};
  const key = TIMES[kind];
  const isNumber = /^\d+$/.test(ms.trim());
  if (key === undefined || (!isNumber && (ms.trim() !== '' || key === kind))) return undefined;
  return withField(text, at, key, ms.trim());
}

/** Another kind, with what such a step says at first; other fields stay. */
export function withKind(text: string, at: number, kind: string): string {
  const step = stepsIn(text)?.[at];
  const main = step && [...jsonEntries(text, step)].find(({ key }) => key && key in FIRST);
  const json = FIRST[kind];
  if (!main || json === undefined) return text;
  const from = text.lastIndexOf(JSON.stringify(main.key), main.start);
  return `${text.slice(0, from)}${JSON.stringify(kind)}: ${json}${text.slice(main.end)}`;
}

/** One more step of this kind, the last. */
export function withStep(text: string, kind: string): string {
  const steps = stepsIn(text);
  const json = `{ ${JSON.stringify(kind)}: ${FIRST[kind] ?? 'true'} }`;
  const last = steps?.at(-1);
  if (last) return `${text.slice(0, last.end)},\n    ${json}${text.slice(last.end)}`;
  const list = steps && [...jsonEntries(text, rootSpan(text))].find(({ key }) => key === 'steps');
  return list ? replaced(text, list, `[\n    ${json}\n  ]`) : text;
}

export function withoutStep(text: string, at: number): string {
  const steps = stepsIn(text);
  const step = steps?.[at];
  return steps && step ? without(text, steps, step) : text;
}

/** It changes places with its neighbour. */
export function withStepMoved(text: string, at: number, by: 1 | -1): string {
  const steps = stepsIn(text);
  const [one, two] = [steps?.[Math.min(at, at + by)], steps?.[Math.max(at, at + by)]];
  if (!one || !two) return text;
  const [first, between] = [text.slice(one.start, one.end), text.slice(one.end, two.start)];
  const second = text.slice(two.start, two.end);
  return text.slice(0, one.start) + second + between + first + text.slice(two.end);
}

function withField(text: string, at: number, name: string, json: string): string | undefined {
  const step = stepsIn(text)?.[at];
  if (!step) return undefined;
  const fields = [...jsonEntries(text, step)];
  const field = fields.find(({ key }) => key === name);
  if (json.trim() === '') return field ? without(text, fields, field) : text;
  if (parseJson(json) === undefined) return undefined;
  if (field) return replaced(text, field, json);
  const last = fields.at(-1);
  if (!last) return undefined;
  return `${text.slice(0, last.end)}, ${JSON.stringify(name)}: ${json}${text.slice(last.end)}`;
}

function replaced(text: string, { start, end }: JsonEntry, json: string): string {
  return text.slice(0, start) + json + text.slice(end);
}

/** With the comma that it needs no more. */
function without(text: string, all: readonly JsonEntry[], one: JsonEntry): string {
  const before = all[one.index - 1];
  const after = all[one.index + 1];
  if (before) return text.slice(0, before.end) + text.slice(one.end);
  const from =
    one.key === undefined ? one.start : text.lastIndexOf(JSON.stringify(one.key), one.start);
  if (!after) return text.slice(0, from) + text.slice(one.end).trimStart();
  const to =
    after.key === undefined
      ? after.start
      : text.lastIndexOf(JSON.stringify(after.key), after.start);
  return text.slice(0, from) + text.slice(to);
}
