// Planted secrets, in every position of a trace: what must be left out of one.
import type { Json } from '../../acp/json.ts';
import { toBase64, encodeUtf8 } from '../../lib/utf8.ts';
import { millis } from '../../lib/time.ts';
import { lineOf } from '../../trace/line.ts';
import { seq, type Frame, type Side, type TraceEvent } from '../../trace/event.ts';
import { letters, TOKENS } from './planted-tokens.ts';

/** Known by nothing but where they stand. */
const PLAIN = ['correct-horse-7', 'Tr0ub4dor&3', 'p4ssw0rd!"x\\y'];
const USER = toBase64(encodeUtf8(`me:${letters(12)}`));
const PEM = `-----BEGIN RSA PRIVATE KEY-----\n${letters(64)}\n${letters(64)}\n${letters(20)}==\n-----END RSA PRIVATE KEY-----`;

const message = (value: Json) => JSON.stringify({ jsonrpc: '2.0', ...(value as object) });
const update = (body: Json) =>
  message({ method: 'session/update', params: { sessionId: 's1', update: body } });
const said = (text: string, variant = 'agent_message_chunk') =>
  update({ sessionUpdate: variant, content: { type: 'text', text } });
const mcp = (server: Json) =>
  message({ id: 1, method: 'session/new', params: { cwd: '/w', mcpServers: [server] } });

let made = 0;
const frame = (text: string, from: Side = 'agent'): Frame => ({
  ...{ type: 'frame', seq: seq(++made), at: millis(made), from, origin: 'peer' },
  line: { text },
});
const stderr = (text: string): TraceEvent => ({
  type: 'stderr',
  seq: seq(++made),
  at: millis(made),
  line: { text },
});
const started = (argv: readonly string[]): TraceEvent => ({
  type: 'start',
  seq: seq(++made),
  at: millis(made),
  argv,
  cwd: '/w',
});
const pieces = (text: string, size: number) =>
  text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];

type Plant = (secret: string) => readonly TraceEvent[];

/** Where a token stands that is known by how it looks. */
export const TOKEN_PLACES: Readonly<Record<string, Plant>> = {
  'in prose': (it) => [frame(said(`Use ${it}, then go on.`))],
  'in a thought': (it) => [frame(said(`the key is \`${it}\``, 'agent_thought_chunk'))],
  'in a prompt': (it) => [
    frame(
      message({
        id: 3,
        method: 'session/prompt',
        params: { sessionId: 's1', prompt: [{ type: 'text', text: `my key: ${it}` }] },
      }),
      'client',
    ),
  ],
  'as a key of JSON': (it) => [frame(message({ method: '_x/y', params: { [it]: true } }))],
  'in an error': (it) => [
    frame(message({ id: 1, error: { code: -32603, message: `401 for ${it}`, data: { got: it } } })),
  ],
  'in the name of a file': (it) => [
    frame(
      message({
        id: 5,
        method: 'fs/read_text_file',
        params: { sessionId: 's1', path: `/w/${it}.json` },
      }),
    ),
  ],
  'in a vendor field': (it) => [
    frame(
      update({
        sessionUpdate: 'tool_call',
        toolCallId: 't',
        title: 'x',
        _meta: { 'vendor.dev/a': [{ b: it }] },
      }),
    ),
  ],
  'on stderr': (it) => [stderr(`2026-01-01 WARN auth with ${it} failed`)],
  'on stderr as JSON': (it) => [stderr(JSON.stringify({ level: 'warn', detail: { used: it } }))],
  'in a line that is no JSON': (it) => [frame(`Loaded ${it}`)],
  'in a line that is not UTF-8': (it) => [
    { ...frame(''), line: lineOf(Uint8Array.of(...encodeUtf8(`a ${it} `), 0xff, 0xfe)) },
  ],
  'as a whole word of the command': (it) => [started(['agent', it])],
  'in JSON in a string': (it) => [
    frame(
      update({
        sessionUpdate: 'tool_call',
        toolCallId: 't',
        rawInput: { body: JSON.stringify({ a: [it] }) },
      }),
    ),
  ],
  'in JSON in JSON in a string': (it) => [
    frame(
      update({
        sessionUpdate: 'tool_call',
        toolCallId: 't',
        rawInput: { body: JSON.stringify({ a: JSON.stringify({ b: `\n${it}` }) }) },
      }),
    ),
  ],
  'in base64': (it) => [frame(said(`see ${toBase64(encodeUtf8(`the token is ${it}`))} there`))],
  'in JSON in base64': (it) => [
    frame(
      update({
        sessionUpdate: 'tool_call',
        toolCallId: 't',
        rawOutput: { blob: toBase64(encodeUtf8(JSON.stringify({ a: it }))) },
      }),
    ),
  ],
  'in a diff': (it) => [
    frame(
      update({
        sessionUpdate: 'tool_call_update',
        toolCallId: 't',
        content: [{ type: 'diff', path: '/w/.env', oldText: null, newText: `A=1\nB=${it}\n` }],
      }),
    ),
  ],
  'in an answer about a file': (it) => [
    frame(message({ id: 5, result: { content: `x\r\n${it}\r\n` } }), 'client'),
  ],
  'in output of a terminal': (it) => [
    frame(
      message({ id: 6, result: { output: `\u001b[32m${it}\u001b[0m`, truncated: false } }),
      'client',
    ),
  ],
  'over chunks of a message': (it) => pieces(`so ${it} it is`, 5).map((text) => frame(said(text))),
  'over chunks of a thought': (it) =>
    pieces(`so ${it} it is`, 9).map((text) => frame(said(text, 'agent_thought_chunk'))),
  'over single letters': (it) => pieces(`${it} `, 1).map((text) => frame(said(text))),
  'over chunks with other frames between': (it) =>
    pieces(`a ${it} z`, 7).flatMap((text) => [
      frame(said(text)),
      frame(update({ sessionUpdate: 'usage_update', used: 1, size: 2 })),
      stderr('tick'),
    ]),
  'over output of a terminal': (it) =>
    pieces(`$ ${it}\n`, 6).map((text) =>
      frame(
        update({
          sessionUpdate: 'terminal_output_chunk',
          terminalId: 't1',
          data: toBase64(encodeUtf8(text)),
        }),
      ),
    ),
  'over output of a tool': (it) =>
    pieces(`$ ${it}\n`, 8).map((text) =>
      frame(
        update({
          sessionUpdate: 'tool_call_content_chunk',
          toolCallId: 't1',
          content: { type: 'content', content: { type: 'text', text } },
        }),
      ),
    ),
  'over output in a vendor field': (it) =>
    pieces(`$ ${it}\n`, 8).map((text) =>
      frame(
        update({
          sessionUpdate: 'tool_call_update',
          toolCallId: 't1',
          _meta: { terminal_output: { terminal_id: 't1', data: text } },
        }),
      ),
    ),
};

