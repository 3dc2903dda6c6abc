// Whichever change of the browser's database is the one that fails: nothing that the agent said or a person
// wrote is lost, and no promise is left alone.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { program } from '../relay.ts';
import { expect, test } from '../scope.ts';

const player = [process.execPath, program('raw.mjs'), 'play'];
test.use({ relayOptions: { allow: [player] } });

type How = 'aborted' | 'refused';

/** In the worker: which change of the database from now on fails, and how; less than 1: it has. */
interface Refusing {
  refusing?: { left: number; how: How };
}

/** Runs in the worker. */
function refuseOne(): void {
  const due = { left: 0, how: 'aborted' as How };
  (globalThis as Refusing).refusing = due;
  // What is refused is tried again after ten seconds.
  const wait = globalThis.setTimeout;
  globalThis.setTimeout = ((work: () => void, ms = 0) =>
    wait(work, ms === 10_000 ? 100 : ms)) as typeof setTimeout;
  const begin = IDBDatabase.prototype.transaction;
  const refused = new WeakSet<IDBTransaction>();
  IDBDatabase.prototype.transaction = function (...said: Parameters<typeof begin>) {
    const isDue = said[1] === 'readwrite' && --due.left === 0;
    const transaction = begin.apply(this, said);
    if (isDue && due.how === 'aborted')
      wait(() => {
        try {
          transaction.abort();
        } catch {
          // It was done before its turn came: the next one fails in its place.
          due.left = 1;
        }
      });
    if (isDue && due.how === 'refused') refused.add(transaction);
    return transaction;
  };
  for (const name of ['put', 'add'] as const) {
    const work = IDBObjectStore.prototype[name];
    IDBObjectStore.prototype[name] = function (...said: Parameters<typeof work>) {
      if (refused.has(this.transaction)) throw new DOMException('', 'QuotaExceededError');
      return work.apply(this, said);
    };
  }
}

/** What the database holds of each trace, and what a person wrote. Runs in the page. */
async function stored() {
  const opening = indexedDB.open('acp-scope');
  await new Promise((resolve) => (opening.onsuccess = resolve));
  const transaction = opening.result.transaction(['traces', 'blocks', 'drafts']);
  const all = (name: string) => {
    const request = transaction.objectStore(name).getAll();
    return () => request.result as Record<string, unknown>[];
  };
  const [traces, blocks, drafts] = [all('traces'), all('blocks'), all('drafts')];
  await new Promise((resolve) => (transaction.oncomplete = resolve));
  opening.result.close();
  const kept = traces().map(({ connection, events, last }) => {
    const own = blocks().filter((block) => block['connection'] === connection);
    const held = own.reduce((sum, block) => sum + Number(block['count']), 0);
    return { events, last, held, reaches: own.at(-1)?.['last'] };
  });
  const waiting = Object.values({ ...localStorage }) as string[];
  return { kept, texts: [...drafts().map(({ text }) => String(text)), ...waiting] };
}

test('every write can fail (N1, R-33, R-36): whichever change of the database fails, and how, nothing is lost', async ({
  scope,
  folder,
}) => {
  const { page } = scope;
  [0, 1, 2].forEach((n) =>
    writeFileSync(join(folder, `${n}.bytes`), `{"jsonrpc":"2.0","method":"_said","params":${n}}\n`),
  );
  const [worker] = page.workers();
  await worker?.evaluate(refuseOne);
  let traces = 0;
  for (const how of ['aborted', 'refused'] as const)
    for (let nth = 1, left = 0; left < 1; nth++) {
      const due = { left: nth, how };
      await worker?.evaluate(
        (due) => void Object.assign((globalThis as Refusing).refusing ?? {}, due),
        due,
      );
      await scope.tryCommand(player, { cwd: folder });
      await expect(scope.row(/_said/)).toHaveCount(3);
      const text = `written while the ${nth}th was ${how}`;
      await scope.openDrawer('Composer');
      await scope.write(text);
      await scope.kill();
      await expect(scope.footer).toContainText('all saved');
      traces++;
      const whole = { events: 6, last: 6, held: 6, reaches: 6 };
      const all = Array.from({ length: traces }, () => whole);
      await expect
        .poll(async () => (await page.evaluate(stored)).kept, { message: text })
        .toEqual(all);
      const { texts } = await page.evaluate(stored);
      expect(texts.filter((kept) => kept.includes(text)).length, text).toBe(1);
      left = (await worker?.evaluate(() => (globalThis as Refusing).refusing?.left)) ?? 0;
    }
});
