import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { setImmediate as tick } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Adapter } from '../../drive/adapt/adapter.ts';
import { RESUMES_V1 } from '../../test/traces/adapted.ts';
import { live, madeUp, Script, type MadeUp } from '../../test/traces/arbitrary-conversation.ts';
import { Flow, historyLines } from './adapt-flow.ts';
import { AdaptStore } from './adapt-store.ts';

/** One side of the adapter: whole lines it was handed, and what is to be done at each piece. */
class Reader extends Writable {
  #text = '';
  handedOn = (): void => undefined;

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.#text += chunk.toString('latin1');
    this.handedOn();
    done();
  }

  get lines(): string[] {
    const lines = this.#text.split('\n').slice(0, -1);
    return lines.map((line) => Buffer.from(line, 'latin1').toString('utf8'));
  }
}

function conversation(made: MadeUp, acp: 1 | 2): Script {
  const script = new Script();
  const result = acp === 1 ? RESUMES_V1 : { protocolVersion: 2, capabilities: { session: {} } };
  script.answer(script.ask('initialize', { protocolVersion: acp }), result);
  script.answer(script.ask('session/new', { cwd: '/w', mcpServers: [] }), { sessionId: 's1' });
  live(script, made, acp);
  return script;
}

/** What one side says before the other does, in order. */
function runsOf({ frames }: Script): { from: string; lines: string[] }[] {
  const runs: { from: string; lines: string[] }[] = [];
  for (const { from, line } of frames) {
    if (runs.at(-1)?.from !== from) runs.push({ from, lines: [] });
    if ('text' in line) runs.at(-1)?.lines.push(line.text);
  }
  return runs;
}

function* cut(lines: readonly string[], sizes: readonly number[]): Generator<Buffer> {
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length] ?? bytes.length;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

const isUpdate = (line: string) => line.includes('"method":"session/update"');
const isAnswer = (line: string) => /"id":(?:[2-9]|\d\d)/.test(line) && !line.includes('"method"');
const isPrompt = (line: string) => line.includes('"method":"session/prompt"');

/** Whether every turn that the agent was asked for had its end in what the editor was handed. */
function isOver(asked: readonly string[], handed: readonly string[]): boolean {
  const state = handed.findLast((line) => line.includes('"state_update"'));
  const isIdle = state === undefined || state.includes('"idle"');
  return isIdle && handed.filter(isAnswer).length === asked.filter(isPrompt).length;
}

interface Lived {
  /** What a side had been handed while it was not stored. */
  readonly lag: readonly string[];
  /** The folder as a kill at that piece would have left it, and what the editor had by then. */
  readonly killed: string;
  readonly handed: readonly string[];
  readonly over: boolean;
}

/** A conversation through the adapter, its bytes cut anywhere; killed behind a piece, as it were. */
async function lived(script: Script, sizes: readonly number[], piece: number): Promise<Lived> {
  const [folder, killed] = [1, 2].map(() => mkdtempSync(join(tmpdir(), 'adapt-flow-')));
  if (folder === undefined || killed === undefined) throw new Error('no folder');
  const store = new AdaptStore({ folder, agent: 'a', tool: 't', say: () => undefined });
  const path = store.pathOf('s1');
  const [agent, editor] = [new Reader(), new Reader()];
  const stored = () => (existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []);
  const lag: string[] = [];
  let after = { handed: [] as string[], over: true };
  let pieces = 0;
  editor.handedOn = () => {
    const [handed, kept] = [editor.lines, stored()];
    const updates = kept.filter((line) => line.startsWith('{"update":'));
    handed.filter(isUpdate).forEach((line, i) => {
      if (updates[i] !== `{"update":${line}}`) lag.push(line);
    });
    const ends = kept.filter((line) => line.startsWith('{"end":')).length;
    if (ends < handed.filter(isAnswer).length) lag.push('the end of a turn');
    if (pieces++ > piece || !existsSync(path)) return;
    copyFileSync(path, path.replace(folder, killed));
    after = { handed, over: isOver(agent.lines, handed) };
  };
  agent.handedOn = () => {
    const prompts = stored().filter((line) => line.startsWith('{"prompt":')).length;
    if (prompts < agent.lines.filter(isPrompt).length) lag.push('a prompt');
  };
  const [input, stdout, errors] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const adapter = new Adapter({ history: store, idBase: 'own', uuid: randomUUID });
  const flow = new Flow({ store, adapter, input, output: editor, errors }, agent);
  const running = [flow.editor(), flow.agent(stdout)];
  const sent = { client: 0, agent: 0 };
  for (const { from, lines } of runsOf(script)) {
    const [source, reader] = from === 'client' ? [input, agent] : [stdout, editor];
    for (const bytes of cut(lines, sizes)) source.write(bytes);
    const due = (sent[from === 'client' ? 'client' : 'agent'] += lines.length);
    while (reader.lines.length < due) await tick();
  }
  input.end();
  stdout.end();
  await Promise.all(running);
  rmSync(folder, { recursive: true });
  return { lag, killed, ...after };
}

async function told(folder: string, acp: 1 | 2): Promise<string[]> {
  const store = new AdaptStore({ folder, agent: 'a', tool: 't', say: () => undefined });
  store.claim('s1');
  store.begin('s1', 'middle', acp);
  const replay = { session: 's1', until: store.position('s1'), acp, compactions: true } as const;
  const lines: string[] = [];
  for await (const piece of historyLines(store.pathOf('s1'), replay)) lines.push(...piece);
  store.close();
  rmSync(folder, { recursive: true });
  return lines;
}

test.each([1, 2] as const)(
  'R-67 v%i: wherever it is killed, what a side was handed is stored, and a turn that ended is not told as cut off',
  async (acp) => {
    const sizes = fc.array(fc.integer({ min: 1, max: 2000 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(madeUp, sizes, fc.nat(60), async (made, sizes, piece) => {
        const { lag, killed, handed, over } = await lived(conversation(made, acp), sizes, piece);
        expect(lag).toEqual([]);
        const lines = await told(killed, acp);
        const agents = handed.filter((line) => /"(agent_|tool_call|plan)/.test(line));
        expect(agents.filter((line) => !lines.includes(line))).toEqual([]);
        if (over) expect(lines.join()).not.toContain('The record of this turn stops here');
      }),
      { numRuns: 40 },
    );
  },
);
