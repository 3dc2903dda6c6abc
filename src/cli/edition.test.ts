import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder, keepTaps, scope, whole } from '../test/programs/tap-process.ts';
import { draw } from '../test/traces/draw.ts';
import { V1_SESSION } from '../test/traces/rule-case.ts';
import { eventLine, headerLine } from '../trace/format.ts';

keepTaps();

const at = (name: string) => join(folder, name);

/** An SDK whose v1 has an update, a method and a field more. */
function newerSdk(): void {
  mkdirSync(at('sdk/schema/v1'), { recursive: true });
  writeFileSync(at('sdk/package.json'), '{"version":"9.9.9"}');
  for (const name of ['schema.json', 'schema.unstable.json']) {
    const url = import.meta.resolve(`@agentclientprotocol/sdk/schema/v1/${name}`);
    const schema = JSON.parse(readFileSync(new URL(url), 'utf8')) as {
      $defs: Record<string, { properties: object; oneOf: object[] }>;
    };
    const { SessionUpdate, NewSessionRequest } = schema.$defs;
    SessionUpdate?.oneOf.push({
      type: 'object',
      properties: {
        sessionUpdate: { type: 'string', const: 'weather_update' },
        sky: { type: 'string' },
      },
      required: ['sessionUpdate', 'sky'],
    });
    Object.assign(NewSessionRequest?.properties ?? {}, { budget: { type: 'integer' } });
    const method = {
      type: 'object',
      properties: {},
      'x-side': 'agent',
      'x-method': 'session/weather',
    };
    Object.assign(schema.$defs, { WeatherRequest: method, WeatherResponse: method });
    writeFileSync(at(`sdk/schema/v1/${name}`), JSON.stringify(schema));
  }
}

function newerTrace(sky: string): void {
  const head = { format: 'acptrace', version: 1, created: '2026-11-21T10:41:00.000Z', tool: 't' };
  const events = draw(`${V1_SESSION.replace('"mcpServers":[]', '"mcpServers":[],"budget":5')}
    client →7 session/weather {}
    agent update s1 weather_update {"sky":${sky}}
    agent ←7 result {}`);
  const lines = [headerLine({ ...head, clock: 'monotonic' } as never), ...events.map(eventLine)];
  writeFileSync(at('t.acptrace.jsonl'), `${lines.join('\n')}\n`);
}

async function ran(...args: readonly string[]) {
  const child = scope(...args);
  child.stdin.end();
  return whole(child);
}

test('an edition of a newer SDK is made, says what changed, and makes its names known', async () => {
  newerSdk();
  const made = await ran('edition', '--from', at('sdk'), '--out', at('new.json'));
  expect(made.out).toContain('v1-9.9.9:');
  for (const line of [
    '+ session/weather',
    '+ SessionUpdate "weather_update"',
    '+ NewSessionRequest.budget',
  ])
    expect(made.out).toContain(`  ${line}\n`);
  newerTrace('"blue"');
  const without = await ran('check', at('t.acptrace.jsonl'));
  expect(without.out).toMatch(/hint .*schema\/update/);
  expect(without.out).toMatch(/hint .*method\/unknown/);
  const known = await ran('check', at('t.acptrace.jsonl'), '--edition', at('new.json'));
  expect(known.out).toContain('checked as v1 as of 9.9.9');
  expect(known.out).toContain('No rule failed.');
  newerTrace('5');
  const wrong = await ran('check', at('t.acptrace.jsonl'), '--edition', at('new.json'));
  expect(wrong.out).toMatch(/error .*schema\/update/);
  expect(wrong.out).toContain('`sky` is the number 5');
});

/** Speaks v1, and writes a line that is no message. */
const NOISY = `
  console.log('Starting');
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id } = JSON.parse(line);
    const result = { protocolVersion: 1, agentCapabilities: {}, authMethods: [] };
    console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });`;

test('probes judge by the edition in a file, and the lab reads one too', async () => {
  const format = { format: 'acp-edition', formatVersion: 1, id: 'v1-lenient', version: 1 };
  const about = { words: 'lenient v1', date: '2027-01-01', source: 'https://example.org' };
  const lenient = { ...format, ...about, on: 'v1-2026-11', counts: { 'frame/not-json': 'off' } };
  writeFileSync(at('lenient.json'), JSON.stringify(lenient));
  const agent = ['--', process.execPath, '-e', NOISY];
  const own = ['--only', 'ver/v1', '--quiet', '10', '--format', 'json'];
  const rule = 'rule/frame/not-json';
  expect((await ran('probe', ...own, ...agent)).out).toContain(rule);
  const judged = await ran('probe', ...own, '--edition', at('lenient.json'), ...agent);
  expect(judged.out).toContain('"ver/v1"');
  expect(judged.out).not.toContain(rule);
  const lab = await ran('lab', '--edition', at('none.json'), ...agent);
  expect(lab.err).toContain('none.json: there is no such file');
  expect(lab.code).toBe(3);
});

test('an edition under the id of a built-in one is rejected before it is written', async () => {
  const sdk = join(import.meta.dirname, '../../node_modules/@agentclientprotocol/sdk');
  const make = ['edition', '--from', sdk, '--protocol', '1', '--out', at('same.json')] as const;
  const same = await ran(...make);
  expect(same.err).toContain('v1-2.4.0 is the id of a built-in edition. Give another with --id.');
  expect(existsSync(at('same.json'))).toBe(false);
  expect((await ran(...make, '--id', 'mine')).out).toMatch(/^v1-mine: \d+ changes/);
});

test('what is no schema, and what is no edition, is named with the reason', async () => {
  writeFileSync(at('odd.json'), '{}');
  const made = await ran('edition', '--from', at('odd.json'), '--out', at('new.json'));
  expect(made.err).toContain('is not a schema of ACP');
  const dated = ['--from', at('odd.json'), '--out', at('new.json'), '--date', '2026-13-40'];
  expect((await ran('edition', ...dated)).err).toContain('2026-13-40 is not YYYY-MM-DD');
  mkdirSync(at('folder/schema.json'), { recursive: true });
  const folded = await ran('edition', '--from', at('folder'), '--out', at('new.json'));
  expect([folded.code, folded.err]).toEqual([
    3,
    `Cannot read ${at('folder/schema.json')}: it is a folder.\n`,
  ]);
  const checked = await ran('check', at('odd.json'), '--edition', at('odd.json'));
  expect(checked.err).toContain('`format` is not "acp-edition"');
});
