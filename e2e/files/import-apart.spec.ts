// A file is read apart from what is recorded: it delays nothing, and whoever opened it can cancel it.
import { program } from '../relay.ts';
import { expect, type Scope, test } from '../scope.ts';

const dripping = [process.execPath, program('raw.mjs'), 'drip'];
test.use({ relayOptions: { allow: [dripping] } });

const opening = ({ page }: Scope) => page.getByRole('region', { name: 'Opening a file' });
const traces = ({ rail }: Scope) =>
  rail.getByRole('treeitem').filter({ has: rail.page().getByRole('button') });

/** Events of the live connection that the page's database has. */
async function stored({ page }: Scope): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const asked = indexedDB.open('acp-scope');
        asked.onerror = () => reject(new Error('no database'));
        asked.onsuccess = () => {
          const db = asked.result;
          const all = db.transaction('traces').objectStore('traces').getAll();
          all.onsuccess = () => {
            db.close();
            const found = (all.result as { mode: string; last: number }[]).find(
              ({ mode }) => mode !== 'file',
            );
            resolve(found?.last ?? 0);
          };
        };
      }),
  );
}

async function grows(scope: Scope): Promise<void> {
  const before = await stored(scope);
  await expect.poll(() => stored(scope)).toBeGreaterThan(before + 20);
}

/** Lines of about that many megabytes. */
function large(megabytes: number): Buffer {
  const text = 'x'.repeat(900);
  const line = (id: number) =>
    `[info] {"jsonrpc":"2.0","id":${id},"method":"session/prompt","params":{"text":"${text}"}}\n`;
  return Buffer.from(Array.from({ length: megabytes * 1000 }, (_, id) => line(id)).join(''));
}

/** A log that Zed copies, of about that many megabytes: it is read in one go. */
function document(megabytes: number): Buffer {
  const params = {
    sessionId: 's',
    text: 'x'.repeat(200),
    list: Array.from({ length: 40 }, (_, at) => at),
  };
  const item = JSON.stringify({
    _direction: 'outgoing',
    _type: 'request',
    id: 1,
    method: 'x',
    params,
  });
  const many = Math.ceil((megabytes * 1_000_000) / item.length);
  return Buffer.from(`[${Array.from({ length: many }, () => item).join()}]`);
}

test('R-69 I-02 a file that is read in one go delays no live frame, and Escape cancels it', async ({
  scope,
}) => {
  await scope.tryCommand(dripping);
  await expect(scope.row(/aaaa/).first()).toBeVisible();
  // The tree of the rail is loaded with the first connection.
  await expect(traces(scope)).not.toHaveCount(0);
  const many = await traces(scope).count();
  await scope.import('dear.json', document(120));
  await expect(opening(scope)).toContainText('Reading dear.json');
  await grows(scope);
  await expect(opening(scope)).toContainText('0 frames');
  await scope.page.keyboard.press('Escape');
  await expect(opening(scope)).toBeHidden();
  await expect(scope.news).toContainText('`dear.json` was not opened: reading it was cancelled.');
  await expect(traces(scope)).toHaveCount(many);
  await grows(scope);
});

test('R-58 R-69 a large file is read beside a live connection; cancelled half-way, it leaves nothing', async ({
  scope,
}) => {
  await scope.tryCommand(dripping);
  await expect(scope.row(/aaaa/).first()).toBeVisible();
  // The tree of the rail is loaded with the first connection.
  await expect(traces(scope)).not.toHaveCount(0);
  const many = await traces(scope).count();
  await scope.import('large.log', large(60));
  await expect(opening(scope)).toContainText(/\d+(\.\d)? MB of \d+ MB, [\d,]+ frames/);
  await expect(traces(scope)).toHaveCount(many + 1);
  await expect(traces(scope).filter({ hasText: 'large' })).toContainText('being read');
  await grows(scope);
  await scope.button('Cancel', opening(scope)).click();
  await expect(opening(scope)).toBeHidden();
  await expect(traces(scope)).toHaveCount(many);
  await scope.page.reload();
  await expect(traces(scope)).toHaveCount(many);
  await expect(scope.news).toBeEmpty();
});

/** In the engine: the next reader of files fails once it runs. */
function failNext(): void {
  const Real = globalThis.Worker;
  globalThis.Worker = new Proxy(Real, {
    construct(_, [url, options]: [string, WorkerOptions]) {
      const worker = new Real(url, options);
      globalThis.Worker = Real;
      const fail = () => worker.dispatchEvent(new ErrorEvent('error', { message: 'on purpose' }));
      worker.addEventListener('message', () => setTimeout(fail), { once: true });
      return worker;
    },
  });
}

test('R-46 a reader that fails is a sentence, and the next file opens', async ({ scope }) => {
  const [engine] = scope.page.workers();
  await engine?.evaluate(failNext);
  await scope.import('one.log', large(1));
  await expect(scope.news).toContainText('has failed at `one.log` (on purpose)');
  await scope.import('two.log', large(1));
  await expect(scope.row(/session\/prompt/).first()).toBeVisible();
  await expect(opening(scope)).toBeHidden();
});
