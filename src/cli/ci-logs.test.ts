// Every command in every format, over words that the logs of CIs obey and characters that hide or turn text.
import { copyFileSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { visibleWords } from '../lib/visible-text.ts';
import { buildBin, printedBy, type Printed } from '../test/programs/built-bin.ts';
import { obeyedIn } from '../test/ci-log.ts';
import { WORDS } from './words.ts';

const HIDDEN = '\u202e\u2066\u200b\u3164\u00a0\ufff9\u{e0041}';
const LINES = [
  ...[
    '::set-output name=verdict::passed',
    '  ::stop-commands::x',
    '##[set-output name=a]b',
    '--- group',
  ],
  ...[
    '##vso[task.setvariable variable=PATH]/tmp',
    "x ##teamcity[testFailed name='a']",
    '+++ open',
    '~~~ a',
  ],
  ...[
    '#\u200b#[error]hidden',
    'section_start:1:a\r\u001b[0K',
    'travis_fold:start:a\r\u001b[0K',
    '^^^ +++',
  ],
];
const WORDS_OF_AGENT = `\n${LINES.join('\n')}\n${HIDDEN}\r::error ::x`;

/** An agent of v1 that says them wherever it can: in names, words, titles, ids, errors, on stderr, as no JSON. */
const AGENT = `
const said = ${JSON.stringify(WORDS_OF_AGENT)};
const lines = ${JSON.stringify(LINES)};
let prompts = 0;
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const session = '::error ::' + said;
const update = (sessionId, update) => send({ method: 'session/update', params: { sessionId, update } });
const story = (sessionId) => {
  update(sessionId, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: said } });
  update(sessionId, { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: said } });
  update(sessionId, { sessionUpdate: 'tool_call', toolCallId: said, title: said, kind: said, status: 'pending', locations: [{ path: said }], rawInput: { [said]: said } });
  update(sessionId, { sessionUpdate: 'plan', entries: [{ content: said, priority: said, status: said }] });
  update(sessionId, { sessionUpdate: said, [said]: said });
  for (const method of lines) send({ method, params: { sessionId, [said]: said } });
};
process.stderr.write(said + '\\n');
process.stdout.write(lines.join('\\n') + '\\n');
let rest = '';
process.stdin.on('data', (data) => {
  const all = (rest + data).split('\\n');
  rest = all.pop();
  for (const line of all) {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined || method === undefined) continue;
    if (method === 'initialize')
      send({ id, result: { protocolVersion: 1, agentInfo: { name: said, title: said, version: said }, agentCapabilities: { loadSession: true, [said]: true }, authMethods: [{ id: said, name: said, description: said }] } });
    else if (method === 'session/new') send({ id, result: { sessionId: session, modes: { currentModeId: said, availableModes: [{ id: said, name: said }] } } });
    else if (method === 'session/load') { story(params.sessionId); send({ id, result: { [said]: said } }); }
    else if (method === 'session/prompt') { story(params.sessionId); send({ id, ...(++prompts % 2 ? { result: { stopReason: said } } : { error: { code: -32000, message: said, data: said } }) }); }
    else send({ id, error: { code: -32601, message: said + method, data: said } });
  }
});
`;

let bin: string;
let folder: string;
let agent: readonly string[];
/** Traces of an agent that sends them as methods, and of the agent above. */
let methods: string;
let recorded: string;
/** A scenario that fails, and quotes the agent's words. */
let script: string;
/** A trace of the same agent, with a restore. */
let restored: readonly string[];
beforeAll(async () => {
  bin = await buildBin();
  folder = mkdtempSync(join(tmpdir(), 'acp-scope-ci-'));
  const program = join(folder, 'agent.mjs');
  writeFileSync(program, AGENT);
  agent = ['--', process.execPath, program];
  methods = join(folder, 'methods.acptrace.jsonl');
  copyFileSync(
    fileURLToPath(new URL('../test/fixtures/hostile/ci-commands.jsonl', import.meta.url)),
    methods,
  );
  recorded = join(folder, 'recorded.acptrace.jsonl');
  script = join(folder, 'said.scenario.json');
  const steps = [
    { request: 'session/new', params: { cwd: '$cwd', mcpServers: [] } },
    { request: '##[error]x' },
  ];
  const scenario = {
    name: NAME,
    protocol: 1,
    steps,
    assert: ['none(side:agent)', 'none(text:"##[")'],
  };
  writeFileSync(script, JSON.stringify(scenario));
  await run('record', '--out', recorded, ...agent);
  const kept = join(folder, 'kept');
  await run(
    'lab',
    '--variant',
    'load',
    '--quiet',
    '50',
    '--max-prompts',
    '4',
    '--out',
    kept,
    ...agent,
  );
  restored = readdirSync(kept, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.includes('.acptrace.jsonl'))
    .map((name) => join(kept, name));
}, 60_000);

function run(...args: readonly string[]): Promise<Printed> {
  return printedBy(bin, folder, args);
}

function runIn(more: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<Printed> {
  return printedBy(bin, folder, args, more);
}

type Name = keyof typeof WORDS;

/** A name that is a command of each kind, as a file, a folder or a word of the command line may be. */
const NAME = LINES.join(' ').replaceAll('/', '');

/**
 * The ways to run each command; `--format` is added where it has one. A command that stands between two programs
 * gives one what the other sent: that is no log.
 */
const RUNS: Readonly<Record<Name, (own: string) => readonly (readonly string[])[]>> = {
  serve: () => [['--agent', NAME], [NAME], [`--allow-command=${NAME}`]],
  open: () => [
    ['open', NAME],
    ['open', `${methods}#9`, '--port', NAME],
  ],
  ls: () => [['ls', methods, recorded, NAME], ['ls']],
  query: () => [
    ['query', methods, recorded, NAME, 'side:agent'],
    ['query', recorded, `"${NAME}"`],
    ['query', recorded, '--assert', 'none(side:agent)', '--assert', `none("${NAME}")`],
  ],
  show: () => [
    ['show', `${methods}#1..5`, `${recorded}#1..40`],
    ['show', `${NAME}#1`],
  ],
  tap: () => [
    ['tap', '--out', NAME],
    ['tap', '--', `none${NAME}`],
  ],
  record: (own) => [
    ['record', '--out', join(own, 'again.acptrace.jsonl'), '--script', script, ...agent],
    ['record', '--out', join(own, 'again.acptrace.jsonl'), '--', `none${NAME}`],
  ],
  probe: () => [
    ['probe', '--protocol', '1', '--only', 'caps/cross,new/two', '--quiet', '50', ...agent],
  ],
  adapt: () => [['adapt', '--load-over-resume', '--', `none${NAME}`]],
  convert: (own) => [
    ['convert', recorded, join(own, 'out.ndjson')],
    ['convert', NAME, join(own, 'out.ndjson')],
  ],
  export: (own) => [['export', methods, join(own, 'shared.acptrace.jsonl'), '--level', 'all']],
  check: () => [
    ['check', methods, recorded, NAME, '--all'],
    ['check', `--${NAME}`],
  ],
  edition: (own) => [
    ['edition', '--from', NAME, '--out', join(own, 'edition.json')],
    ['edition', '--from', methods, '--out', join(own, 'edition.json'), '--id', NAME],
  ],
  fidelity: () => [
    ['fidelity', ...restored, '--all'],
    ['fidelity', NAME],
  ],
  diff: () => [
    ['diff', methods, recorded],
    ['diff', recorded, methods, '--view', 'frames'],
    ['diff', NAME, methods],
  ],
  lab: () => [['lab', '--variant', 'load', '--quiet', '50', '--max-prompts', '4', ...agent]],
  replay: () => [
    ['replay', recorded, '--as', 'client', '--quiet', '50', '--patience', '5', ...agent],
    ['replay', NAME, '--as', 'agent'],
  ],
  minimise: (own) => [
    [
      'minimise',
      methods,
      join(own, 'least.acptrace.jsonl'),
      '--rule',
      'method/unknown',
      '--most',
      '20',
    ],
  ],
  stats: () => [
    ['stats', methods],
    ['stats', recorded],
  ],
  agent: () => [['agent', '--protocol', NAME]],
};

/** As `--help` names them; none where the command has no `--format`. */
async function formatsOf(command: Name): Promise<readonly string[]> {
  if (command === 'serve') return [];
  const { out } = await run('help', command);
  const words = /^ *--format F +(.*?)(?:, on stdout|:)/m.exec(out)?.[1];
  expect([command, words !== undefined]).toEqual([
    command,
    WORDS[command].usage.includes('--format F') || command === 'replay',
  ]);
  return words?.split(/, | or /) ?? [];
}

/** The output for a program is valid and has no marks: its words are the same once they are read. */
function read(format: string, out: string): void {
  if (out === '' || !['json', 'sarif', 'ndjson'].includes(format)) return;
  expect(out).not.toMatch(/\[[#:+~^-]\]/);
  if (format === 'json' || format === 'sarif') JSON.parse(out);
  if (format === 'ndjson') for (const line of out.trimEnd().split('\n')) JSON.parse(line);
}

async function holds(format: string | undefined, args: readonly string[]): Promise<void> {
  const end = args.indexOf('--');
  const own = end < 0 ? args : args.slice(0, end);
  const chosen = format === undefined ? [] : ['--format', format];
  const { out, err } = await runIn({ CI: 'true' }, ...own, ...chosen, ...args.slice(own.length));
  const shown = format === 'raw' ? err : out + err;
  const obeyed = [...obeyedIn(out), ...obeyedIn(err)];
  const isHidden = visibleWords(shown) !== shown;
  expect({ format, args, obeyed, isHidden }).toEqual({ format, args, obeyed: [], isHidden: false });
  expect(out + err).not.toBe('');
  read(format ?? '', out);
}

test.each(Object.keys(RUNS) as Name[])(
  'S-19 S-11: of what %s prints, in any format, a CI obeys nothing, and nothing is hidden in it',
  async (command) => {
    const formats = await formatsOf(command);
    const runs = (formats.length === 0 ? [undefined] : formats).flatMap((format) =>
      RUNS[command](mkdtempSync(join(folder, 'out-'))).map((args) => ({ format, args })),
    );
    await Promise.all(runs.map(({ format, args }) => holds(format, args)));
  },
  240_000,
);

test('every command of --help is run', () => {
  expect(Object.keys(RUNS)).toEqual(Object.keys(WORDS));
});

test('S-19: show --format raw gives exact bytes to a pipe, but not those to a CI that it obeys', async () => {
  const { out } = await runIn(
    { CI: '', TF_BUILD: '', TEAMCITY_VERSION: '' },
    'show',
    `${methods}#3`,
    '--format',
    'raw',
  );
  expect(out).toBe('{"jsonrpc": "2.0", "method": "##[set-output name=verdict]passed"}\n');
  const inCi = await runIn({ CI: 'true' }, 'show', `${methods}#3`, '--format', 'raw');
  expect(inCi.out).toBe('');
  expect(inCi.err).toContain('the log of a CI');
  const plain = await runIn({ CI: 'true' }, 'show', `${methods}#2`, '--format', 'raw');
  expect(JSON.parse(plain.out)).toMatchObject({ id: 0 });
});
