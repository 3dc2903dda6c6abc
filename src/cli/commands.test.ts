import { linkSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { at, err, folder, keepOutput, out } from '../test/programs/command-line.ts';
import { agent } from './agent.ts';
import { EXIT, runCommand, type Command } from './command.ts';
import { check } from './check.ts';
import { convert } from './convert.ts';
import { ls } from './ls.ts';
import { open } from './open.ts';
import { probe } from './probe.ts';
import { query } from './query.ts';
import { record } from './record.ts';
import { serve } from './serve.ts';
import { show } from './show.ts';
import { stats } from './stats.ts';
import { tap } from './tap.ts';

keepOutput();

const RECORDED = [
  '{"t":0,"dir":"client-to-agent","raw":"{\\"jsonrpc\\":\\"2.0\\",\\"id\\":0,\\"method\\":\\"initialize\\",\\"params\\":{}}"}',
  '{"t":5,"dir":"stderr","raw":"up"}',
  '{"t":9,"dir":"agent-to-client","raw":"{\\"jsonrpc\\":\\"2.0\\",\\"id\\":0,\\"result\\":{\\"protocolVersion\\":1}}"}',
  '',
].join('\n');

describe('convert', () => {
  test('there and back again gives the same bytes, gzipped or not', async () => {
    writeFileSync(at('a.ndjson'), RECORDED);
    for (const middle of ['b.acptrace.jsonl', 'b.acptrace.jsonl.gz']) {
      expect(await runCommand(convert, [at('a.ndjson'), at(middle)])).toBe(EXIT.ok);
      expect(await runCommand(convert, [at(middle), at('c.ndjson.gz'), '--force'])).toBe(EXIT.ok);
      expect(gunzipSync(readFileSync(at('c.ndjson.gz'))).toString()).toBe(RECORDED);
    }
  });

  test('what another tool wrote becomes a trace, and it says what was given, inferred and lost', async () => {
    const zed = fileURLToPath(new URL('../test/fixtures/imports/zed.json', import.meta.url));
    expect(await runCommand(convert, [zed, at('z.acptrace.jsonl')])).toBe(EXIT.ok);
    const said = err.join('\n');
    expect(said).toMatch(/times +lost +11 +Zed writes none/);
    expect(said).toMatch(/the lines +inferred +11/);
    expect(said).toMatch(/z\.acptrace\.jsonl: 12 events\./);
    const [header, first] = readFileSync(at('z.acptrace.jsonl'), 'utf8').split('\n');
    expect(JSON.parse(header ?? '')).toMatchObject({ version: 2, clock: 'imported', tool: 'Zed' });
    expect(JSON.parse(first ?? '')).not.toHaveProperty('at');
    expect(await runCommand(stats, [at('z.acptrace.jsonl')])).toBe(EXIT.ok);
    expect(out.join('\n')).toContain('11 frames without times');
  });

  test('the archive of a JetBrains IDE is unpacked', async () => {
    const zip = new URL('../test/fixtures/imports/jetbrains-acp-logs.zip', import.meta.url);
    expect(await runCommand(convert, [fileURLToPath(zip), at('j.ndjson')])).toBe(EXIT.ok);
    expect(readFileSync(at('j.ndjson'), 'utf8').trim().split('\n')).toHaveLength(11);
  });

  test('--merge lays recordings of one process together, and tells the offset', async () => {
    const imported = (name: string) =>
      fileURLToPath(new URL(`../test/fixtures/imports/${name}`, import.meta.url));
    const files = ['acp-transport.log', 'acp-inspector.jsonl', 'zed.json'].map(imported);
    expect(await runCommand(convert, [...files, at('m.acptrace.jsonl'), '--merge'])).toBe(EXIT.ok);
    const said = err.join('\n');
    expect(said).toMatch(
      /told from 11 lines that both have, nine in ten within 0\.\d ms\. 11 in both, 0 in/,
    );
    expect(said).toMatch(/by the order of 11 lines that both have: one of them has no times/);
    const again = [...files, at('m2.acptrace.jsonl'), '--merge', '--format', 'json'];
    expect(await runCommand(convert, again)).toBe(EXIT.ok);
    expect(JSON.parse(out.join('\n'))).toMatchObject({
      in: files,
      out: at('m2.acptrace.jsonl'),
      laid: [
        { file: files[1], by: 'frames', both: 11, first: 0 },
        { file: files[2], by: 'order', both: 11 },
      ],
    });
    expect(
      await runCommand(convert, [at('m.acptrace.jsonl'), at('n.acptrace.jsonl'), '--merge']),
    ).toBe(EXIT.usage);
  });

  test('what became of a file is told in any format, on stdout', async () => {
    const zed = fileURLToPath(new URL('../test/fixtures/imports/zed.json', import.meta.url));
    const told = async (format: string) => {
      const from = out.length;
      const args = [zed, at('f.acptrace.jsonl'), '--force', '--format', format];
      expect(await runCommand(convert, args)).toBe(EXIT.ok);
      return out.slice(from).join('\n');
    };
    expect(JSON.parse(await told('json'))).toMatchObject({
      in: [zed],
      out: at('f.acptrace.jsonl'),
      events: 12,
      imported: { tool: 'Zed', frames: 11, untimed: 11 },
    });
    expect(await told('markdown')).toMatch(/\| times +\| lost/);
    expect(await told('html')).toContain('Zed writes none');
    expect(err).toEqual([]);
    expect(await runCommand(convert, [zed, at('f.ndjson'), '--format', 'junit'])).toBe(EXIT.usage);
  });

  test('bytes that are not UTF-8 become U+FFFD in the recorder format, and it says how many', async () => {
    const header = { format: 'acptrace', version: 1, created: '', tool: 't', clock: 'monotonic' };
    const frame = {
      type: 'frame',
      seq: 1,
      at: 0,
      from: 'agent',
      line: { base64: '/w==' },
      origin: 'peer',
    };
    const exit = { type: 'exit', seq: 2, at: 1, code: 0 };
    writeFileSync(
      at('a.acptrace.jsonl'),
      [header, frame, exit].map((line) => JSON.stringify(line) + '\n').join(''),
    );
    expect(await runCommand(convert, [at('a.acptrace.jsonl'), at('b.ndjson')])).toBe(EXIT.ok);
    expect(readFileSync(at('b.ndjson'), 'utf8')).toBe(
      '{"t":0,"dir":"agent-to-client","raw":"\uFFFD"}\n',
    );
    expect(err.join('\n')).toMatch(/^1 line is not UTF-8.*\n1 event is neither/s);
  });

  test('a file is not written onto itself, whatever it is called', async () => {
    writeFileSync(at('a.ndjson'), RECORDED);
    linkSync(at('a.ndjson'), at('b.ndjson'));
    for (const name of ['a.ndjson', 'b.ndjson'])
      expect(await runCommand(convert, [at('a.ndjson'), at(name)])).toBe(EXIT.usage);
    expect(err[0]).toMatch(/are one file/);
    expect(readFileSync(at('a.ndjson'), 'utf8')).toBe(RECORDED);
  });

  test('a name without a format, a missing file and a foreign file are each a sentence', async () => {
    writeFileSync(at('a.ndjson'), RECORDED);
    writeFileSync(at('x.bin'), 'PNG');
    expect(await runCommand(convert, [at('a.ndjson'), at('b.txt')])).toBe(EXIT.usage);
    expect(await runCommand(convert, [at('none'), at('b.ndjson')])).toBe(EXIT.environment);
    expect(await runCommand(convert, [at('x.bin'), at('b.ndjson')])).toBe(EXIT.environment);
    expect(err[0]).toMatch(/says no format. End it in .acptrace.jsonl or .ndjson/);
    expect(err[1]).toMatch(/^Cannot read .*none: there is no such file or folder\.$/);
    expect(err[2]).toMatch(/This file has no trace that can be read/);
  });
});

describe('stats', () => {
  test('prints one JSON document', async () => {
    writeFileSync(at('a.ndjson'), RECORDED);
    expect(await runCommand(stats, [at('a.ndjson'), '--format', 'json'])).toBe(EXIT.ok);
    expect(JSON.parse(out.join(''))).toMatchObject({
      frames: { client: 1, agent: 1 },
      stderrLines: 1,
    });
  });
});

describe('record', () => {
  const AGENT = `
    let text = '';
    process.stdin.on('data', (chunk) => {
      text += chunk;
      for (let end; (end = text.indexOf('\\n')) >= 0; text = text.slice(end + 1)) {
        const { id, method } = JSON.parse(text.slice(0, end));
        const result = { initialize: { protocolVersion: 1 }, 'session/new': { sessionId: 's' }, 'session/prompt': { stopReason: 'end_turn' } }[method];
        console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
      }
    });`;

  test('writes a session and a prompt, then ends the agent', async () => {
    const status = await runCommand(record, [
      '--out',
      at('r.acptrace.jsonl'),
      '--prompt',
      'Hi',
      '--',
      process.execPath,
      '-e',
      AGENT,
    ]);
    expect(status).toBe(EXIT.ok);
    const text = readFileSync(at('r.acptrace.jsonl'), 'utf8');
    expect([...text.matchAll(/\\"method\\":\\"([\w/]+)/g)].map((match) => match[1])).toEqual([
      'initialize',
      'session/new',
      'session/prompt',
    ]);
    expect(text).toContain('\\"sessionId\\":\\"s\\"');
    expect(text.trimEnd().split('\n').at(-1)).toContain('"type":"exit"');
  });

  test.each([
    [
      'record',
      () => record,
      (agent: readonly string[]) => ['--out', at('b.ndjson'), '--', ...agent],
    ],
    ['probe', () => probe, (agent: readonly string[]) => ['--only', 'ver/v1', '--', ...agent]],
  ])('R-10: %s does not wait for an agent that answers in arrays', async (_, of, args) => {
    const batching = AGENT.replace(
      "{ jsonrpc: '2.0', id, result }",
      "[{ jsonrpc: '2.0', id, result }]",
    );
    expect(await runCommand(of(), args([process.execPath, '-e', batching]))).toBe(EXIT.ok);
  });

  test('each --prompt is a turn of one session, in the order they are given', async () => {
    const prompts = ['--prompt', 'first', '--prompt', 'second', '--prompt=third'];
    const run = ['--out', at('p.acptrace.jsonl'), ...prompts, '--', process.execPath, '-e', AGENT];
    expect(await runCommand(record, run)).toBe(EXIT.ok);
    const text = readFileSync(at('p.acptrace.jsonl'), 'utf8');
    const said = [...text.matchAll(/\\"text\\":\\"(\w+)/g)].map((match) => match[1]);
    expect(said).toEqual(['first', 'second', 'third']);
    expect(text.match(/"method\\":\\"session\/new/g)).toHaveLength(1);
  });

  test('an agent that does not answer initialize in time is named, with the option that waits longer', async () => {
    const mute = ['--', process.execPath, '-e', 'process.stdin.resume()'];
    const run = (timeout: string) => ['--out', at('t.acptrace.jsonl'), '--timeout', timeout];
    expect(await runCommand(record, [...run('0.2'), ...mute])).toBe(EXIT.failed);
    expect(err.join('\n')).toContain(
      'initialize was not answered in 200 ms. To wait longer, give a larger --timeout, in seconds.',
    );
    expect(await runCommand(record, [...run('soon'), ...mute])).toBe(EXIT.usage);
    expect(err.join('\n')).toContain('--timeout soon is not a number of 0 or more.');
  });

  test('the name says the format: the recorder format, gzipped', async () => {
    const out = at('r.ndjson.gz');
    const run = ['--out', out, '--', process.execPath, '-e', AGENT];
    expect(await runCommand(record, run)).toBe(EXIT.ok);
    const lines = gunzipSync(readFileSync(out)).toString().trimEnd().split('\n');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ dir: 'client-to-agent' });
    expect(readdirSync(folder).filter((name) => name.startsWith('r.'))).toEqual(['r.ndjson.gz']);
  });

  test('without a script, an agent that refuses the session is status 1, and its words are told', async () => {
    const agent = `require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      const said = method === 'initialize' ? { result: { protocolVersion: 1 } } : { error: { code: -32000, message: 'Log in first' } };
      console.log(JSON.stringify({ jsonrpc: '2.0', id, ...said }));
    })`;
    const args = ['--out', at('r.acptrace.jsonl'), '--', process.execPath, '-e', agent];
    expect(await runCommand(record, args)).toBe(EXIT.failed);
    expect(err.at(-1)).toMatch(/session\/new failed: −32000 Log in first\./);
  });

  test('an agent that dies first is status 1, one that cannot start is 3', async () => {
    const dying = [
      '--out',
      at('r.acptrace.jsonl'),
      '--',
      process.execPath,
      '-e',
      'process.exit(4)',
    ];
    expect(await runCommand(record, dying)).toBe(EXIT.failed);
    expect(err.at(-1)).toMatch(/^The agent ended before the script did, with 4\./);
    const missing = ['--out', at('s.acptrace.jsonl'), '--', 'acp-scope-no-such-agent'];
    expect(await runCommand(record, missing)).toBe(EXIT.environment);
    expect(err.at(-1)).toMatch(/was not found. Install it, or give its full path/);
  });
});

describe('the command line', () => {
  test('everything after the first -- belongs to the agent', () => {
    expect(tap.read(['--name', 'x', '--', 'cmd', '--', '--help'])).toMatchObject({
      values: { name: 'x' },
      agent: ['cmd', '--', '--help'],
    });
  });

  const COMMANDS: readonly Command[] = [
    ...[serve, open, ls, query, show, tap, record, check, convert, stats, agent],
  ];
  test.each(
    COMMANDS.map((command) => [command.usage.split(' ').slice(0, 2).join(' '), command] as const),
  )('%s explains itself', async (_, command) => {
    expect(await runCommand(command, ['--help'])).toBe(EXIT.ok);
    expect(out.join('\n')).toContain(command.usage);
  });

  test.each([
    [tap, [], 'tap needs the agent’s command after --.'],
    [record, ['--out', 'x'], 'record needs the agent’s command after --.'],
    [
      record,
      ['--out', 'x', 'ws://a:pw@h/acp'],
      '"ws://…@h/acp" is no option of acp-scope record. The agent follows --: acp-scope record … -- ws://…@h/acp',
    ],
    [
      record,
      ['--protocol', '3', '--out', 'x', '--', 'a'],
      '--protocol 3 is not a version. Give 1 or 2.',
    ],
    [
      record,
      ['--prompt', 'x', '--script', 'y', '--out', 'x', '--', 'a'],
      'record takes --script or --prompt, not both',
    ],
    [tap, ['--out', 'x.ndjson', '--', 'a'], 'Name it *.acptrace.jsonl, and convert it afterwards.'],
    [check, [], 'check takes one or more trace files.'],
    [stats, [], 'stats takes one trace file.'],
    [show, [], 'show takes frames of files, such as FILE#12.'],
    [
      serve,
      ['--port', 'x'],
      '--port x is not a port. Give a number from 1 to 65535, or 0 for any free one.',
    ],
    [serve, ['--port', '0x1f'], '--port 0x1f is not a port.'],
    [open, ['--port', '1e3'], '--port 1e3 is not a port.'],
    [open, ['--port', '65536'], '--port 65536 is not a port.'],
    [serve, ['--agent', 'x'], 'There is no known agent x.'],
    [serve, ['--allow-command', 'x'], '--allow-command takes a JSON list of words'],
    [serve, ['--allow-command', '{"argv":[]}'], 'argv is missing or wrong.'],
    [serve, ['--allow-command', '{"argv":["a"],"root":["/"]}'], 'there is no "root".'],
    [serve, ['--allow-command', '{"argv":["a"],"terminals":1}'], 'terminals is missing or wrong.'],
    [serve, ['--allow-command', '{"argv":["a"],"env":{"A":1}}'], 'env is missing or wrong.'],
    [agent, ['--misbehave', 'x'], 'The bundled agent has no misbehaviour x.'],
    [open, ['--bogus'], "Unknown option '--bogus'."],
  ] as const)('a mistake is a sentence and status 2: %#', async (command, args, sentence) => {
    expect(await runCommand(command, args)).toBe(EXIT.usage);
    expect(err.join('\n')).toContain(sentence);
    expect(err.join('\n')).toContain('Usage: acp-scope');
  });

  test.each(['https://acp.example', '*', 'null'])(
    'T-20: no option lets a page from elsewhere in, %s neither',
    async (origin) => {
      expect(await runCommand(serve, ['--allow-origin', origin])).toBe(EXIT.usage);
      expect(err.join('\n')).toContain("Unknown option '--allow-origin'");
    },
  );

  test.each([
    [tap, ['--', 'API_KEY=hunter2', 'node']],
    [record, ['--out', 'x.ndjson', '--', 'API_KEY=hunter2', 'node']],
    [serve, ['--', 'API_KEY=hunter2', 'node']],
    [serve, ['--allow-command', '["API_KEY=hunter2","node"]']],
    [serve, ['--allow-command', '{"argv":["node"],"env":"hunter2"}']],
    [serve, ['--allow-command', 'hunter2']],
  ] as const)(
    'a variable where the program should be is refused, and its value is not said: %#',
    async (command, args) => {
      expect(await runCommand(command, args)).toBe(EXIT.usage);
      expect([...out, ...err].join('\n')).not.toContain('hunter2');
      expect(err.join('\n')).toMatch(/API_KEY|--allow-command takes/);
    },
  );

  test('open without a relay says how to start one', async () => {
    expect(await runCommand(open, ['--port', '1'])).toBe(EXIT.environment);
    expect(err[0]).toMatch(/^No relay of yours runs on port 1\. Run acp-scope/);
  });
});
