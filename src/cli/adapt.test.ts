import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { adapt } from './adapt.ts';
import { EXIT, runCommand } from './command.ts';

let err: string[];
beforeEach(() => {
  err = [];
  vi.spyOn(console, 'error').mockImplementation((text: string) => void err.push(text));
});
afterEach(() => {
  vi.restoreAllMocks();
});

const AGENT = ['--', 'acp-scope-no-such-agent'];
const folder = () => mkdtempSync(join(tmpdir(), 'adapt-'));

test.each([
  [['--load-over-resume'], /needs the agent’s command after --/],
  [AGENT, /give --load-over-resume/],
  [['--load', ...AGENT], /Unknown option '--load'/],
])('a command line that is wrong is a sentence: %j', async (args, sentence) => {
  expect(await runCommand(adapt, args)).toBe(EXIT.usage);
  expect(err.join()).toMatch(sentence);
});

test('R-42 an agent that cannot be started is a sentence, and status 3', async () => {
  const args = ['--load-over-resume', '--store', folder(), ...AGENT];
  expect(await runCommand(adapt, args)).toBe(EXIT.environment);
  expect(err.join()).toMatch(
    /^acp-scope adapt: The program "acp-scope-no-such-agent" was not found/,
  );
});

test.skipIf(process.platform === 'win32')(
  'L-02 a store that others may enter is refused',
  async () => {
    const open = folder();
    chmodSync(open, 0o755);
    const args = ['--load-over-resume', '--store', open, ...AGENT];
    expect(await runCommand(adapt, args)).toBe(EXIT.environment);
    expect(err.join()).toMatch(/unsafe permissions.*chmod 700/);
  },
);
