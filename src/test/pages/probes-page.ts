// docs/probes.md, written from the registry, so that the page cannot say anything else than the code.
import { probePlan } from '../../drive/probes/plan.ts';
import type { Probe } from '../../drive/probes/world.ts';
import { PROBES } from '../../drive/probes/registry.ts';
import { PROBE_TEXTS } from '../../model/probe-texts.ts';

const FAMILIES: Readonly<Record<string, string>> = {
  ver: 'Versions',
  rpc: 'The JSON-RPC envelope',
  caps: 'Capabilities',
  new: 'New sessions',
  choice: 'Choices of a session (v1)',
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
  child: 'Child sessions (subagents)',
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
    ...(optIn === undefined ? [] : [`Left out by default: it ${optIn}.`]),
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
  const { probes, prompts, connections } = probePlan(version);
  return `v${version}: ${probes.length} probes, at most ${prompts} prompts and ${connections} processes`;
}

const LEFT_OUT = PROBES.flatMap(({ id, optIn }) =>
  optIn === undefined ? [] : [`- \`${id}\`: it ${optIn}.`],
).join('\n');

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
| \`--all\` | also what is left out by default, see below |
| \`--fail-on warn\` | end with 1 for warnings as well; \`fail\` as is |
| \`--cursor JSON\` | v2: a replay cursor that the agent documents, with \`$ID\` where the id of a message stands: \`{"type":"_message","messageId":"$ID"}\` |
| \`--max-prompts N\` | send at most N prompts; probes that would need more are skipped |
| \`--quiet MS\` | so long without a frame counts as silence; 750 as is |
| \`--timeout S\` | how long an answer may take, in seconds; 30 as is. A turn may take four times that |
| \`--pause S\` | so long the shared session rests before it is first restored, for agents that keep their sessions late or by the minute; 0 as is |
| \`--subagents\` | v1: say that the client takes child sessions, which v2 takes for granted |
| \`--auth METHOD\` | sign in with this method on each connection (\`authenticate\`, in v2 \`auth/login\`) |
| \`--baseline FILE\` | an earlier run in JSON: what failed there fails no more, and what warned there no warning fails |
| \`--edition FILE\` | judge by the [edition](editions.md) in this file; several for several versions |
| \`--out DIR\` | keep the trace of every connection there. Without it, those that show a failure or a warning are kept, and the output names them |
| \`--prompt TEXT\` | of the shared session, with \`$MARKER\` for the random word: "${PROBE_TEXTS.marker}" |
| \`--long-prompt TEXT\` | works long enough to be cancelled: "${PROBE_TEXTS.long}" |
| \`--tool-prompt TEXT\` | makes the agent use a harmless tool: "${PROBE_TEXTS.tool}" |
| \`--delegate-prompt TEXT\` | makes a child session do the work: "${PROBE_TEXTS.delegate}" |
| \`--delegate-long-prompt TEXT\` | the same, slowly and behind the turn: "${PROBE_TEXTS.delegateLong}" |
| \`--delegate-edit-prompt TEXT\` | the same, with something it needs a permission for: "${PROBE_TEXTS.delegateEdit}" |
| \`--format F\` | \`text\`, \`json\`, \`markdown\`, \`html\`, \`junit\`, on stdout |

It never asks anything. It ends with 0, with 1 if a probe failed that the baseline does not know (or
warned, with \`--fail-on warn\`), with 2 if the command line is wrong, and with 3 if the agent cannot be started, does not shake hands, or gives
no session before a sign-in, or if \`--baseline\` or \`--edition\` cannot be read or \`--out\` be written. Ctrl-C ends the agents, prints what is known so far, and ends with 1.

Of what \`--only\` names, a glob that has no probe in the version spoken is told under _left out_, with the
\`--protocol\` that asks it; one that names no probe at all is a mistake in the command line.

A run that judged nothing ends with 1 as well, so that no build is green for it: what \`--only\` names is of
the other version (\`load/*\` is of v1: give \`--protocol 1\`), or all of it was skipped. The reason stands at
the end of the text, or on stderr, and in JSON as \`unasked\`, in JUnit as an error.

## Verdicts

- **pass**: as due.
- **fail**: a MUST is broken.
- **warn**: a SHOULD is broken, or only one edition of the draft asks for it: what came with SDK 2.4.0
  is not checked against an agent that answers prompts as the August draft had it.
- **info**: noted, not judged, because the protocol leaves it open.
- **skip**: could not be asked, and why: not advertised, no sign-in, no prompts left.

The [rules](rules.md) run on every frame of a run as well. What they find, and what no probe provoked on
purpose, stands beside the probes as \`rule/…\`, once for each rule: an error fails, a warning warns.

## What comes back short

Three questions decide whether a client that trusts a replay knows what was said:

| question | v1 | v2 |
| --- | --- | --- |
| does the prompt of the shared session come back, and its answer? | \`load/roundtrip\`, \`load/fold\` | \`resume2/start\`, \`resume2/fold\` |
| does a tool call come back, with its final status? | \`load/tools\` | \`resume2/tools\` |
| do ids, order and contents stay the same? | \`load/repeat\` | \`resume2/prompt-id\`, \`resume2/stable\` |

In v1 an agent must replay the entire conversation on \`session/load\`, so a prompt, a tool call or the last
answer of a turn that does not come back **fails**. In v2 it replays what it retained, and may retain less:
what is missing there **warns**, and the run ends with 0. An agent that does not say what it was told before
warns as well. The last lines of the text name what warned; a build that is to fail for it says
\`--fail-on warn\`. The [resume lab](lab.md) fails there: it asks whether the same agent gives back what it said,
a probe asks what the protocol makes due. Ids of messages that \`load/repeat\` finds changed warn in both, since
v1 does not require them to be stable. Replays of either version are checked against what was said live as [\`acp-scope fidelity\`](fidelity.md) does
it, so frames are named on both sides.

Tool calls are asked about only with \`--all\`, or by name (\`--only 'load/*'\`), since the agent must use a
tool for it. A run that leaves such probes out says so: in text under _left out_, in JSON as \`leftOut\`, in
JUnit as skipped cases, in the page's report card with the way to ask them. Left out by default:

${LEFT_OUT}

A question to a model about what it remembers is repeated once, and warns at worst, since a model may
know and not say.

## In the page

<picture>
  <source media="(prefers-color-scheme: dark)" srcset="images/probes-dark.png" />
  <img alt="The report card of an agent: what it advertises against what works, its resume profile, and every probe with its verdict and frames" src="images/probes-light.png" />
</picture>

Probes are a suite of [Test](testing.md), key \`7\`; *Probe this agent…* in the rail's
menu of a connection and in \`Ctrl+K\` leads there. Each row says what a probe asks and the prompts it costs;
what must be advertised for it stands at the right. Choose *Sessions and replay*, what needs no prompt, all, a
family, or row by row; a limit for prompts is as \`--max-prompts\`, and *Prompts of your own* are as the options
above. Before anything is sent the page says how
many prompts it will be at most, and asks.

Each process that a run starts is a connection of its own, recorded like any other and folded into
one line of the rail. They start with the command, folder and environment of the connection that you
looked at, and end when the run does. *Stop the run* ends it, and so does a reload of the tab or a lost link.
What had a verdict by then is told.

The row of the suite shows the report card, and the reports that are kept, the newest first, also when no agent
is connected. Frames are links such as \`c4#12\`; those of a trace that was deleted since say so. *Copy as JSON*
gives what \`--format json\` prints, with connections in place of trace files; *Copy as Markdown* gives the report
card and all verdicts.

## JSON

\`\`\`json
{
  "agent": { "name": "my-agent", "title": "My agent", "version": "1.0", "command": ["my-agent", "--acp"] },
  "protocolVersion": 2,
  "probes": [
    {
      "id": "resume2/omit",
      "verdict": "fail",
      "why": "No state_update before the response; expected one.",
      "seqs": [5, 8],
      "trace": "/tmp/acp-scope-traces-x/018-shared-omit-1.acptrace.jsonl",
      "also": [{ "trace": "…", "seqs": [7] }]
    }
  ],
  "summary": { "pass": 50, "fail": 1, "warn": 0, "info": 5, "skip": 9, "prompts": 12, "connections": 40 }
}
\`\`\`

\`leftOut\` names what was not asked, why, and the option that asks it, \`{"id","why","asks"}\`: probes that
only \`--all\` asks, or a glob of \`--only\` that names none of this version. It is absent where there are none;
\`unasked\` says why a run judged nothing, and is absent where it did.
\`seqs\` are the frames a verdict rests on, in \`trace\`; \`also\` names frames in further traces. Only
traces that were kept are named. \`known\` marks a failure, or a warning, of the baseline, \`stopped\` in the summary a
run that was stopped.

## What lines cannot decide

A probe says lines and reads lines, over stdio or to an agent [reached by URL](transports.md) alike. Some
probes of the catalogue need more, and stand there with the reason why they are skipped:

- \`resume2/running\` and \`resume2/detach\` need a second connection to one process: to see a session run
  that another client prompted, or to lose a connection and not the agent with it. An agent on stdio has
  one client, and ends with it. A session asked for again on the connection that has it is asked about in
  \`load/same-process\`; what a killed agent leaves open, in the [resume lab](lab.md).

Those of \`http\` and \`ws\` are asked by hand, of an agent that is reached by URL from the command line:
\`acp-scope probe --only 'http/*' -- http://127.0.0.1:9000/acp\`. Their requests are not recorded, but for those of
\`http/reconnect\`, which is one connection after another; the verdict says what each got and what is due.

\`close/background\` is skipped for another reason: no prompt is known that leaves work in the background in
every agent.

## The catalogue

"shared" stands for the one prompt of the shared session.`;