/** Where a value is a secret whatever it looks like. */
const PLACES: Readonly<Record<string, Plant>> = {
  'env of an MCP server': (it) => [
    frame(mcp({ name: 'a', command: 'x', args: [], env: [{ name: 'ANY', value: it }] }), 'client'),
  ],
  'env of an MCP server, value first': (it) => [
    frame(mcp({ name: 'a', command: 'x', env: [{ value: it, name: 'ANY' }] }), 'client'),
  ],
  'env as a map': (it) => [frame(mcp({ name: 'a', command: 'x', env: { ANY: it } }), 'client')],
  'env of a terminal': (it) => [
    frame(
      message({
        id: 7,
        method: 'terminal/create',
        params: { command: 'x', env: [{ name: 'A', value: it }] },
      }),
    ),
  ],
  'headers of an MCP server': (it) => [
    frame(
      mcp({
        type: 'http',
        name: 'a',
        url: 'https://a.dev',
        headers: [{ name: 'X-Own', value: it }],
      }),
      'client',
    ),
  ],
  'headers as a map': (it) => [
    frame(
      mcp({ type: 'http', name: 'a', url: 'https://a.dev', headers: { 'X-Own': it } }),
      'client',
    ),
  ],
  'a key that says so': (it) => [
    frame(message({ id: 2, method: '_x/login', params: { apiKey: it } })),
  ],
  'a key that says so, in a result': (it) => [
    frame(message({ id: 2, result: { auth: { access_token: it } } })),
  ],
  'a password, in JSON in a string': (it) => [
    frame(
      update({
        sessionUpdate: 'tool_call',
        toolCallId: 't',
        rawInput: JSON.stringify({ user: 'a', password: it }),
      }),
    ),
  ],
  'after an option of the command': (it) => [started(['agent', '--api-key', it, '--acp'])],
  'in an option of the command': (it) => [started(['agent', `--token=${it}`])],
  'in a header of the command': (it) => [started(['agent', '-H', `Authorization: Bearer ${it}`])],
  'in arguments of an MCP server': (it) => [
    frame(mcp({ name: 'a', command: 'npx', args: ['x', '--token', it] }), 'client'),
  ],
  'a variable among arguments': (it) => [
    frame(mcp({ name: 'a', command: 'docker', args: ['-e', `GITHUB_TOKEN=${it}`] }), 'client'),
  ],
  'under a store of secrets': (it) => [frame(message({ id: 2, result: { secrets: { a: it } } }))],
};

