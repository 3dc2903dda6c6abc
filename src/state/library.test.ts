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
