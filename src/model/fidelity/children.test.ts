// A restore is judged tree by tree: the session that was asked for, and each child session of it.
import { expect, test } from 'vitest';
import { sourcesOf } from '../../test/traces/fidelity-sources.ts';
import { fidelityOf } from './fidelity.ts';
import { fails } from './report/document.ts';
import { fidelityJson } from './report/report-json.ts';

const hello = (client: string) => `
  client →0 initialize {"protocolVersion":1,"clientCapabilities":${client}}
  agent  ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true}}`;
const V1 = hello('{"subagents":{}}');
const V2 = `
  client →0 initialize {"protocolVersion":2}
  agent  ←0 result {"protocolVersion":2,"info":{"name":"toy","version":"1"},"capabilities":{"session":{}}}`;
const NEW = `
  client →1 session/new {"cwd":"/w","mcpServers":[]}
  agent  ←1 result {"sessionId":"s1"}
  client →2 session/prompt s1 "Count the lines"`;
const CHILD = `
  agent  update s1 subagent_update {"sessionId":"k1","title":"Counter","state":{"state":"running"}}
  agent  update k1 agent_message_chunk a1 "Reading the file from its begin to its end"
  agent  update k1 tool_call {"toolCallId":"t1","title":"Read","kind":"read","status":"completed"}
  agent  update s1 subagent_update {"sessionId":"k1","state":{"state":"idle","stopReason":"end_turn"}}`;
const SAID = `
  agent  update s1 agent_message_chunk a2 "There are two lines in it"`;
const END = `
  agent  ←2 result {"stopReason":"end_turn"}`;
const LIVE = V1 + NEW + CHILD + SAID + END;
const USER = `
  agent  update s1 user_message_chunk "Count the lines"`;
const load = (...came: string[]) => `
  client →5 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
  ${came.join('\n')}
  agent  ←5 result {}`;

function last(...traces: readonly string[]) {
  const window = fidelityOf(sourcesOf(traces)).windows.at(-1);
  if (!window) throw new Error('no restore in the drawing');
  const differences = window.differences.map(({ kind, verdict, of }) => `${kind} ${of} ${verdict}`);
  const children = window.children.map(({ session, parent, verdict, kinds }) => ({
    session,
    parent,
    verdict,
    kinds: Object.keys(kinds),
  }));
  return { verdict: window.verdict, differences, children, fails: fails(window), window };
}

test('a child that comes back whole has its own counts, and none of them is its parent’s', () => {
  const found = last(LIVE, V1 + load(USER, CHILD, SAID));
  expect(found).toMatchObject({
    verdict: 'equal',
    fails: false,
    children: [
      { session: 'k1', parent: 's1', verdict: 'equal', kinds: ['agent', 'tool', 'announced'] },
    ],
  });
  expect(found.window.kinds.tool).toBeUndefined();
});

test('the JSON names each child with its counts, its verdict and its differences', () => {
  const lost = CHILD.replace(/.*toolCallId.*\n/, '');
  const json = JSON.parse(fidelityJson(fidelityOf(sourcesOf([LIVE, V1 + load(USER, lost, SAID)]))));
  expect(json).toMatchObject({
    windows: [
      {
        verdict: 'equal',
        historyComplete: false,
        children: [
          {
            session: 'k1',
            parent: 's1',
            verdict: 'lossy',
            kinds: { agent: { equal: 1 }, tool: { live: 1, replayed: 0, lossy: 1 } },
            differences: [{ kind: 'missing', of: 'tool', verdict: 'lossy' }],
          },
        ],
      },
    ],
  });
});

test('what a child loses fails the report, a child that was not kept does not', () => {
  const lost = CHILD.replace(/.*toolCallId.*\n/, '');
  expect(last(LIVE, V1 + load(USER, lost, SAID))).toMatchObject({ fails: true });
  expect(last(LIVE, V1 + load(USER, SAID))).toMatchObject({
    fails: false,
    verdict: 'equal',
    children: [{ session: 'k1', verdict: 'not kept' }],
  });
});

