import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draw } from '../../test/traces/draw.ts';
import type { TraceEvent } from '../../trace/event.ts';
import { eventLine } from '../../trace/format.ts';
import { LEVELS, type RedactionLevel } from './levels.ts';
import { Redactor } from './redactor.ts';

const TOKEN = `ghp_${'aB3x'.repeat(9)}`;

function redact(
  events: readonly TraceEvent[],
  level: RedactionLevel = 'no-secrets',
  known?: string[],
) {
  const redactor = new Redactor({ level, salt: 5, ...(known && { known }) });
  for (const event of events) redactor.learn(eventLine(event), event);
  redactor.learned();
  return { events: events.map((event) => redactor.event(event)), redactor };
}

function lineOf(events: readonly TraceEvent[], at = 0): string {
  const event = events[at];
  return event && 'line' in event && 'text' in event.line ? event.line.text : '';
}

test('I-10 every byte outside of what is left out stays: numbers, spaces, escapes, repeated keys', () => {
  const raw = `{ "jsonrpc":"2.0", "id":9007199254740993,"method" : "x", "params":{"n":1.0,"n":1e400,"t":"\\u00e9\\/ ${TOKEN}\\n","a":[ ]} } `;
  const { events } = redact(draw(`client raw ${raw}`));
  expect(lineOf(events)).toBe(
    lineOf(draw(`client raw ${raw}`)).replace(TOKEN, '‹redacted:token:1›'),
  );
});

test('the same secret has the same name wherever it stands, another has another', () => {
  const other = `glpat-${'x9Y8'.repeat(6)}`;
  const { events } = redact(
    draw(`
      client →0 session/new {"mcpServers":[{"env":[{"name":"A","value":"${TOKEN}"}]}]}
      agent update s1 agent_message_chunk "I see ${TOKEN} and ${other}"
      stderr using ${TOKEN}
    `),
  );
  const names = events.map((event) => eventLine(event).match(/‹redacted:[a-z-]+:\d+›/g));
  expect(names).toEqual([
    ['‹redacted:env:1›'],
    ['‹redacted:env:1›', '‹redacted:token:2›'],
    ['‹redacted:env:1›'],
  ]);
});

test('what is told as a secret only later is left out before too', () => {
  const { events } = redact(
    draw(`
      stderr the value is k9Xw-22Lm-pq77
      client →0 session/new {"mcpServers":[{"headers":[{"name":"X-Key","value":"k9Xw-22Lm-pq77"}]}]}
    `),
  );
  expect(events.slice(0, 1).map(eventLine).join()).toContain('the value is ‹redacted:header:1›');
});

test('pieces of a stream, redacted and joined, say what the whole redacted says', () => {
  const whole = `I use ${TOKEN} for it`;
  const parts = whole.match(/.{1,4}/g) ?? [];
  const { events } = redact(
    draw(
      `agent update s1 agent_message_chunk m1 ${parts.map((part) => JSON.stringify(part)).join(' ')}`,
    ),
  );
  const said = events.map(
    (_, at) =>
      (JSON.parse(lineOf(events, at)) as { params: { update: { content: { text: string } } } })
        .params.update.content.text,
  );
  expect(said).toHaveLength(parts.length);
  expect(said.join('')).toBe('I use ‹redacted:token:1› for it');
});

test('harmless headers, ids, paths, list cursors and words of the protocol stay as they are', () => {
  const events = draw(`
    client →"k-1" session/new {"cwd":"/home/mika/token-service","_meta":{"progressToken":"p1"},"mcpServers":[{"headers":[{"name":"Content-Type","value":"application/json"}]}]}
    agent ←"k-1" result {"sessionId":"0199a213-81c0-7800-8aa1-bbab2a035a53","nextCursor":"eyJvZmZzZXQiOjEwMH0="}
    agent update s1 tool_call {"toolCallId":"toolu_01AbCdEfGhIjKlMnOpQrStUv","kind":"read","status":"pending"}
  `);
  expect(redact(events).events).toEqual(events);
});

test('what was left out is counted by what told of it, and what remains is named', () => {
  const { events, redactor } = redact(
    draw(`
      stderr mail mika@example.org, ${TOKEN}, /home/mika/src
      client →0 session/new {"mcpServers":[{"env":[{"name":"A","value":"${TOKEN}"}]}]}
    `),
  );
  expect(events).toHaveLength(2);
  const { hits, secrets, leftovers } = redactor.redaction;
  expect(hits).toEqual({ token: 1, env: 1 });
  expect(secrets).toBe(1);
  expect(leftovers).toEqual([
    { kind: 'email', count: 1, seqs: [1] },
    { kind: 'home', count: 1, seqs: [1] },
  ]);
  expect(redactor.mark(undefined)).toEqual({ level: 'no-secrets', secrets: { token: 1 } });
});

test('without content, paths, ids and errors stay and what was said does not', () => {
  const { events } = redact(
    draw(`
      client →0 session/prompt s1 "my diary"
      agent update s1 tool_call {"toolCallId":"t1","title":"Read my diary","kind":"read","locations":[{"path":"/w/a"}],"rawInput":{"who":"mika","count":3}}
      agent ←0 error -32603 No model
      stderr my diary
    `),
    'no-content',
  );
  const lines = events.map((_, at) => lineOf(events, at));
  expect(lines.join('\n')).not.toMatch(/diary|mika/);
  expect(lines[1]).toContain('"path":"/w/a"');
  expect(lines[1]).toContain('"count":0');
  expect(lines[2]).toContain('No model');
  const [first = '', last = ''] = [lines[0]?.match(/‹text.*?›/)?.[0], lines[3]];
  expect(first).toBe(last);
});

