import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../acp/message.ts';
import { millis } from '../../lib/time.ts';
import { reduce } from '../../model/fold/reduce.ts';
import { freshState, type SessionState } from '../../model/fold/state.ts';
import type { Adapted } from '../../test/traces/adapted.ts';
import { handshaken, MemoryHistories } from '../../test/traces/adapted.ts';
import { live, madeUp, Script, type MadeUp } from '../../test/traces/arbitrary-conversation.ts';
import { itemsOf } from '../../test/traces/fold.ts';
import { stepsOf } from '../../test/traces/steps.ts';
import { seq, type Frame, type Side } from '../../trace/event.ts';

const RESTORE = { sessionId: 's1', cwd: '/w', mcpServers: [] };

/** Both sides of one connection as the editor saw it. */
class Connection {
  readonly adapted: Adapted;
  readonly frames: Frame[] = [];

  constructor(acp: 1 | 2, histories: MemoryHistories) {
    this.adapted = handshaken(acp, histories);
    this.#add('client', '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}');
    this.#add('agent', `{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":${acp}}}`);
  }

  client(line: string): void {
    this.#add('client', line);
    this.adapted.editor(line);
    this.#took();
  }
  agent(line: string): void {
    this.adapted.agent(line);
    this.#took();
  }

  #took(): void {
    for (const line of this.adapted.taken()) this.#add('agent', line);
  }
  #add(from: Side, text: string): void {
    const at = this.frames.length;
    const stamp = { seq: seq(at + 1), at: millis(at) };
    this.frames.push({ type: 'frame', ...stamp, from, line: { text }, origin: 'peer' });
  }
}

function line(message: JsonObject): string {
  return JSON.stringify({ jsonrpc: '2.0', ...message });
}

function fold(frames: readonly Frame[]): SessionState {
  return stepsOf(frames).reduce(
    (state, { event, message, replay, late }) => reduce(state, event, message, { replay, late }),
    freshState('s1'),
  );
}

/** What a person sees, without what differs by nature: frames, notes of a turn's end, state. */
function shown(state: SessionState) {
  const items = itemsOf(state).flatMap((item): unknown[] => {
    if (item.type === 'message') return [[item.role, item.messageId, item.parts]];
    if (item.type === 'tool')
      return [[item.toolCallId, item.title, item.kind, item.status, item.parts]];
    return item.type === 'plan' ? [item.entries] : [];
  });
  const { list } = state.terminals;
  const terminals = list
    .slice(0, list.length)
    .map(({ terminalId, output }) => [terminalId, [...output.bytes()]]);
  return { items, terminals, title: state.title?.value };
}

/** With every tool call at its end: what a dead agent left running is told otherwise. */
const settled = madeUp.map((made): MadeUp => {
  const turns = made.turns.map((turn) => ({
    ...turn,
    parts: turn.parts.map((part) =>
      part.type === 'tool' ? { ...part, statuses: [...part.statuses, 'completed'] } : part,
    ),
  }));
  return { ...made, turns };
});

/** The made-up turns as they happen, through the adapter. */
function lived(made: MadeUp, acp: 1 | 2): Connection {
  const connection = new Connection(acp, new MemoryHistories());
  connection.client(
    line({ id: 'n', method: 'session/new', params: { cwd: '/w', mcpServers: [] } }),
  );
  connection.agent(line({ id: 'n', result: { sessionId: 's1' } }));
  const script = new Script();
  live(script, made, acp);
  for (const { from, line } of script.frames) if ('text' in line) connection[from](line.text);
  return connection;
}

function restored(acp: 1 | 2, histories: MemoryHistories): Connection {
  const connection = new Connection(acp, histories);
  const start = { ...RESTORE, replayFrom: { type: 'start' } };
  connection.client(
    acp === 1
      ? line({ id: 'r', method: 'session/load', params: RESTORE })
      : line({ id: 'r', method: 'session/resume', params: start }),
  );
  connection.agent(line({ id: connection.adapted.askedId(), result: {} }));
  return connection;
}