test('the history of a child that begins behind the answer came late, on one connection and on two', () => {
  const behind = `
    agent update s1 subagent_update {"sessionId":"k1","title":"Counter"}
${CHILD.replace(/.*subagent_update.*/g, '')}`;
  for (const traces of [[LIVE + load(USER, SAID) + behind], [LIVE, V1 + load(USER, SAID) + behind]])
    expect(last(...traces)).toMatchObject({
      fails: true,
      verdict: 'equal',
      children: [{ session: 'k1', verdict: 'lossy', kinds: ['agent', 'tool', 'announced'] }],
    });
});

test('what its parent said of a child and says no more is lost of that child', () => {
  const placed = CHILD.replace('"title":"Counter",', '"title":"Counter","cwd":"/w/lib",');
  const live = V1 + NEW + placed + SAID + END;
  const { children, window } = last(live, V1 + load(USER, CHILD, SAID));
  expect(children).toMatchObject([{ session: 'k1', verdict: 'lossy' }]);
  expect(window.children[0]?.differences).toMatchObject([
    { kind: 'missing', of: 'announced', item: 'announced field cwd', before: '/w/lib' },
  ]);
  expect(window.children[0]?.kinds.announced).toMatchObject({ live: 2, replayed: 1, lossy: 1 });
  const other = placed.replace('/w/lib', '/elsewhere');
  expect(last(live, V1 + load(USER, other, SAID)).window.children[0]?.differences).toMatchObject([
    { kind: 'changed', verdict: 'lossy', before: '/w/lib', after: '/elsewhere' },
  ]);
});

test('what a child says that it never said is corrupt', () => {
  const more = `${CHILD}
    agent update k1 agent_message_chunk a9 "And I have mended the roof as well"`;
  expect(last(LIVE + load(USER, more, SAID))).toMatchObject({
    verdict: 'equal',
    children: [{ session: 'k1', verdict: 'corrupt' }],
  });
});

test('on one connection too, the history of a child in its parent’s restore is no second life', () => {
  expect(last(LIVE + load(USER, CHILD, SAID) + load(USER, CHILD, SAID))).toMatchObject({
    verdict: 'equal',
    children: [{ session: 'k1', verdict: 'equal' }],
  });
});

const PLAIN = `
  agent  update s1 tool_call {"toolCallId":"t9","title":"Count","kind":"other","status":"completed"}`;
const NEXT = `
  client →3 session/prompt s1 "And the words?"
  agent  update s1 agent_message_chunk a3 "There are nine words in it"
  agent  ←3 result {"stopReason":"end_turn"}`;
const NEXT_USER = `
  agent  update s1 user_message_chunk "And the words?"`;
const NEXT_SAID = `
  agent  update s1 agent_message_chunk "There are nine words in it"`;
const NONE = hello('{}');

test('a turn with child sessions cannot be compared with a restore by a client that takes none', () => {
  const found = last(LIVE, NONE + load(USER, PLAIN, SAID));
  expect(found).toMatchObject({
    verdict: 'undecidable',
    differences: ['unknown tool undecidable'],
    children: [{ session: 'k1', verdict: 'undecidable' }],
    window: { shortfall: { weight: 'open' } },
  });
  expect(found.window.sentence).toContain('child sessions');
  // Without a child on either side, the capability changes nothing.
  const alone = V1 + NEW + SAID + END;
  expect(last(alone, NONE + load(USER, SAID))).toMatchObject({ verdict: 'equal' });
});

test('a turn without child sessions is compared, whatever the clients take', () => {
  const lost = last(LIVE + NEXT, NONE + load(USER, PLAIN, SAID, NEXT_USER));
  expect(lost).toMatchObject({
    verdict: 'lossy',
    differences: ['unknown tool undecidable', 'missing agent lossy'],
    children: [{ session: 'k1', verdict: 'undecidable' }],
    window: { shortfall: { weight: 'error' } },
  });
  expect(lost.window.sentence).toMatch(/loses 1 agent message.*not compared/);
  const whole = last(LIVE + NEXT, NONE + load(USER, PLAIN, SAID, NEXT_USER, NEXT_SAID));
  expect(whole).toMatchObject({ verdict: 'undecidable', fails: false });
  const wrong = NEXT_SAID.replace('nine', 'ten');
  const corrupt = last(LIVE + NEXT, NONE + load(USER, PLAIN, SAID, NEXT_USER, wrong));
  expect(corrupt).toMatchObject({ verdict: 'corrupt' });
});

