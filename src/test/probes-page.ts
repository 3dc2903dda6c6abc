// docs/probes.md, written from the registry, so that the page cannot say anything else than the code.
import { planOf } from '../drive/probes/plan.ts';
import type { Probe } from '../drive/probes/probe.ts';
import { PROBES } from '../drive/probes/registry.ts';
import { PROBE_TEXTS } from '../drive/probes/world.ts';

const FAMILIES: Readonly<Record<string, string>> = {
  ver: 'Versions',
  rpc: 'The JSON-RPC envelope',
  caps: 'Capabilities',
  new: 'New sessions',
  list: 'Listing',
  load: 'Load (v1)',
  resume1: 'Resume (v1)',
  resume2: 'Resume and replay (v2)',
  close: 'Closing',
  delete: 'Deletion',
  fork: 'Forks (unstable)',
  status: 'Status (unstable)',
  archive: 'Archives (unstable)',
  prompt: 'Prompts',
  cancel: 'Cancellation',
  http: 'HTTP',
  ws: 'WebSocket',
};

export function probesPage(): string {
  return [HEAD, ...Object.keys(FAMILIES).flatMap(section), ''].join('\n');
}

/** Families without a heading. */
export function untitled(): readonly string[] {
  return [...new Set(PROBES.map(familyOf))].filter((family) => !(family in FAMILIES));
}

function section(family: string): string[] {
  return [
    '',
    `### ${FAMILIES[family] ?? family}`,
    '',
    '| probe | version | asks, and what is due | prompts |',
    '| --- | --- | --- | --- |',
    ...PROBES.filter((probe) => familyOf(probe) === family).map(row),
  ];
}

function row(probe: Probe): string {
  const { id, versions, sentence, source, prompts, optIn, elsewhere, saved } = probe;
  const pages = source.map(({ words, url }) => `[${words}](${url})`).join('; ');
  const notes = [
    ...(optIn ? ['Only asked by name.'] : []),
    ...(elsewhere === undefined ? [] : [`Always skipped: ${elsewhere}`]),
  ];
  const shared = saved === undefined ? '' : ' + shared';
  return `| \`${id}\` | ${versions.map((version) => `v${version}`).join(', ')} | ${cell([sentence, ...notes].join(' '))} (${pages}) | ${prompts}${shared} |`;
}

