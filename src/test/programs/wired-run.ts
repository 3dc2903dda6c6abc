// A scenario run against an agent that writes down what reached its stdin, write by write.
import { vi } from 'vitest';
import { nodeFinder } from '../../cli/parts/node-finder.ts';
import type { Json } from '../../acp/message.ts';
import type { Launcher } from '../../drive/peer.ts';
import { readScenario } from '../../drive/scenario/file/read.ts';
import { problemWords } from '../../drive/scenario/file/text-problem.ts';
import { runScenario } from '../../drive/scenario/run.ts';
import type { Patience } from '../../drive/scenario/stage.ts';
import { ArrayAgent } from './driven-agent.ts';

/** What reached its stdin, write by write, with the time of each. */
class WiredAgent extends ArrayAgent {
  readonly writes: { readonly at: number; readonly text: string }[] = [];
  readonly split = async (line: string, bytes: number, ms: number) => {
    this.writes.push({ at: Date.now(), text: line.slice(0, bytes) });
    await new Promise((resolve) => setTimeout(resolve, ms));
    this.writes.push({ at: Date.now(), text: `${line.slice(bytes)}\n` });
  };
  /** Of its intercept, as they were given. */
  readonly rules: (string | undefined)[] = [];
  readonly intercept = (rules: string | undefined) =>
    Promise.resolve(void this.rules.push(rules) as undefined);
  readonly cut = () => this.exit({ problem: 'cut' });

  get wire(): string {
    return this.writes.map(({ text }) => text).join('');
  }
  /** Lines sent after the handshake. */
  get lines(): string[] {
    return this.wire.split('\n').slice(1, -1);
  }
}

/** Answers every request by its method, `ask` asks for a permission first. */
export function launcher(): Launcher & { readonly agents: WiredAgent[] } {
  const agents: WiredAgent[] = [];
  return {
    agents,
    launch({ rules }) {
      const agent = new WiredAgent(`agent ${agents.length + 1}`);
      if (rules !== undefined) agent.rules.push(rules);
      agents.push(agent);
      const say = (value: Json) => agent.say(JSON.stringify(value));
      agent.inputEnded = () => agent.exit({ code: 0 });
      agent.write = (line) => {
        agent.writes.push({ at: Date.now(), text: `${line}\n` });
        queueMicrotask(() => {
          if (!line.startsWith('{') || !line.endsWith('}')) return;
          const { id, method, result } = JSON.parse(line) as Record<string, Json>;
          if (method === 'initialize')
            say({ jsonrpc: '2.0', id: id ?? 0, result: { protocolVersion: 1 } });
          else if (method === 'die') agent.exit({ code: 4 });
          else if (method === 'ask') {
            const options = [
              { optionId: 'y', kind: 'allow_once' },
              { optionId: 'n', kind: 'reject_once' },
            ];
            const params = { sessionId: 's', options };
            say({ jsonrpc: '2.0', id: 'p', method: 'session/request_permission', params });
            say({ jsonrpc: '2.0', id: id ?? 0, result: { asked: { toolCallId: 't7' } } });
          } else if (id !== undefined && result === undefined && method !== 'mute')
            say({ jsonrpc: '2.0', id, result: { sessionId: `s${agents.length}` } });
        });
      };
      return Promise.resolve({ ok: true, agent });
    },
  };
}

/** Under fake timers. */
export async function run(document: object, how: { readonly patience?: Patience } = {}) {
  const read = readScenario(JSON.stringify(document));
  if (!read.ok) throw new Error(read.problems.map(problemWords).join('\n'));
  const started = launcher();
  const running = runScenario(read.scenario, {
    launcher: started,
    name: { name: 'test', version: '1' },
    cwd: '/w',
    finder: nodeFinder,
    ...how,
  });
  await vi.runAllTimersAsync();
  const done = await running;
  return { ...done, agents: started.agents, lines: started.agents[0]?.lines ?? [] };
}

export const NOTE = '{"jsonrpc":"2.0","method":"n","params":{}}';
export const AFTER = { line: 'after' };
