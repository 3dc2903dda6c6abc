// How long it takes to hold a replay against what was said live: a session of 10,000 items, replayed
// as it was, and by an agent that loses and cuts. Beside JSON.parse of the same lines, and the fold
// that any client does.
import { load } from './product.mjs';
import { median, printTable } from './table.mjs';

const { fidelityOf, freshState, indexedTrace, messageOf, reduce } = await load(
  'model/fidelity/fidelity.ts',
  'model/timeline/digest.ts',
  'model/fold/reduce.ts',
  'model/fold/state.ts',
  'model/indexed-trace.ts',
);

const ITEMS = 10_000;
const IN_A_TURN = 8;
const CHUNKS = 6;
const ROUNDS = 5;
const sessionId = '7c1e4f2a-90d3-4c55-8e1b-000000000000';

/** Words that repeat as an agent's do. */
function words(seed, count) {
  const all = 'the test reads a file and then mends what the search for “Café” did not find'.split(
    ' ',
  );
  return Array.from({ length: count }, (_, i) => all[(seed * 7 + i * 3) % all.length]).join(' ');
}

/** One trace: its lines, and the events of them. */
class Script {
  events = [];
  #id = 0;
  send(from, message) {
    const at = this.events.length;
    const line = { text: JSON.stringify({ jsonrpc: '2.0', ...message }) };
    this.events.push({ type: 'frame', seq: at + 1, at, from, line, origin: 'peer' });
  }
  ask(method, params, result) {
    const id = this.#id++;
    this.send('client', { id, method, params });
    return () => this.send('agent', { id, result });
  }
  update(update) {
    this.send('agent', { method: 'session/update', params: { sessionId, update } });
  }
}

const text = (said) => ({ type: 'text', text: said });
const content = (said) => [{ type: 'content', content: text(said) }];

/** Turns of a prompt, thoughts, messages and tool calls, by their numbers. */
function* items() {
  for (let n = 0; n < ITEMS; n++) {
    const place = n % IN_A_TURN;
    const kind =
      place === 0 ? 'user' : place === 1 ? 'thought' : place % 2 === 0 ? 'tool' : 'agent';
    yield { n, kind, said: `${n} ${words(n, 30)}`, output: words(n + 1, 120) };
  }
}

function tool({ n, output }, status) {
  const path = `/work/src/file-${n % 90}.ts`;
  return {
    ...{ toolCallId: `call-${n}`, title: `Read ${path}`, kind: 'read', status },
    ...(status === 'pending' ? {} : { content: content(output), rawOutput: { output } }),
    ...{ rawInput: { path, limit: n }, locations: [{ path, line: n }] },
  };
}

function live() {
  const script = new Script();
  script.ask('initialize', { protocolVersion: 1 }, { protocolVersion: 1, agentCapabilities: {} })();
  script.ask('session/new', { cwd: '/work', mcpServers: [] }, { sessionId })();
  let end;
  for (const item of items()) {
    const { n, kind, said } = item;
    if (kind === 'user') {
      end?.();
      const prompt = [text(said)];
      end = script.ask('session/prompt', { sessionId, prompt }, { stopReason: 'end_turn' });
    } else if (kind === 'tool') {
      script.update({ sessionUpdate: 'tool_call', ...tool(item, 'pending') });
      script.update({ sessionUpdate: 'tool_call_update', ...tool(item, 'completed') });
    } else {
      const size = Math.ceil(said.length / CHUNKS);
      for (let at = 0; at < said.length; at += size)
        script.update({
          sessionUpdate: kind === 'agent' ? 'agent_message_chunk' : 'agent_thought_chunk',
          messageId: `message-${n}`,
          content: text(said.slice(at, at + size)),
        });
    }
  }
  end?.();
  return script.events;
}

/** `loses`: every fifth tool call, the ends of messages, and the ids of both. */
function replayed(loses) {
  const script = new Script();
  const agentCapabilities = { loadSession: true };
  script.ask('initialize', { protocolVersion: 1 }, { protocolVersion: 1, agentCapabilities })();
  const end = script.ask('session/load', { sessionId, cwd: '/work', mcpServers: [] }, {});
  const id = (of) => (loses ? `new-${of}` : of);
  for (const item of items()) {
    const { n, kind, said } = item;
    if (kind === 'tool' && (!loses || n % 5 > 0))
      script.update({
        ...{ sessionUpdate: 'tool_call', ...tool(item, 'completed') },
        toolCallId: id(`call-${n}`),
      });
    if (kind === 'tool') continue;
    const variant = { user: 'user_message_chunk', thought: 'agent_thought_chunk' }[kind];
    script.update({
      sessionUpdate: variant ?? 'agent_message_chunk',
      ...(kind === 'user' ? {} : { messageId: id(`message-${n}`) }),
      content: text(loses && n % 3 === 0 ? said.slice(0, said.length / 2) : said),
    });
  }
  end();
  return script.events;
}

function timed(work) {
  const times = Array.from({ length: ROUNDS }, () => {
    const started = performance.now();
    work();
    return performance.now() - started;
  });
  return median(times);
}

const said = live();
const rows = [];
const add = (name, ms, more) => rows.push([name, `${ms.toFixed(0)} ms`, more]);
for (const [name, loses] of [
  ['as it was', false],
  ['with losses', true],
]) {
  const again = replayed(loses);
  const all = [...said, ...again];
  if (!loses) {
    const lines = all.map(({ line }) => line.text);
    const parse = () => lines.forEach((line) => JSON.parse(line));
    add('JSON.parse of all lines', timed(parse), `${all.length.toLocaleString('en-US')} frames`);
    const fold = (events) => {
      let state = freshState(sessionId);
      const flags = { replay: false, late: false };
      for (const event of events) state = reduce(state, event, messageOf(event), flags);
    };
    add(
      'both sides parsed and folded',
      timed(() => (fold(said), fold(again))),
      '',
    );
  }
  const sources = [
    indexedTrace(said, 'c1', { began: 0 }),
    indexedTrace(again, 'c2', { began: 3_600_000 }),
  ];
  let found;
  const ms = timed(() => (found = fidelityOf(sources)));
  const { verdict, differences } = found.windows[0];
  add(`held against a replay ${name}`, ms, `${verdict}, ${differences.length} differences`);
}
printTable(`A session of ${ITEMS.toLocaleString('en-US')} items`, ['', 'median', ''], rows);
