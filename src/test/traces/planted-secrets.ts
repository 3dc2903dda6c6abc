// Planted secrets, in every position of a trace: what must be left out of one.
import type { Json } from '../../acp/json.ts';
import { toBase64, encodeUtf8 } from '../../lib/utf8.ts';
import { millis } from '../../lib/time.ts';
import { lineOf } from '../../trace/line.ts';
import { seq, type Frame, type Side, type TraceEvent } from '../../trace/event.ts';

// Made here, so that no scanner of this repository takes them for real ones.
let state = 7;
function letters(
  count: number,
  of = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789',
): string {
  let out = '';
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    out += of[(state >>> 8) % of.length] ?? '';
  }
  return `${out.slice(0, -2)}4a`.slice(-count);
}
const UPPER = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const HEX = '0123456789abcdef';

/** Known by how they look, wherever they stand. */
const TOKENS: Readonly<Record<string, string>> = {
  anthropic: `sk-ant-api03-${letters(60)}`,
  'openai project': `sk-proj-${letters(48)}`,
  openai: `sk-${letters(48)}`,
  openrouter: `sk-or-v1-${letters(64, HEX)}`,
  groq: `gsk_${letters(52)}`,
  xai: `xai-${letters(80)}`,
  perplexity: `pplx-${letters(48)}`,
  nvidia: `nvapi-${letters(64)}`,
  replicate: `r8_${letters(37)}`,
  'hugging face': `hf_${letters(34)}`,
  github: `ghp_${letters(36)}`,
  'github oauth': `gho_${letters(36)}`,
  'github server': `ghs_${letters(36)}`,
  'github fine': `github_pat_${letters(22)}_${letters(59)}`,
  gitlab: `glpat-${letters(20)}`,
  'gitlab runner': `glrt-${letters(20)}`,
  npm: `npm_${letters(36)}`,
  pypi: `pypi-${letters(60)}`,
  rubygems: `rubygems_${letters(48, HEX)}`,
  docker: `dckr_pat_${letters(27)}`,
  atlassian: `ATATT3${letters(60)}`,
  aws: `AKIA${letters(16, UPPER)}`.slice(0, 18) + 'QZ',
  'aws session': `ASIA${letters(16, UPPER)}`.slice(0, 18) + 'QZ',
  google: `AIza${letters(35)}`,
  'google oauth': `ya29.${letters(60)}`,
  'google client': `GOCSPX-${letters(28)}`,
  digitalocean: `dop_v1_${letters(64, HEX)}`,
  vault: `hvs.${letters(40)}`,
  tailscale: `tskey-auth-${letters(30)}`,
  databricks: `dapi${letters(32, HEX)}`,
  supabase: `sbp_${letters(40, HEX)}`,
  slack: `xoxb-${letters(12, '0123456789')}-${letters(24)}`,
  'slack app': `xapp-1-${letters(40)}`,
  stripe: `sk_live_${letters(24)}`,
  'stripe hook': `whsec_${letters(32)}`,
  sendgrid: `SG.${letters(22)}.${letters(43)}`,
  mailgun: `key-${letters(32, HEX)}`,
  shopify: `shpat_${letters(32, HEX)}`,
  linear: `lin_api_${letters(40)}`,
  notion: `ntn_${letters(46)}`,
  sentry: `sntrys_${letters(60)}`,
  grafana: `glsa_${letters(41)}`,
  posthog: `phc_${letters(43)}`,
  figma: `figd_${letters(40)}`,
  'new relic': `NRAK-${letters(27, UPPER)}`,
  square: `sq0atp-${letters(22)}`,
  telegram: `123456789:AA${letters(33)}`,
  'signed token': `eyJ${letters(20)}.eyJ${letters(40)}.${letters(43)}`,
  age: `AGE-SECRET-KEY-1${letters(58, UPPER)}`,
};
/** Known by nothing but where they stand. */
const PLAIN = ['correct-horse-7', 'Tr0ub4dor&3', 'p4ssw0rd!"x\\y'];
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
  { name: 'a private key, in a message', secret: PEM, events: [frame(said(`here:\n${PEM}\nend`))] },
  {
    name: 'a private key, over chunks',
    secret: PEM,
    events: pieces(`here:\n${PEM}\nend`, 11).map((text) => frame(said(text))),
  },
];
