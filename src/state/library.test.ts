import { expect, test } from 'vitest';
import {
  CONNECTION,
  connectionFacts,
  runningApp,
  traceSummary,
} from '../test/programs/running-app.ts';
import { connectionId } from '../trace/event.ts';

test('a file is shown from its first frames on, and who goes elsewhere while it is read is left there', async () => {
  let read = (): void => undefined;
  const connection = connectionId('file');
  const app = await runningApp({
    library: {
      importFile: () =>
        new Promise((resolve) => {
          read = () => resolve({ ok: true, connection });
        }),
    },
  });
  const running = traceSummary(connectionFacts());
  const done = app.library.importFiles([new File(['{}'], 'a.acptrace.jsonl')]);
  app.receive({ type: 'traces', traces: [running, { ...running, connection, mode: 'file' }] });
  app.receive({ type: 'appeared', connection, mode: 'file' });
  expect(app.current?.connection).toBe(connection);

  await app.show(CONNECTION);
  read();
  expect(await done).toEqual([connection]);
  expect(app.current?.connection).toBe(CONNECTION);
});

test('a file that is in the trace of another is not opened again', async () => {
  const asked: (readonly string[])[] = [];
  const app = await runningApp({
    library: {
      importFile: (file: File, beside: readonly File[] = []) => {
        asked.push([file.name, ...beside.map(({ name }) => name)]);
        const joined = beside.findIndex(({ name }) => name === `${file.name}.out`);
        const connection = connectionId(file.name);
        return Promise.resolve({ ok: true, connection, ...(joined >= 0 && { joined }) });
      },
    },
  });
  const files = ['a', 'b', 'a.out', 'c'].map((name) => new File([''], name));
  expect(await app.library.importFiles(files)).toEqual(['a', 'b', 'c'].map(connectionId));
  expect(asked).toEqual([['a', 'b', 'a.out', 'c'], ['b', 'c'], ['c']]);
});