test('the restore that would decide about child sessions is named as data', () => {
  const params = { sessionId: 's1', cwd: '/w', mcpServers: [] };
  const v1 = last(LIVE, NONE + load(USER, PLAIN, SAID)).window.decidedBy;
  expect(v1).toEqual({
    ...{ protocolVersion: 1, method: 'session/load', params },
    clientCapabilities: { subagents: {} },
  });
  const v2 = last(LIVE.replace(V1, V2), NONE + load(USER, PLAIN, SAID)).window.decidedBy;
  expect(v2).toEqual({
    ...{ protocolVersion: 2, method: 'session/resume', clientCapabilities: {} },
    params: { ...params, replayFrom: { type: 'start' } },
  });
  const plain = last(NONE + NEW + PLAIN + SAID + END, V1 + load(USER, CHILD, SAID));
  expect(plain.window.decidedBy).toMatchObject({ clientCapabilities: {} });
  expect(last(LIVE, V1 + load(USER, CHILD, SAID)).window.decidedBy).toBeUndefined();
});

test('the prompt of a turn with child sessions is compared, its work is not', () => {
  const noPrompt = last(LIVE, NONE + load(PLAIN, SAID));
  expect(noPrompt.differences).toEqual(['missing user lossy', 'unknown tool undecidable']);
  const noAnswer = last(LIVE, NONE + load(USER, PLAIN));
  expect(noAnswer).toMatchObject({ verdict: 'undecidable' });
});

test('a child that is live over two turns keeps both from being compared, an idle one does not', () => {
  const idle = CHILD.split('\n').at(-1) ?? '';
  const long = V1 + NEW + CHILD.replace(idle, '') + SAID + END + NEXT;
  const came = [USER, PLAIN, SAID, NEXT_USER];
  const running = `${long}
    agent update k1 agent_message_chunk a7 "Still at it"
    ${idle}`;
  expect(last(running, NONE + load(...came))).toMatchObject({ verdict: 'undecidable' });
  // The child never said that it was idle, and sent nothing in the second turn.
  expect(last(long, NONE + load(...came))).toMatchObject({ verdict: 'lossy' });
});

test('a replay with child sessions of what was live without them is compared in other turns', () => {
  const live = NONE + NEW + PLAIN + SAID + END + NEXT;
  const whole = last(live, V1 + load(USER, CHILD, SAID, NEXT_USER, NEXT_SAID));
  expect(whole).toMatchObject({ verdict: 'undecidable', children: [{ verdict: 'undecidable' }] });
  const lost = last(live, V1 + load(USER, CHILD, SAID, NEXT_USER));
  expect(lost).toMatchObject({ verdict: 'lossy' });
});

const view = (session: string) => `
  agent update ${session} session_message {"messageId":"p1","senderSessionId":"s1","recipientSessionId":"k1","content":[{"type":"text","text":"Please count the lines"}]}`;
const announce = `
  agent update s1 subagent_update {"sessionId":"k1","state":{"state":"running"}}`;
const works = `
  agent update k1 agent_message_chunk a1 "Reading the file from its begin to its end"`;
const twoViews = V1 + NEW + announce + view('s1') + view('k1') + works + SAID + END;

test('a message between sessions stands in two transcripts, and is one', () => {
  const both = last(twoViews, V1 + load(USER, announce, view('s1'), view('k1'), works, SAID));
  expect(both).toMatchObject({ verdict: 'equal', children: [{ verdict: 'equal' }] });
  expect(both.window.kinds.peer).toMatchObject({ live: 1 });
  expect(both.window.children[0]?.kinds.peer).toBeUndefined();
});

