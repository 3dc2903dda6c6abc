// How each command is called and what it does, in the order of --help, which loads none of them.
import { EDITION_IDS } from '../acp/editions/editions.ts';

export const WORDS = {
  serve: {
    usage:
      'acp-scope [--port N] [--no-open] [--allow-command JSON] [--trust-page] [--agent NAME | -- CMD ARGS…]',
    summary: 'Start the relay and open its page.',
  },
  open: {
    usage: 'acp-scope open [FILE[#SEQ]] [--port N] [--no-open]',
    summary: 'A fresh link to the running relay; or a trace file in its page.',
  },
  ls: {
    usage: 'acp-scope ls [FILE…|FOLDER…] [--format F]',
    summary: 'The recordings kept here for the page; or what trace files hold.',
  },
  query: {
    usage: "acp-scope query FILE… 'QUERY' [--count] [--limit N] | --assert 'A'… [--format F]",
    summary: 'Find frames in trace files, in the language of the page.',
  },
  show: {
    usage: 'acp-scope show FILE#SEQ… [--format F]',
    summary: 'A frame: who sent it and when, its exchange, session and findings, its exact line.',
  },
  tap: {
    usage:
      'acp-scope tap [--name N] [--out FILE] [--force] [--intercept FILE] [--allow-intercept] [--listen [HOST:]PORT] [--header …] -- CMD ARGS… | URL',
    summary: 'Stand in an editor’s settings in the place of the agent, and record what passes.',
  },
  record: {
    usage:
      'acp-scope record --out FILE [--force] [--script FILE… | --prompt TEXT…] [--protocol 1|2] [--subagents] [--repeat N] [--watch CMD-FILE] [--timeout S] [--intercept FILE] [--header H…] [--format F] -- CMD ARGS… | URL',
    summary: 'Drive an agent headless and write a trace; run a scenario and its assertions.',
  },
  probe: {
    usage:
      'acp-scope probe [--protocol 1|2] [--only GLOB | --all] [--max-prompts N] [--quiet MS] [--cursor JSON] [--fail-on warn] [--baseline FILE] [--edition FILE…] [--out DIR] [--list] [--header H…] [--format F] -- CMD ARGS… | URL',
    summary: 'Ask a live agent what its sessions, restores and replays do.',
  },
  adapt: {
    usage: 'acp-scope adapt --load-over-resume [--store DIR] [--name N] -- CMD ARGS…',
    summary: 'Give history replay to an agent that can resume its sessions, but not load them.',
  },
  convert: {
    usage: 'acp-scope convert IN… OUT [--force] [--merge] [--format F]',
    summary: 'Write a trace in another format, chosen by the name of OUT.',
  },
  export: {
    usage:
      'acp-scope export IN OUT [--force] [--level shape|no-content|no-secrets|all] [--finding ID] [--format F]',
    summary:
      'Write a trace to share, or what shows a finding: without secrets, unless said otherwise.',
  },
  check: {
    usage: `acp-scope check FILE… [--profile auto|${EDITION_IDS.join('|')}] [--severity error|warning|hint] [--edition FILE…] [--all] [--apart] [--baseline FILE] [--format F]`,
    summary: 'Hold traces against the protocol: its schemas, and rules no schema can say.',
  },
  edition: {
    usage:
      'acp-scope edition --from PATH --out FILE [--protocol 1|2] [--id ID] [--date YYYY-MM-DD] [--force]',
    summary:
      'Make an edition from the schema of a newer SDK or specification, and list its changes.',
  },
  fidelity: {
    usage: 'acp-scope fidelity FILE… [--session ID] [--all] [--allow-inconclusive] [--format F]',
    summary: 'Hold what an agent replays against what was said live, for each restore.',
  },
  diff: {
    usage: 'acp-scope diff A B [--view V] [--ignore RULE…] [--raw KIND…] [--format F]',
    summary: 'Compare two traces, or more with the first.',
  },
  lab: {
    usage:
      'acp-scope lab [--protocol 1|2] [--variant …] [--stop …] [--cwd …] [--id …] [--capabilities …] [--subagents …] [--mcp …] [--cursor JSON] [--full] [--repeat N] [--max-prompts N] [--prompt TEXT] [--ask TEXT] [--out DIR] [--html FILE] [--force] [--fail-on warn] [--baseline FILE] [--edition FILE…] [--header H…] [--format F] -- CMD ARGS… | URL',
    summary: 'The resume lab: make a session, stop its agent, restore it, and see what came back.',
  },
  replay: {
    usage: 'acp-scope replay FILE --as agent | --as client [options] -- CMD ARGS… | URL',
    summary: 'Play a recorded agent to a live client, or a recorded client to a live agent.',
  },
  minimise: {
    usage:
      "acp-scope minimise IN OUT --assert 'EXPR' | --rule ID [--most N] [--force] [--format F]",
    summary: 'Leave out of a trace all that is not needed for it to fail.',
  },
  stats: {
    usage: 'acp-scope stats FILE [--format F]',
    summary: 'Counts and latency by method, turns, waits, restores, usage.',
  },
  agent: {
    usage:
      'acp-scope agent [--protocol 1|2|both] [--store DIR] [--seed N] [--misbehave NAME] [--require-sign-in] [--no-replay] [--replay-complete] [--mcp] [--listen [HOST:]PORT]',
    summary: 'The bundled agent, on stdio or at a URL: no model, no network, sessions on disk.',
  },
} as const;

export type CommandName = Exclude<keyof typeof WORDS, 'serve'>;
