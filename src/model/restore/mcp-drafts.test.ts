import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draftFaults, NO_SERVER, printServers, readServers } from './mcp-drafts.ts';

const db = { ...NO_SERVER, name: 'db', command: '/bin/db', args: '--a\nb c', pairs: 'K=v=w' };
const web = {
  ...NO_SERVER,
  transport: 'http' as const,
  name: 'web',
  url: 'https://a.b/mcp',
  pairs: 'Authorization: Bearer x',
};

test('a stdio server has a type in v2 and none in v1', () => {
  expect(JSON.parse(printServers([db], 1))).toEqual([
    { name: 'db', command: '/bin/db', args: ['--a', 'b c'], env: [{ name: 'K', value: 'v=w' }] },
  ]);
  expect(JSON.parse(printServers([db], 2))).toMatchObject([{ type: 'stdio', name: 'db' }]);
});

test('a server over HTTP has its headers', () => {
  expect(JSON.parse(printServers([web], 2))).toEqual([
    {
      type: 'http',
      name: 'web',
      url: 'https://a.b/mcp',
      headers: [{ name: 'Authorization', value: 'Bearer x' }],
    },
  ]);
});

test('what the form prints it reads again, for both versions', () => {
  const word = fc.stringMatching(/^[A-Za-z][\w.-]{0,8}$/);
  const server = fc.oneof(
    fc.record({
      transport: fc.constant('stdio' as const),
      name: word,
      command: word.map((name) => `/${name}`),
      args: fc.array(word, { maxLength: 3 }).map((args) => args.join('\n')),
      url: fc.constant(''),
      pairs: fc.array(word, { maxLength: 2 }).map((all) => all.map((w) => `${w}=1 2`).join('\n')),
    }),
    fc.record({
      transport: fc.constantFrom('http' as const, 'sse' as const),
      name: word,
      command: fc.constant(''),
      args: fc.constant(''),
      url: word.map((host) => `https://${host}/`),
      pairs: fc.array(word, { maxLength: 2 }).map((all) => all.map((w) => `${w}: x`).join('\n')),
    }),
  );
  fc.assert(
    fc.property(fc.array(server, { maxLength: 4 }), fc.constantFrom(1, 2), (drafts, version) => {
      expect(readServers(printServers(drafts, version as 1 | 2))).toEqual(drafts);
    }),
  );
});

test('what the form could not show whole stays JSON', () => {
  for (const text of ['{}', '[', '[5]', '[{"type":"acp","name":"x","id":"1"}]', '[{"name":"x"}]'])
    expect(readServers(text)).toBeUndefined();
});

test('faults are told by field, in a sentence', () => {
  expect(draftFaults(db, [])).toEqual([]);
  expect(draftFaults({ ...db, command: 'db' }, [db]).map(({ field }) => field)).toEqual([
    'name',
    'command',
  ]);
  expect(draftFaults({ ...web, url: 'ftp://x', pairs: 'nothing' }, [])).toEqual([
    { field: 'url', words: 'Enter an http or https address.' },
    { field: 'pairs', words: '“nothing” is not Name: value.' },
  ]);
});