test('in one of its transcripts it is kept; in none it is missing once', () => {
  const one = last(twoViews, V1 + load(USER, announce, view('k1'), works, SAID));
  expect(one).toMatchObject({ verdict: 'cosmetic', differences: ['cosmetic peer cosmetic'] });
  const none = last(twoViews, V1 + load(USER, announce, works, SAID));
  expect(none).toMatchObject({
    verdict: 'lossy',
    differences: ['missing peer lossy'],
    children: [{ verdict: 'equal' }],
  });
});

const GAP = `
  agent update s1 agent_thought_chunk g1 "Some recorded child history is unavailable or incomplete."`;

test('an agent that says child history is missing is held to it', () => {
  expect(last(LIVE, V1 + load(USER, CHILD, SAID, GAP))).toMatchObject({
    verdict: 'corrupt',
    differences: ['synthetic thought corrupt'],
  });
  expect(last(LIVE, V1 + load(USER, SAID, GAP))).toMatchObject({
    verdict: 'cosmetic',
    differences: ['synthetic thought cosmetic'],
  });
});

test('history that is complete is told apart from a request that is answered', () => {
  const marked = `${V2}
    client →5 session/resume {"sessionId":"s1","cwd":"/w","mcpServers":[],"replayFrom":{"type":"start"}}
    agent update s1 user_message m1 {"content":[{"type":"text","text":"Hello"}]}
    agent update s1 subagent_update {"sessionId":"k1"}
    agent update k1 agent_message m2 {"content":[{"type":"text","text":"Hi"}]}
    agent update s1 replay_complete
    agent ←5 error -32603 Internal error`;
  const { window } = last(marked);
  expect(window).toMatchObject({ historyComplete: true, restored: 'rejected' });
  expect(window.children).toMatchObject([{ session: 'k1', historyComplete: false }]);
});

// claude-agent-acp 0.100.0: the child of a session that is restored without replay is not told of again,
// and comes back whole once its history is asked for.
const RESUME = `
  client →5 session/resume {"sessionId":"s1","cwd":"/w","mcpServers":[]}
  agent  ←5 result {}`;
const SET = `
  agent  update k1 config_option_update {"configOptions":[{"id":"agent","name":"Agent","type":"select","currentValue":"a","options":[{"value":"a","name":"A"}]}]}`;

test('a child is not said to be lost by a restore that asks for no history', () => {
  const resumed = last(LIVE + SET, V1 + RESUME);
  expect(resumed).toMatchObject({
    verdict: 'equal',
    children: [{ session: 'k1', verdict: 'nothing due', kinds: [] }],
    fails: false,
  });
  const loaded = last(LIVE + SET, V1 + load(USER, SAID));
  expect(loaded.children).toMatchObject([{ verdict: 'not kept' }]);
});

test('a child that begins after a restore is known from its beginning, if its parent is', () => {
  const goesOn = `
    client →6 session/prompt s1 "Count them once more"${CHILD}${SAID}
    agent  ←6 result {"stopReason":"end_turn"}`;
  const before = V1 + NEW + SAID + END;
  const later = V1 + RESUME + goesOn;
  const partly = (...traces: readonly string[]) => last(...traces).window.children[0]?.partly;
  expect(partly(before, later, V1 + load(USER, SAID, CHILD, SAID))).toEqual([]);
  expect(partly(later, V1 + load(USER, SAID, CHILD, SAID))).toHaveLength(1);
});

test('to judge twice as many children, twice as many frames are read', () => {
  const readFor = (count: number): number => {
    const children = Array.from({ length: count }, (_, n) =>
      CHILD.replaceAll('k1', `k${n}`).replaceAll(/ ([at])1/g, ` $1c${n}`),
    ).join('');
    let read = 0;
    const sources = sourcesOf([V1 + NEW + children + END + load(USER, children)]).map((source) => ({
      ...source,
      eventAt: (place: number) => (read++, source.eventAt(place)),
    }));
    expect(fidelityOf(sources).windows[0]?.children).toHaveLength(count);
    return read;
  };
  expect(readFor(80) / readFor(40)).toBeLessThan(2.1);
});