function familyOf({ id }: Probe): string {
  return id.slice(0, id.indexOf('/'));
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function cost(version: 1 | 2): string {
  const { probes, prompts, connections } = planOf(version);
  return `v${version}: ${probes.length} probes, at most ${prompts} prompts and ${connections} processes`;
}

const HEAD = `# Probes

\`\`\`sh
acp-scope probe -- my-agent --acp
\`\`\`

asks a live agent what its sessions, restores and replays do, and says of each question whether the
answer is as the protocol makes due. This page is written from the code; \`npm test\` fails where they
differ.

It starts the agent many times, as an editor that is opened and closed would: over stdio a new
connection is a new process, so what is restored has survived the end of one. It makes its sessions in
a temporary folder and prompts one of them ("the shared session") with a random word, which whoever
restores the session must find again. It closes and deletes no session that it did not make itself.
It offers the agent no files, terminals or forms, and rejects what the agent asks permission for.
\`session/list\` may name other sessions of yours: they are looked at in the list, and left alone.

Agents cost money, so the number of prompts is known before and said on stderr; \`--list\` says it
without starting anything. By default ${cost(1)}; ${cost(2)}.

| option | does |
| --- | --- |
| \`--protocol 1\\|2\` | the version to probe. Without it, the highest that the agent speaks: run it again for the other |
| \`--only GLOB\` | only these: \`"resume2/*,list/plain"\`. Names also what is left out by default |
| \`--max-prompts N\` | send at most N prompts; probes that would need more are skipped |
| \`--quiet MS\` | so long without a frame counts as silence; 750 as is |
| \`--timeout S\` | how long an answer may take, in seconds; 30 as is. A turn may take four times that |
| \`--pause S\` | so long the shared session rests before it is first restored, for agents that keep their sessions late or by the minute; 0 as is |
| \`--auth METHOD\` | sign in with this method on each connection (\`authenticate\`, in v2 \`auth/login\`) |
| \`--baseline FILE\` | an earlier run in JSON: what failed there fails no more |
| \`--out DIR\` | keep the trace of every connection there. Without it, those that show a failure or a warning are kept, and the output names them |
| \`--prompt TEXT\` | of the shared session, with \`$MARKER\` for the random word: "${PROBE_TEXTS.marker}" |
| \`--long-prompt TEXT\` | works long enough to be cancelled: "${PROBE_TEXTS.long}" |
| \`--tool-prompt TEXT\` | makes the agent use a harmless tool: "${PROBE_TEXTS.tool}" |
| \`--format F\` | \`text\`, \`json\`, \`junit\`, on stdout |

It never asks anything. It ends with 0, with 1 if a probe failed that the baseline does not know, with 2
if the command line is wrong, and with 3 if the agent cannot be started, does not shake hands, or gives
no session before a sign-in. Ctrl-C ends the agents, prints what is known so far, and ends with 1.

## Verdicts

- **pass**: as due.
- **fail**: a MUST is broken.
- **warn**: a SHOULD is broken, or only one edition of the draft asks for it: what came with SDK 2.4.0
  is not held against an agent that answers prompts as the August draft had it.
- **info**: told, not judged, because the protocol leaves it open.
- **skip**: could not be asked, and why: not advertised, no sign-in, no prompts left.

The [rules](rules.md) run on every frame of a run as well. What they find, and what no probe provoked on
purpose, stands beside the probes as \`rule/…\`, once for each rule: an error fails, a warning warns.

A question to a model about what it remembers is repeated once, and warns at worst, since a model may
know and not say.

## In the page

*Probe this agent…* stands in the connection panel, in the rail's menu of a connection and in
\`Ctrl+K\`. The catalogue is listed by family, with what each probe asks, what must be advertised for
it, and the prompts it costs. Choose *Sessions and replay*, what needs no prompt, all, or row by row;
a limit for prompts is as \`--max-prompts\`. Before anything is sent the page says how many prompts it
will be at most, and asks.

Each process that a run starts is a connection of its own, recorded like any other and folded into
one line of the rail. They start with the command, folder and environment of the connection that you
looked at, and end when the run does. The run goes on while you look at other views; *Stop the run*
ends it, and so does a reload of the tab or a lost link. What had a verdict by then is told.

The report belongs to the command: every connection of it shows the last one, for as long as the tab
is open. Frames are links such as \`c4#12\`. *Copy as JSON* gives what \`--format json\` prints, with
connections in place of trace files; *Copy as Markdown* gives the report card and all verdicts.

## JSON

\`\`\`json
{
  "agent": { "name": "my-agent", "title": "My agent", "version": "1.0", "command": ["my-agent", "--acp"] },
  "protocolVersion": 2,
  "probes": [
    {
      "id": "resume2/omit",
      "verdict": "fail",
      "why": "No state_update came before the answer; one is due.",
      "seqs": [5, 8],
      "trace": "/tmp/acp-scope-traces-x/018-shared-omit-1.acptrace.jsonl",
      "also": [{ "trace": "…", "seqs": [7] }]
    }
  ],
  "summary": { "pass": 50, "fail": 1, "warn": 0, "info": 5, "skip": 9, "prompts": 12, "connections": 40 }
}
\`\`\`

\`seqs\` are the frames a verdict rests on, in \`trace\`; \`also\` names frames in further traces. Only
traces that were kept are named. \`known\` marks a failure of the baseline, \`stopped\` in the summary a
run that was stopped.

## The catalogue

"shared" stands for the one prompt of the shared session.`;
