// A plain reader of queries, for the tests of the fast one: everything is read from the events each
// time, nothing is indexed, and patterns are run where they stand.
import { encodeUtf8 } from '../../lib/utf8.ts';
import { turnNumber, TurnReader } from '../../model/facts/turns.ts';
import { searchedText } from '../../model/query/find.ts';
import type { Expr, Query, Range, QueryValue } from '../../model/query/query.ts';
import { messageOf } from '../../model/timeline/digest.ts';
import type { TraceEvent } from '../../trace/event.ts';

/** What is known of an event, by field; absent: nothing. */
type Fact = Readonly<Partial<Record<string, string | number | readonly string[]>>> & {
  readonly text: string;
};

interface Said {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: {
    readonly sessionId?: string;
    readonly update?: Readonly<Record<string, string>>;
  };
}

/** The places of the events that the query lets through. */
export function plainPlaces(query: Query, events: readonly TraceEvent[]): readonly number[] {
  const facts = factsOf(events);
  return events.flatMap((_, at) => {
    const fact = facts[at];
    return fact && query.every(({ expr }) => lets(fact, expr)) ? [at] : [];
  });
}

function lets(fact: Fact, expr: Expr): boolean {
  switch (expr.kind) {
    case 'all':
      return expr.of.every((one) => lets(fact, one));
    case 'any':
      return expr.of.some((one) => lets(fact, one));
    case 'not':
      return !lets(fact, expr.of);
    case 'path': {
      if (fact['side'] === undefined) return false;
      const message = jsonOf(fact.text);
      if (message === undefined) return false;
      const found = expr.test.path.reduce<readonly unknown[]>(
        (values, step) =>
          values.flatMap((value) => {
            if (typeof value !== 'object' || value === null) return [];
            if (step === null) return Object.values(value) as unknown[];
            if (Array.isArray(value) && typeof step !== 'number') return [];
            const inner = Object.entries(value).find(([key]) => key === String(step));
            return inner ? [inner[1] as unknown] : [];
          }),
        [message],
      );
      const { compare } = expr.test;
      if (compare === undefined) return found.length > 0;
      const { operator, value: wanted } = compare;
      return found.some((value) => {
        const text = typeof value === 'string' ? value : JSON.stringify(value);
        if (operator === '~')
          return wanted instanceof RegExp
            ? wanted.test(text)
            : text.toLowerCase().includes(String(wanted).toLowerCase());
        if (operator === '=') return value === wanted;
        if (operator === '!=') return value !== wanted;
        if (typeof value !== 'number' || typeof wanted !== 'number') return false;
        if (operator === '>') return value > wanted;
        if (operator === '>=') return value >= wanted;
        return operator === '<' ? value < wanted : value <= wanted;
      });
    }
    case 'field': {
      const { field, values } = expr;
      const own = fact[field === 'near' ? 'seq' : field];
      const all = Array.isArray(own) ? (own as readonly string[]) : own === undefined ? [] : [own];
      return values.some((value) => all.some((one) => fits(field, value, one as string | number)));
    }
  }
}

function fits(field: string, value: QueryValue, own: string | number): boolean {
  if (typeof own === 'number') return 'low' in value && within(value, own);
  if ('pattern' in value) return value.pattern.test(own);
  if (!('text' in value)) return false;
  const { text } = value;
  if (field === 'text') return own.toLowerCase().includes(text.toLowerCase());
  if (field === 'session') return own === 'none' ? text === own : own.startsWith(text);
  return text.endsWith('*') ? own.startsWith(text.slice(0, -1)) : own === text;
}

function within({ low, high, without }: Range, number: number): boolean {
  return (
    (without === 'low' ? number > low : number >= low) &&
    (without === 'high' ? number < high : number <= high)
  );
}

interface Request {
  readonly at: number;
  readonly method: string;
  readonly session: string | undefined;
}

function factsOf(events: readonly TraceEvent[]): readonly Fact[] {
  const asked = new Map<string, Request>();
  const answers = new Map<number, number>();
  const turns = new TurnReader();
  const facts = events.map((event, at): Record<string, unknown> & { text: string } => {
    const before = events[at - 1];
    const gap = before && Math.max(0, timeOf(event) - timeOf(before));
    const fact = {
      text: searchedText(event),
      seq: event.seq,
      time: timeOf(event),
      connection: 1,
      gap,
    };
    if (event.type === 'stderr') return { ...fact, type: 'std', size: sizeOf(event) };
    if (event.type !== 'frame') return { ...fact, type: 'evt', session: undefined };
    const { from: side, origin } = event;
    const own = { ...fact, side, origin, size: sizeOf(event) };
    const said = jsonOf(fact.text) as Said | undefined;
    if (said === undefined) return { ...own, type: 'bad' };
    const idOf = (from: string) => {
      if (said.id === undefined) return undefined;
      const token = JSON.stringify(said.id);
      return [token, `${from === 'client' ? '→' : '←'}${token}`];
    };
    const session = said.params?.sessionId;
    const turnAt = (id = session) => (id === undefined ? 0 : turnNumber(turns.of(id)));
    const turnBefore = turnAt();
    if (said.method !== undefined) turns.take(event, messageOf(event));
    if (said.method === undefined) {
      const asker = side === 'client' ? 'agent' : 'client';
      const request = asked.get(`${asker} ${said.id}`);
      if (request && ![...answers.values()].includes(request.at)) answers.set(at, request.at);
      else if (request)
        // A second answer to a request is about no session, and ends nothing.
        return { ...own, type: typeOf(said), id: idOf(asker), method: request.method };
      const turn = turnAt(request?.session) || undefined;
      turns.take(event, messageOf(event));
      return {
        ...own,
        ...{ type: typeOf(said), id: idOf(asker), turn },
        ...{ method: request?.method, session: request?.session },
      };
    }
    if (said.id !== undefined)
      asked.set(`${side} ${said.id}`, { at, method: said.method, session });
    const update = said.params?.update;
    return {
      ...own,
      ...{ type: typeOf(said), id: idOf(side), method: said.method, session },
      turn: (said.id === undefined && turnBefore) || turnAt() || undefined,
      ...{ update: update?.['sessionUpdate'], status: update?.['status'] },
      tool: update?.['toolCallId'],
    };
  });
  for (const [answer, request] of answers) {
    const [one, other] = [events[answer], events[request]];
    const latency = one && other && Math.abs(timeOf(one) - timeOf(other));
    for (const at of [answer, request]) Object.assign(facts[at] ?? {}, { latency });
  }
  const answered = new Set(answers.values());
  const lastExit = events.findLastIndex(({ type }) => type === 'exit');
  return facts.map((fact, at) => {
    const isOpen = fact['type'] === 'req' && !answered.has(at) && at > lastExit;
    const is = [...(fact['side'] === undefined ? [] : ['live']), ...(isOpen ? ['open'] : [])];
    const session = fact['session'] ?? 'none';
    return { ...fact, is, session } as unknown as Fact;
  });
}

function typeOf(said: Said & { readonly error?: unknown }): string {
  if (said.method !== undefined) return said.id === undefined ? 'ntf' : 'req';
  return 'error' in said ? 'err' : 'res';
}

function sizeOf({ line }: Extract<TraceEvent, { readonly line: unknown }>): number {
  return 'text' in line ? encodeUtf8(line.text).length : atob(line.base64).length;
}

function jsonOf(text: string): object | undefined {
  try {
    const said: unknown = JSON.parse(text);
    return typeof said === 'object' && said !== null ? said : undefined;
  } catch {
    return undefined;
  }
}

function timeOf({ at }: TraceEvent): number {
  return at ?? NaN;
}
