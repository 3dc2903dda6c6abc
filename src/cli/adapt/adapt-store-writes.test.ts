import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { StoreEntry } from '../../drive/adapt/entry.ts';
import { fullDisk, works } from '../../test/programs/refusing-disk.ts';
import { historyLines } from './adapt-flow.ts';
import { AdaptStore } from './adapt-store.ts';

const said = (text: string): StoreEntry => ({
  type: 'update',
  line: `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"${text}"}}}}`,
});
const WORDS = ['one', 'two', 'three', 'four', 'five'];
const STEPS = ['openSync', 'writeSync', 'writeFileSync', 'fdatasyncSync', 'closeSync'];

/** What the next process tells of the session: its texts, and how many of its lines say that some are missing. */
async function told(store: AdaptStore) {
  const claim = store.claim('s1');
  const until = store.position('s1');
  const texts: string[] = [];
  for await (const piece of historyLines(store.pathOf('s1'), {
    ...{ session: 's1', until, acp: 1, compactions: true },
  } as const))
    for (const line of piece) texts.push(/"text":"((?:[^"\\]|\\.)*)"/.exec(line)?.[1] ?? line);
  store.close();
  return { claim, texts };
}

test('every write can fail (N1, R-21, R-44): whichever step of a history does, the session goes on, and what is missing was said', async () => {
  let refused = 0;
  for (let nth = 1, left = 0; left < 1; nth++) {
    const folder = mkdtempSync(join(tmpdir(), 'adapt-store-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const sentences: string[] = [];
    const store = () =>
      new AdaptStore({ folder, agent: 'a', tool: 't', say: (text) => sentences.push(text) });
    const one = store();
    const rest = fullDisk(nth, { sync: STEPS });
    const claim = one.claim('s1');
    if (claim.kind === 'refused') sentences.push(claim.why);
    one.begin('s1', 'new', 1);
    for (const word of WORDS) {
      one.add('s1', said(word));
      one.flush();
    }
    one.release('s1');
    one.close();
    left = rest();
    works();
    if (left < 1) refused++;
    const { texts, claim: next } = await told(store());
    const kept = texts.filter((text) => WORDS.includes(text));
    // The next process may have it, whatever happened to this one.
    expect([nth, next.kind]).toEqual([nth, 'ours']);
    expect([nth, kept]).toEqual([nth, WORDS.filter((word) => kept.includes(word))]);
    if (kept.length < WORDS.length || left < 1)
      expect([nth, sentences]).toEqual([
        nth,
        [expect.stringMatching(/history .*(?:cannot be|may not be).*no space left/)],
      ]);
    else expect([nth, sentences]).toEqual([nth, []]);
    // What comes after a refusal is there again, behind a gap.
    if (kept.length > 0 && kept.length < WORDS.length && !kept.includes('five'))
      expect([nth, kept.length]).toEqual([nth, 4]);
    expect(readdirSync(folder).filter((name) => name.endsWith('.lock'))).toEqual([]);
  }
  expect(refused).toBeGreaterThan(8);
});