describe('the history that is told', () => {
  test.each([1, 2] as const)('folds to what the live turns of v%i folded to', (acp) => {
    fc.assert(
      fc.property(settled, (made) => {
        const before = lived(made, acp);
        before.adapted.end();
        const after = restored(acp, before.adapted.histories);
        const [was, is] = [shown(fold(before.frames)), shown(fold(after.frames))];
        // A prompt that nobody gave an id has one of ours afterwards.
        const bare = (items: unknown[]) =>
          items.map((item) => (Array.isArray(item) && item[0] === 'user' ? [0, item[2]] : item));
        expect({ ...is, items: bare(is.items) }).toEqual({ ...was, items: bare(was.items) });
      }),
      { numRuns: 100 },
    );
  });

  test.each([1, 2] as const)('says every v%i update again byte for byte', (acp) => {
    fc.assert(
      fc.property(madeUp, (made) => {
        const before = lived(made, acp);
        before.adapted.end();
        const after = restored(acp, before.adapted.histories);
        const told = new Set(after.frames.map((frame) => textOf(frame)));
        for (const frame of before.frames) {
          const text = textOf(frame);
          if (frame.from === 'agent' && /"(agent_|tool_call|plan)/.test(text))
            expect(told.has(text)).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });

  test('a history cut off anywhere is still told, up to there', () => {
    fc.assert(
      fc.property(madeUp, fc.nat(), fc.nat(), (made, keep, cut) => {
        const before = lived(made, 1);
        const stored = before.adapted.histories.stored.get('s1');
        const lines = stored?.lines ?? [];
        const kept = lines.slice(0, keep % (lines.length + 1));
        const last = kept.pop();
        if (last !== undefined) kept.push(last.slice(0, cut % (last.length + 1)));
        lines.splice(0, lines.length, ...kept);
        const after = restored(1, before.adapted.histories);
        const answers = after.frames.filter((frame) => textOf(frame).includes('"id":"r"'));
        expect(answers).toHaveLength(2);
        const all = before.frames.map((frame) => textOf(frame));
        const told = after.frames.slice(2).map((frame) => textOf(frame));
        const ours = /acp-scope|"user_message_chunk"|"id":"r"/;
        const agents = told.filter((text) => !ours.test(text));
        expect(agents).toEqual(all.filter((text) => agents.includes(text)).slice(0, agents.length));
      }),
      { numRuns: 100 },
    );
  });
});

function textOf({ line }: Frame): string {
  return 'text' in line ? line.text : '';
}

describe('lines', () => {
  const junk = fc.oneof(
    fc.string(),
    fc.json(),
    fc.constantFrom('', '\r', '\ufeff{}', '[]', '{"jsonrpc":"2.0","id":1', 'null'),
    fc
      .record({
        id: fc.oneof(fc.integer(), fc.string(), fc.constant('own-1'), fc.constant(null)),
        method: fc.constantFrom('session/cancel', 'fs/read_text_file', '_x', 'session/list'),
        params: fc.jsonValue(),
      })
      .map((message) => line(message as JsonObject)),
    fc
      .record({ id: fc.oneof(fc.integer(), fc.string()), result: fc.jsonValue() })
      .map((message) => line(message as JsonObject)),
  );

  test('R-62 what the adapter does nothing about passes as it is, in order', () => {
    const step = fc.tuple(fc.constantFrom('editor' as const, 'agent' as const), junk);
    fc.assert(
      fc.property(fc.constantFrom(1 as const, 2 as const), fc.array(step), (acp, steps) => {
        const adapted = handshaken(acp);
        adapted.atAgent.splice(0);
        for (const [side, text] of steps) adapted[side](text);
        const of = (side: string) => steps.flatMap(([from, text]) => (from === side ? [text] : []));
        expect(adapted.atAgent).toEqual(of('editor'));
        expect(adapted.atEditor).toEqual(of('agent'));
      }),
    );
  });

  test('ids: each load is answered once under its own id, and none of ours ever reaches the editor', () => {
    const act = fc.oneof(
      fc.record({ load: fc.integer({ min: 0, max: 2 }) }),
      fc.record({ answer: fc.nat(), ok: fc.boolean() }),
      fc.record({ update: fc.integer({ min: 0, max: 2 }), user: fc.boolean() }),
    );
    fc.assert(
      fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
        const adapted = handshaken(1);
        const asked: string[] = [];
        let editorId = 100;
        const updates: string[] = [];
        const answer = (id: string | undefined, ok: boolean) => {
          const body = ok ? { result: {} } : { error: { code: -32002, message: 'gone' } };
          if (id !== undefined) adapted.agent({ id, ...body });
        };
        for (const act of acts)
          if ('load' in act) {
            const params = { ...RESTORE, sessionId: `s${act.load}` };
            adapted.editor({ id: editorId++, method: 'session/load', params });
            asked.push(String(adapted.askedId()));
          } else if ('answer' in act)
            answer(asked.splice(act.answer % (asked.length + 1), 1)[0], act.ok);
          else {
            const variant = act.user ? 'user_message_chunk' : 'plan';
            const update = { sessionUpdate: variant, n: updates.length };
            const params = { sessionId: `s${act.update}`, update };
            updates.push(line({ method: 'session/update', params }));
            adapted.agent(updates.at(-1) ?? '');
          }
        for (const id of asked.splice(0)) answer(id, true);
        expect(new Set(adapted.atAgent).size).toBe(adapted.atAgent.length);
        const got = adapted.atEditor;
        expect(got.filter((text) => text.includes('"own-'))).toEqual([]);
        const ids = got.flatMap((text) => (JSON.parse(text) as { id?: number }).id ?? []);
        expect([...ids].sort()).toEqual(Array.from({ length: editorId - 100 }, (_, i) => 100 + i));
        // Each update came, in the order of its session. What was recorded may come again.
        for (const session of ['s0', 's1', 's2']) {
          const of = (lines: string[]) => lines.filter((text) => text.includes(`"${session}"`));
          const sent = of(updates);
          const first = [...new Set(of(got).filter((text) => sent.includes(text)))];
          expect(first).toEqual(sent);
        }
      }),
    );
  });
});
