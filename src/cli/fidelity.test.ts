import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { at, err, keepOutput, out } from '../test/programs/command-line.ts';
import { draw } from '../test/traces/draw.ts';
import { eventLine, headerLine } from '../trace/format.ts';
import { recorderLine } from '../trace/import/recorder.ts';
import { EXIT, runCommand } from './command.ts';
import { fidelity } from './fidelity.ts';

keepOutput();

const NEW = `
  client →0 session/new {"cwd":"/w","mcpServers":[]}
  agent ←0 result {"sessionId":"s1"}`;
const LIVE = `
  client →1 session/prompt s1 "Hello"
  agent update s1 agent_message_chunk "Hi there"
  agent update s1 tool_call {"toolCallId":"t1","title":"Read","kind":"read","status":"failed"}
  agent ←1 result {"stopReason":"end_turn"}`;
const LOAD = `
  client →2 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
  agent update s1 user_message_chunk "Hello"
  agent update s1 agent_message_chunk "Hi there"`;
const TOOL = (status: string) =>
  `agent update s1 tool_call {"toolCallId":"t1","title":"Read","kind":"read","status":"${status}"}`;
const ANSWER = 'agent ←2 result {}';

/** Our format by default, the recorder's where the name says so. */
function write(name: string, picture: string): string {
  const path = at(name);
  const events = draw(picture);
  const header = headerLine({
    format: 'acptrace',
    version: 1,
    created: '2026-01-01T00:00:00.000Z',
    tool: 'test',
    clock: 'imported',
  });
  const lines = name.endsWith('.ndjson')
    ? events.map(recorderLine)
    : [header, ...events.map(eventLine)];
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

interface Document {
  windows: {
    verdict: string;
    cursor: null;
    kinds: Record<string, object>;
    differences: { kind: string; field: string | null; live: object; replayed: object }[];
  }[];
}
const json = () => JSON.parse(out.join('\n')) as Document;

test('a faithful replay is equal and no failure', async () => {
  const file = write('all.acptrace.jsonl', [NEW, LIVE, LOAD, TOOL('failed'), ANSWER].join('\n'));
  expect(await runCommand(fidelity, [file])).toBe(EXIT.ok);
  expect(out.join('\n')).toMatch(/#7 v1 load of session s1: replayed from start\n\s+IDENTICAL/);
});

test('live part and replay lie in two files, given in any order', async () => {
  const live = write('live.ndjson', NEW + LIVE);
  const load = write('load.ndjson', [LOAD, TOOL('completed'), ANSWER].join('\n'));
  for (const files of [
    [live, load],
    [load, live],
  ]) {
    out.length = 0;
    expect(await runCommand(fidelity, [...files, '--format', 'json'])).toBe(EXIT.failed);
    expect(json().windows).toMatchObject([
      {
        verdict: 'corrupt',
        cursor: null,
        requestSeq: 1,
        answerSeq: 5,
        restored: 'replayed-from-start',
        variant: 'v1 load',
        session: 's1',
        file: load,
      },
    ]);
    expect(json().windows[0]?.differences).toMatchObject([
      {
        kind: 'changed',
        item: 'tool call t1 “Read”',
        field: 'status',
        live: { seq: 5, file: live },
        replayed: { seq: 4, file: load },
        before: 'failed',
        after: 'completed',
      },
    ]);
  }
});

test('what a cursor names may be known from another file', async () => {
  const v2 = `
    client →0 initialize {"protocolVersion":2}
    agent  ←0 result {"protocolVersion":2,"info":{"name":"a","version":"1"},"capabilities":{"session":{}}}`;
  const live = write(
    'live.ndjson',
    `${v2}
    client →1 session/new {"cwd":"/w"}
    agent  ←1 result {"sessionId":"s1"}
    agent  update s1 agent_message m1 "one"
    agent  update s1 agent_message m2 "two"`,
  );
  const came = (...ids: string[]) => {
    const messages = ids.map((id) => `agent update s1 agent_message ${id} "two"`).join('\n');
    return `${v2}
    client →1 session/resume {"sessionId":"s1","cwd":"/w","replayFrom":{"type":"_message","messageId":"m1"}}
    ${messages}
    agent  update s1 state_update {"state":"idle"}
    agent  ←1 result {}`;
  };
  const restored = async (...ids: string[]) => {
    out.length = 0;
    const file = write('resume.ndjson', came(...ids));
    await runCommand(fidelity, [live, file, '--format', 'json']);
    return json().windows[0];
  };
  expect(await restored('m2')).toMatchObject({ restored: 'replayed-elsewhere', asDue: false });
  expect(await restored('x1')).toMatchObject({ restored: 'replayed-elsewhere', asDue: false });
});

test('of one file, frames are named by their seq alone', async () => {
  const file = write('all.ndjson', [NEW, LIVE, LOAD, ANSWER].join('\n'));
  expect(await runCommand(fidelity, [file, '--format', 'json'])).toBe(EXIT.failed);
  expect(json().windows[0]).not.toHaveProperty('file');
  expect(json().windows[0]?.differences).toMatchObject([
    { kind: 'missing', item: 'tool call t1 “Read”', field: null, live: { seq: 5 }, replayed: null },
  ]);
});

test('a tool call that was lost is named by its title too', async () => {
  const file = write('all.ndjson', [NEW, LIVE, LOAD, ANSWER].join('\n'));
  expect(await runCommand(fidelity, [file])).toBe(EXIT.failed);
  expect(out.join('\n')).toMatch(/missing +tool call t1 “Read”: did not come/);
  expect(await runCommand(fidelity, [file, '--format', 'junit'])).toBe(EXIT.failed);
  expect(out.at(-1)).toContain('lossy: tool call t1 “Read”: did not come');
});

test('of texts that begin alike, what is missing is shown', async () => {
  const [said, cut] = [
    'Names are compared letter by letter, so a search finds nothing.',
    'Names are compared letter by letter',
  ];
  const told = (text: string) => `agent update s1 agent_message_chunk "${text}"`;
  const frames = [
    NEW,
    LIVE.replace('agent update s1 agent_message_chunk "Hi there"', told(said)),
    LOAD.replace('agent update s1 agent_message_chunk "Hi there"', told(cut)),
    TOOL('failed'),
    ANSWER,
  ];
  const file = write('all.ndjson', frames.join('\n'));
  expect(await runCommand(fidelity, [file])).toBe(EXIT.failed);
  expect(out.join('\n')).toContain(
    '…letter by letter, so a search finds nothing. → …letter by letter\n',
  );
});

test('a run in which nothing can be judged does not pass, and says what would decide it', async () => {
  const file = write('load.ndjson', [LOAD, ANSWER].join('\n'));
  expect(await runCommand(fidelity, [file])).toBe(EXIT.failed);
  expect(out.join('\n')).toMatch(
    /INCONCLUSIVE {2}No trace holds the live session\n[^#]*A trace in which it was prompted would decide it/,
  );
  expect(out.join('\n')).toMatch(/1 inconclusive\nNo replay could be judged: no live part/);
  expect(out.join('\n')).not.toContain('100 %');
  expect(out.join('\n')).toMatch(/user messages .* –\n/);
  expect(err).toEqual([]);
  out.length = 0;
  expect(await runCommand(fidelity, [file, '--format', 'json'])).toBe(EXIT.failed);
  expect(json().windows[0]?.kinds['user']).toMatchObject({ undecidable: 1, score: null });
  expect(err.join('\n')).toMatch(/^No replay could be judged/);
  expect(await runCommand(fidelity, [file, '--format', 'junit'])).toBe(EXIT.failed);
  expect(out.at(-1)).toMatch(/failures="0" errors="0" skipped="1"/);
  expect(out.at(-1)).toMatch(/name="a replay that can be judged"><failure/);
});

test('a refused restore is called refused: no further trace would decide it', async () => {
  const refused = `client →3 session/load {"sessionId":"s2","cwd":"/w","mcpServers":[]}
    agent ←3 error -32002 "Not found"`;
  const file = write(
    'refused.ndjson',
    [NEW, LIVE, LOAD, TOOL('failed'), ANSWER, refused].join('\n'),
  );
  expect(await runCommand(fidelity, [file])).toBe(EXIT.ok);
  expect(out.join('\n')).toMatch(/NO REPLAY {2}Rejected/);
  expect(out.join('\n')).toMatch(/2 replay windows: 1 (equivalent|identical), 1 no replay$/);
  expect(out.join('\n')).not.toMatch(/would decide it|open a trace in which/);
  out.length = 0;
  await runCommand(fidelity, [file, '--format', 'json']);
  expect(json().windows).toMatchObject([
    { refused: false },
    { verdict: 'undecidable', refused: true, partly: [] },
  ]);
});

test('an inconclusive replay fails beside one that is judged, unless inconclusive ones are allowed', async () => {
  const more =
    'client →3 session/load {"sessionId":"s2","cwd":"/w","mcpServers":[]}\nagent ←3 result {}';
  const file = write('all.ndjson', [NEW, LIVE, LOAD, TOOL('failed'), ANSWER, more].join('\n'));
  expect(await runCommand(fidelity, [file])).toBe(EXIT.failed);
  expect(out.join('\n')).toMatch(
    /2 replay windows: 1 inconclusive, 1 \w+\n1 of 2 replays could not be judged, .*no live part of this session.*--allow-inconclusive/,
  );
  out.length = 0;
  expect(await runCommand(fidelity, [file, '--allow-inconclusive'])).toBe(EXIT.ok);
  expect(out.join('\n')).toMatch(/2 replay windows: 1 inconclusive, 1 \w+$/);
  expect(await runCommand(fidelity, [file, '--format', 'junit'])).toBe(EXIT.failed);
  expect(out.at(-1)).toContain('name="a replay that can be judged"><failure');
  expect(err.join('\n')).toContain('1 of 2 replays could not be judged');
});

test('a restore without replay, a rejected one and a fork have nothing to judge', async () => {
  const replay = [NEW, LIVE, LOAD, TOOL('failed'), ANSWER];
  for (const more of [
    'client →3 session/resume {"sessionId":"s1","cwd":"/w","mcpServers":[]}\nagent ←3 result {}',
    'client →3 session/load {"sessionId":"s2","cwd":"/w","mcpServers":[]}\nagent ←3 error -32002 none',
    'client →3 session/fork {"sessionId":"s1","cwd":"/w"}\nagent ←3 result {"sessionId":"s3"}',
  ]) {
    const file = write('all.ndjson', [...replay, more].join('\n'));
    expect([more, await runCommand(fidelity, [file])]).toEqual([more, EXIT.ok]);
  }
});

test('an inconclusive child session makes its window inconclusive', async () => {
  const cases = fileURLToPath(new URL('../test/cases/sessions/', import.meta.url));
  const files = ['live', 'load', 'c65'].map((part) => `${cases}cl-${part}.acptrace.jsonl`);
  expect(await runCommand(fidelity, [...files.slice(0, 2), '--allow-inconclusive'])).toBe(
    EXIT.failed,
  );
  expect(await runCommand(fidelity, files)).toBe(EXIT.failed);
  expect(out.join('\n')).toContain('1 of 2 replays could not be judged, wholly or in part');
});

test('a child session that fails the report is told in its last line, beside its parent', async () => {
  const [live, load] = ['child-live-v1', 'child-load-v1'].map((name) =>
    fileURLToPath(
      new URL(`../test/fixtures/claude-agent-acp/0.100.0/${name}.ndjson`, import.meta.url),
    ),
  );
  expect(await runCommand(fidelity, [live ?? '', load ?? ''])).toBe(EXIT.failed);
  expect(out.join('\n')).toMatch(/1 replay window: 1 equivalent; 1 child session: 1 incomplete$/);
});

test('S-11: a terminal obeys nothing that an agent replayed', async () => {
  const file = write(
    'odd.acptrace.jsonl',
    [NEW, LIVE, LOAD, TOOL('failed').replace('"Read"', '"\\u001b[31mRed"'), ANSWER].join('\n'),
  );
  expect(await runCommand(fidelity, [file])).toBe(EXIT.failed);
  expect(out.join('\n')).not.toContain('\u001b');
});

test('mistakes in the command line are told with what to do', async () => {
  const file = write('load.ndjson', [LOAD, ANSWER].join('\n'));
  expect(await runCommand(fidelity, [])).toBe(EXIT.usage);
  expect(await runCommand(fidelity, [file, '--format', 'sarif'])).toBe(EXIT.usage);
  expect(await runCommand(fidelity, [file, '--session', 'nobody'])).toBe(EXIT.usage);
  expect(await runCommand(fidelity, [at('none.ndjson')])).toBe(EXIT.environment);
  expect(err.join('\n')).toMatch(
    /takes one or more[^]*not one of[^]*No file given names[^]*no such file/,
  );
});

test('traces without a restore are told so', async () => {
  const file = write('live.ndjson', NEW + LIVE);
  expect(await runCommand(fidelity, [file])).toBe(EXIT.failed);
  expect(out.join('\n')).toMatch(/No restore is in these traces/);
  expect(await runCommand(fidelity, [file, '--format', 'junit'])).toBe(EXIT.failed);
  expect(out.at(-1)).toMatch(/<failure type="undecidable" message="No restore is in these traces/);
});

const FORK = `
  client →3 session/fork {"sessionId":"s1","cwd":"/w"}
  agent update f1 user_message_chunk "Hello"
  agent ←3 result {"sessionId":"f1"}`;

test('nothing is due from a fork: it is compared, and fails nothing', async () => {
  const file = write('fork.ndjson', NEW + LIVE + FORK);
  expect(await runCommand(fidelity, [file])).toBe(EXIT.ok);
  expect(out.join('\n')).toMatch(
    /NO REPLAY {2}Forked, with history\n(?:.*\n)* +missing {2}agent message/,
  );
  expect(out.join('\n')).toMatch(/1 replay window: 1 no replay$/);
  expect(out.join('\n')).not.toContain('LOSSY');
  expect(await runCommand(fidelity, [file, '--format', 'junit'])).toBe(EXIT.ok);
  expect(out.at(-1)).toContain('failures="0"');
  out.length = 0;
  expect(await runCommand(fidelity, [file, '--format', 'json'])).toBe(EXIT.ok);
  expect(json().windows).toMatchObject([{ variant: 'v1 fork', verdict: 'nothing due' }]);
  expect(err).toEqual([]);
});

test('a fork judges nothing for a load that cannot be judged', async () => {
  const file = write('both.ndjson', [LOAD, ANSWER, FORK].join('\n'));
  expect(await runCommand(fidelity, [file])).toBe(EXIT.failed);
  expect(out.join('\n')).toMatch(/1 inconclusive, 1 no replay\nNo replay could be judged: no live/);
});

test('a load that nothing had answered when the recording ended is incomplete', async () => {
  const file = write('cut.ndjson', NEW + LIVE + LOAD);
  await runCommand(fidelity, [file]);
  expect(out.join('\n')).toMatch(/v1 load of session s1: incomplete\n/);
  expect(out.join('\n')).not.toContain('not answered yet');
});