/** Where text says so; only what a shell or an address can hold as it is. */
export const TEXT_PLACES: Readonly<Record<string, Plant>> = {
  'in an address': (it) => [frame(said(`clone https://me:${it}@host.dev/a.git`))],
  'in an address without a name': (it) => [frame(said(`https://${it}@host.dev/a.git`))],
  'in a parameter of an address': (it) => [
    frame(said(`GET https://host.dev/a?v=1&access_token=${it}&x=2`)),
  ],
  'in a database address': (it) => [stderr(`connecting to postgres://app:${it}@db:5432/app`)],
  'in a line of .env': (it) => [frame(said(`\`\`\`\nDB_PASSWORD=${it}\nMODE=x\n\`\`\``))],
  'in an export of a shell': (it) => [
    frame(
      update({
        sessionUpdate: 'tool_call',
        toolCallId: 't',
        rawInput: { command: `export API_KEY="${it}" && run` },
      }),
    ),
  ],
  'in a command of a tool': (it) => [
    frame(
      update({
        sessionUpdate: 'tool_call',
        toolCallId: 't',
        rawInput: { command: ['sh', '-c', `x --token ${it}`] },
      }),
    ),
  ],
  'in code': (it) => [frame(said(`const apiKey = '${it}';`))],
  'in YAML': (it) => [frame(said(`db:\n  password: ${it}\n`))],
  'in a header of curl': (it) => [
    frame(said(`curl -H "Authorization: Bearer ${it}" https://a.dev`)),
  ],
  'in a cookie': (it) => [stderr(`Cookie: sid=${it}; a=b`)],
  'of a user of curl': (it) => [frame(said(`curl -u me:${it} https://a.dev`))],
  'joined to the option of curl': (it) => [frame(said(`curl -ume:${it} https://a.dev`))],
  'of sshpass': (it) => [frame(said(`sshpass -p '${it}' ssh a.dev`))],
  'of a login to a registry': (it) => [frame(said(`docker login -u me -p ${it} a.dev`))],
  'of a client of a database': (it) => [frame(said(`mysql -u root -p${it} app`))],
  'in a .netrc': (it) => [frame(said(`machine a.dev login me password ${it}\n`))],
  'in a variable set by a word': (it) => [frame(said(`set -x API_KEY ${it}\nENV B=1`))],
  'in an environment of Python': (it) => [frame(said(`os.environ["API_KEY"] = "${it}"`))],
  'in an element of XML': (it) => [frame(said(`<server><password>${it}</password></server>`))],
  'as a person tells it': (it) => [
    frame(said(`the password is ${it}, use it`, 'user_message_chunk')),
  ],
  'in an encoded address': (it) => [frame(said(`?to=https%3A%2F%2Fa%3Faccess_token%3D${it}`))],
  'in escaped JSON in prose': (it) => [frame(said(`it sent {\\"apiKey\\":\\"${it}\\"} to us`))],
};

interface Case {
  readonly name: string;
  readonly secret: string;
  readonly events: readonly TraceEvent[];
}

export const CASES: readonly Case[] = [
  ...Object.entries(TOKENS).map(([kind, secret]) => ({
    name: `${kind}, in prose`,
    secret,
    events: TOKEN_PLACES['in prose']?.(secret) ?? [],
  })),
  ...['anthropic', 'github', 'signed token'].flatMap((kind) =>
    Object.entries(TOKEN_PLACES).map(([place, plant]) => {
      const secret = TOKENS[kind] ?? '';
      return { name: `${kind}, ${place}`, secret, events: plant(secret) };
    }),
  ),
  ...PLAIN.flatMap((secret) =>
    Object.entries(PLACES).map(([place, plant]) => ({
      name: `${secret}, ${place}`,
      secret,
      events: plant(secret),
    })),
  ),
  ...['hunter2x9', 'Zx81kq77'].flatMap((secret) =>
    Object.entries(TEXT_PLACES).map(([place, plant]) => ({
      name: `${secret}, ${place}`,
      secret,
      events: plant(secret),
    })),
  ),
  ...['{"auths":{"a.dev":{"auth":"§"}}}', '//a.dev/:_auth=§'].map((kept) => ({
    name: `user and password in base64, ${kept}`,
    ...{ secret: USER, events: [frame(said(kept.replace('§', USER)))] },
  })),
  { name: 'a private key, in a message', secret: PEM, events: [frame(said(`here:\n${PEM}\nend`))] },
  {
    name: 'a private key, over chunks',
    secret: PEM,
    events: pieces(`here:\n${PEM}\nend`, 11).map((text) => frame(said(text))),
  },
];
