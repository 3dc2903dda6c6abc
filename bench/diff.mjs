// How fast two traces are compared: beside `diff` (or `git diff`) of the same frames as lines of text,
// which knows no aliases and no fields.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load, scratch } from './product.mjs';
import { median, printTable } from './table.mjs';

const { diffTraces, indexedTrace, readTrace } = await load(
  'diff/traces/diff.ts',
  'model/indexed-trace.ts',
  'cli/parts/trace-files.ts',
);
const folder = scratch();

/** The same numbers in every run. */
function random(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
const WORDS = Array.from({ length: 4000 }, (_, n) => `w${(n * 7919).toString(36)}`);

/** What an agent sends in `frames` frames; ids and the cwd are this run's own. */
function lines(frames, seed, run) {
  const next = random(seed);
  const word = () => WORDS[Math.floor(next() * WORDS.length)];
  const words = (count) => Array.from({ length: count }, word).join(' ');
  const sessionId = `ses_${run}7f3a91c0`;
  const cwd = `/home/${run}/project`;
  const out = [];
  const say = (from, body) => out.push([from, { jsonrpc: '2.0', ...body }]);
  const update = (body) =>
    say('agent', { method: 'session/update', params: { sessionId, update: body } });
  say('client', { id: 0, method: 'initialize', params: { protocolVersion: 1 } });
  say('agent', { id: 0, result: { protocolVersion: 1, agentCapabilities: { loadSession: true } } });
  say('client', { id: 1, method: 'session/new', params: { cwd, mcpServers: [] } });
  say('agent', { id: 1, result: { sessionId } });
  for (let turn = 2; out.length < frames; turn++) {
    const prompt = [{ type: 'text', text: words(8) }];
    say('client', { id: turn, method: 'session/prompt', params: { sessionId, prompt } });
    for (let message = 0; message < 4; message++) {
      const messageId = `msg_${run}_${turn}_${message}`;
      for (let chunk = 0; chunk < 16; chunk++)
        update({
          sessionUpdate: 'agent_message_chunk',
          messageId,
          content: { type: 'text', text: `${words(2)} ` },
        });
      const toolCallId = `call_${run}_${turn}_${message}`;
      const path = `${cwd}/${word()}.ts`;
      update({
        sessionUpdate: 'tool_call',
        toolCallId,
        title: `Read ${path}`,
        kind: 'read',
        status: 'pending',
        rawInput: { path },
      });
      update({ sessionUpdate: 'tool_call_update', toolCallId, status: 'in_progress' });
      const text = words(12);
      const content = [{ type: 'content', content: { type: 'text', text } }];
      update({ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed', content });
    }
    say('agent', { id: turn, result: { stopReason: 'end_turn' } });
  }
  return out.slice(0, frames);
}

/** Each frame is left out, said twice or changed with this chance. */
function edited(frames, share, seed) {
  const next = random(seed);
  return frames.flatMap(([from, message]) => {
    if (next() >= share || message.id !== undefined) return [[from, message]];
    const how = next();
    if (how < 0.33) return [];
    const said = JSON.parse(JSON.stringify(message));
    said.params.update.note = `edit ${Math.floor(next() * 1e6)}`;
    return how < 0.66
      ? [
          [from, message],
          [from, said],
        ]
      : [[from, said]];
  });
}

function write(name, frames) {
  const path = join(folder, name);
  const text = frames.map(([from, message], at) =>
    JSON.stringify({
      t: at,
      dir: from === 'client' ? 'client-to-agent' : 'agent-to-client',
      raw: JSON.stringify(message),
    }),
  );
  writeFileSync(path, `${text.join('\n')}\n`);
  // For the yardstick: the frames alone, with the ids of one run, which it could not tell apart.
  const plain = frames.map(([, message]) => JSON.stringify(message).replaceAll('bbb', 'aaa'));
  writeFileSync(`${path}.txt`, `${plain.join('\n')}\n`);
  return path;
}

const tool =
  spawnSync('diff', ['--version']).status === 0
    ? ['diff']
    : ['git', 'diff', '--no-index', '--no-ext-diff'];
function yardstick(a, b) {
  const began = performance.now();
  const { status } = spawnSync(tool[0], [...tool.slice(1), `${a}.txt`, `${b}.txt`], {
    maxBuffer: 1 << 30,
    timeout: 60_000,
  });
  return status === null ? 'over a minute' : ms(performance.now() - began);
}

const ms = (time) => (time < 10_000 ? `${time.toFixed(0)} ms` : `${(time / 1000).toFixed(1)} s`);
const rows = [];

async function measure(what, a, b, runs) {
  const read = [];
  const story = [];
  const frames = [];
  let found;
  for (let run = 0; run < runs; run++) {
    let began = performance.now();
    const left = indexedTrace((await readTrace(a)).events, 'c1');
    const right = indexedTrace((await readTrace(b)).events, 'c2');
    read.push(performance.now() - began);
    began = performance.now();
    await diffTraces(left, right, { view: 'story' });
    story.push(performance.now() - began);
    began = performance.now();
    found = await diffTraces(left, right, { view: 'frames' });
    frames.push(performance.now() - began);
  }
  const { equal, changed, missing, extra, moved } = found.counts;
  rows.push([
    what,
    ms(median(read)),
    ms(median(story)),
    ms(median(frames)),
    ms(median(read) + median(frames)),
    yardstick(a, b),
    `${equal}/${changed}/${missing}/${extra}/${moved}${found.unrelated ? ', unrelated' : ''}`,
  ]);
}

const small = lines(10_000, 1, 'aaa');
const large = lines(100_000, 1, 'aaa');
const other = lines(100_000, 1, 'bbb');
const [a, b] = [write('a', small), write('b', edited(lines(10_000, 1, 'bbb'), 0.02, 5))];
await measure('10,000 frames, 2 % edited', a, b, 7);
const [c, d] = [write('c', large), write('d', edited(other, 0.1, 5))];
await measure('100,000 frames, 10 % edited', c, d, 3);
await measure('100,000 frames, nothing edited', c, write('e', other), 3);
await measure('100,000 frames, nothing in common', c, write('f', lines(100_000, 99, 'bbb')), 3);

printTable(
  'Two traces compared (medians); the same frames as text beside it',
  ['', 'read both', 'story', 'frames', 'read + frames', tool.join(' '), '=/≠/−/+/⇅'],
  rows,
);