test('of the shape, only the words of the protocol, ids and numbers stay', () => {
  const { events } = redact(
    draw(`
      start my-agent --acp
      client →0 initialize {"protocolVersion":1,"clientInfo":{"name":"Ed","version":"1"}}
      agent update s1 tool_call {"toolCallId":"t1","kind":"read","locations":[{"path":"/w/a"}]}
    `),
    'shape',
  );
  const text = events.map((event) => eventLine(event)).join('\n');
  expect(text).not.toMatch(/my-agent|"Ed|\/w\/a/);
  expect(text).toMatch(/initialize.*protocolVersion/);
  expect(text).toContain('tool_call');
});

/** Texts as traces have them, with secrets among them at times. */
const word = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    TOKEN,
    'password: hunter2x',
    'https://a:b1c2d3@h/x?token=abc123',
    '"',
    '\\',
    '{',
    '‹redacted:key:3›',
    '\u2028',
    'Bearer ab12cd34ef',
  ),
);
const text = fc.array(word, { maxLength: 5 }).map((words) => words.join(' '));
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.integer(),
    fc.boolean(),
    tie('list'),
    tie('map'),
    tie('inner'),
  ),
  list: fc.array(tie('value'), { maxLength: 4 }),
  inner: tie('map').map((value) => JSON.stringify(value)),
  map: fc.dictionary(
    fc.oneof(
      fc.constantFrom(
        'env',
        'headers',
        'name',
        'value',
        'apiKey',
        'args',
        'text',
        '_meta',
        'rawInput',
        'path',
        'sessionId',
      ),
      fc.string({ maxLength: 6 }),
    ),
    tie('value'),
    { maxKeys: 5 },
  ),
})).map;
const drawn = fc
  .array(
    fc.oneof(
      json.map((value) => JSON.stringify(value)),
      text.map((said) => said.replaceAll('\n', ' ')),
    ),
    { maxLength: 5 },
  )
  .map((lines) =>
    lines.map((line, at): TraceEvent => ({
      type: 'frame',
      seq: (at + 1) as never,
      at: at as never,
      from: 'agent',
      origin: 'peer',
      line: { text: line },
    })),
  );

test.each(LEVELS)(
  'any trace stays a trace at level %s, and redacted again it stays as it is',
  (level) => {
    fc.assert(
      fc.property(drawn, (events) => {
        const once = redact(events, level).events;
        expect(once.map(({ seq, type }) => [seq, type])).toEqual(
          events.map(({ seq, type }) => [seq, type]),
        );
        for (const [at] of events.entries())
          expect(isJson(lineOf(once, at))).toBe(isJson(lineOf(events, at)));
        expect(redact(once, level).events).toEqual(once);
      }),
    );
  },
);

test('I-10 what stays is the same text in the same order', () => {
  fc.assert(
    fc.property(drawn, (events) => {
      for (const [at, event] of redact(events).events.entries()) {
        const parts = lineOf([event]).split(/‹redacted:[a-z-]+:\d+›/);
        let from = 0;
        const before = lineOf(events, at);
        // Base64 is put anew as a whole; there is none here.
        for (const part of parts) {
          const found = before.indexOf(part, from);
          expect(found).toBeGreaterThanOrEqual(0);
          from = found + part.length;
        }
      }
    }),
  );
});

test('each level shows no more than the next', () => {
  fc.assert(
    fc.property(drawn, (events) => {
      const texts = LEVELS.map((level) =>
        redact(events, level).events.map((event) => stripped(lineOf([event]))),
      );
      for (const [at, lines] of texts.entries())
        for (const [line, shown] of lines.entries())
          expect(shown).toBeLessThanOrEqual(texts[at + 1]?.[line] ?? Infinity);
    }),
  );
});

test('a secret that its place alone tells is hidden wherever it stands, also where that place is left out', () => {
  const events = draw(`
    client →0 _v/x {"_meta":{"env":{"PASS":"Kettle-77-left"}}}
    client →1 _v/y {"path":"/srv/Kettle-77-left/a"}
  `);
  for (const level of ['shape', 'no-content', 'no-secrets'] as const)
    expect(JSON.stringify(redact(events, level).events)).not.toContain('Kettle-77');
});

/** How many letters stay. */
function stripped(line: string): number {
  return line.replace(/‹(?:redacted:[a-z-]+:\d+|text \d+ #[0-9a-f]{8})›/g, '').length;
}

/** An object or a list; a frame that says a bare number or string is text. */
function isJson(text: string): boolean {
  if (!/^[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test('S-08 a hostile text of a megabyte is read without going over it again and again', () => {
  const MEGA = 1_000_000;
  for (const part of [
    'a',
    'key=',
    'token: ',
    'https://a:',
    '-----BEGIN PRIVATE KEY-----',
    'eyJ',
    'Bearer ',
    '{',
    'cookie:',
    'sk-',
    '?a=',
    'A.',
    '\\"',
    '‹redacted:',
    '--token ',
    'login a password ',
    'docker login -u ',
    'mysql -x ',
    '<aaa>b',
    '_auth:aaaaaaaa',
    'authorization: digest ',
    '$2a$',
  ]) {
    const line = part.repeat(Math.ceil(MEGA / part.length)).slice(0, MEGA);
    const { events } = redact([
      { type: 'stderr', seq: 1 as never, at: 0 as never, line: { text: line } },
    ]);
    expect(events).toHaveLength(1);
  }
}, 60_000);
