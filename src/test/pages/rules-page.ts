// docs/rules.md, written from the registry, so that the page cannot say anything else than the code.
import { EDITIONS } from '../../acp/editions/editions.ts';
import { otherwise } from '../../rules/against.ts';
import { RULES, UNJUDGED } from '../../rules/registry.ts';
import type { Rule, Unjudged } from '../../rules/rule.ts';
import { allOf, type Source } from '../../rules/source.ts';
import { SOURCES } from '../../rules/sources.ts';

const FAMILIES: Readonly<Record<string, string>> = {
  frame: 'Framing: what a line must be',
  rpc: 'The JSON-RPC envelope',
  schema: 'The schemas of the official SDK',
  method: 'Methods',
  update: 'Session updates',
  shape: 'Fields',
  enum: 'Values of open lists',
  ext: 'Extensions',
  init: 'Initialization and negotiation',
  cap: 'Capabilities',
  auth: 'Authentication',
  setup: 'Session setup',
  child: 'Child sessions',
  content: 'Content blocks, and links to sessions',
  resume: 'Resume',
  replay: 'History replay',
  load: 'Load',
  cursor: 'Session cursors',
  prompt: 'Prompts',
  state: 'The state of a session (v2)',
  message: 'Messages',
  usage: 'Usage',
  tool: 'Tool calls',
  term: 'Terminals of the agent (v2)',
  plan: 'Plans',
  compaction: 'Compaction',
  commands: 'Commands',
  perm: 'Permissions',
  cancel: 'Cancellation',
  close: 'Closing',
  delete: 'Deletion',
  list: 'Listing',
  mode: 'Modes (v1)',
  config: 'Config options',
  title: 'Titles',
  fs: 'Files of the client (v1)',
  xterm: 'Terminals of the client (v1)',
  elicit: 'Elicitation',
  mcp: 'MCP over ACP',
  proxy: 'Proxies',
  http: 'HTTP',
  ws: 'WebSocket',
};

export function rulesPage(): string {
  const total = RULES.length + UNJUDGED.length;
  return [
    '# Rules',
    '',
    'The conformance rules of [`acp-scope check`](check.md) and of the view *Checks*. This page is',
    'written from the code; `npm test` fails where they differ.',
    '',
    `${total} rules: **${RULES.length}** are judged, **${UNJUDGED.length}** stand at the end with the reason why a trace cannot`,
    'decide them. An error breaks a MUST, a warning a SHOULD or is a strong inference, a hint is worth a',
    'look. Where editions differ, the column says so. What is due is said in our words; beside it stands',
    'the sentence of the protocol, word for word (`…` where some are left out), or that none says it.',
    ...Object.entries(FAMILIES).flatMap(([family, title]) => section(family, title)),
    '',
    '## What a trace cannot decide',
    '',
    '| rule | version | what is due | what the protocol says | why no trace decides it |',
    '| --- | --- | --- | --- | --- |',
    ...UNJUDGED.map(unjudgedRow),
    '',
  ].join('\n');
}

function section(family: string, title: string): string[] {
  const rules = RULES.filter(({ id }) => familyOf(id) === family);
  if (rules.length === 0) return [];
  return [
    '',
    `## ${title}`,
    '',
    '| rule | version | at fault | severity | what is due | what the protocol says |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rules.map(ruleRow),
  ];
}

function ruleRow(rule: Rule): string {
  const { id, versions, side, clause } = rule;
  return `| \`${id}\` | ${versionWords(versions)} | ${side} | ${[rule.severity, ...otherwise(rule)].join('; ')} | ${cell(clause)} | ${sourcesCell(SOURCES[id])} |`;
}

function unjudgedRow({ id, versions, clause, why }: Unjudged): string {
  return `| \`${id}\` | ${versionWords(versions)} | ${cell(clause)} | ${sourcesCell(SOURCES[id])} | ${cell(why)} |`;
}

/** Each place with its words; words that stand in several places once. */
function sourcesCell(source: Source): string {
  const places = new Map<string, string[]>();
  for (const one of allOf(source)) {
    const said = saidWords(one);
    const links = places.get(said) ?? [];
    const isThere = links.some((link) => link.includes(`](${one.url})`));
    places.set(said, isThere ? links : [...links, linkOf(one, source)]);
  }
  return [...places].map(([said, links]) => `${said} (${links.join(', ')})`).join('; ');
}

function saidWords({ quote, follows }: Source): string {
  return cell(quote === undefined ? `follows from ${follows ?? 'what it is'}` : `“${quote}”`);
}

function linkOf(one: Source, whole: Source): string {
  const edition = one === whole.august ? `, ${EDITIONS['v2-2026-08'].words}` : '';
  return `[${cell(one.words)}](${one.url})${edition}`;
}

function versionWords(versions: readonly number[]): string {
  return versions.map((version) => `v${version}`).join(', ');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function familyOf(id: string): string {
  return id.split('/')[0] ?? id;
}

/** Families of the registry that the page has no heading for. */
export function untitled(): readonly string[] {
  const families = new Set(RULES.map(({ id }) => familyOf(id)));
  return [...families].filter((family) => !(family in FAMILIES));
}
