import { expect, test } from 'vitest';
import type { Annotation } from '../../trace/annotation.ts';
import { seq } from '../../trace/event.ts';
import { CONNECTION, runningApp } from '../../test/programs/running-app.ts';

async function setup() {
  let said: Annotation[] = [];
  const app = await runningApp({
    traces: {
      annotations: () => Promise.resolve(said),
      annotate: (connection, annotation) => {
        expect(connection).toBe(CONNECTION);
        said = [...said, annotation];
        return Promise.resolve();
      },
      unannotate: () => {
        said = [];
        return Promise.resolve();
      },
    },
  });
  return { app, said: () => said };
}

async function done({ marks }: Awaited<ReturnType<typeof setup>>['app'], label?: string) {
  if (marks.marking) await marks.done(label, marks.marking);
}

test('a frame is marked with a label, or none, and with its own label until another is given', async () => {
  const { app, said } = await setup();
  await app.marks.toggle(seq(3));
  expect(app.marks.marking).toEqual({ seq: 3, label: '', isNew: true });
  await done(app);
  expect(said()).toEqual([]);
  await app.marks.toggle(seq(3));
  await done(app, ' look ');
  expect(said()).toEqual([{ kind: 'mark', target: 3, label: 'look' }]);
  expect(app.marks.marking).toBeUndefined();
  await app.marks.edit(seq(3));
  expect(app.marks.marking).toEqual({ seq: 3, label: 'look', isNew: false });
});

test('a mark that is taken off can be had back', async () => {
  const { app, said } = await setup();
  await app.marks.toggle(seq(3));
  await done(app, 'look');
  await app.marks.toggle(seq(3));
  expect(said()).toEqual([]);
  app.news[0]?.action?.run();
  expect(said()).toEqual([{ kind: 'mark', target: 3, label: 'look' }]);
});

test('one that is asked for while the dialog before it still closes is asked for, and gets its own label', async () => {
  const { app, said } = await setup();
  await app.marks.toggle(seq(3));
  const first = app.marks.marking;
  await app.marks.toggle(seq(4));
  if (first) await app.marks.done('look', first);
  expect(said()).toEqual([{ kind: 'mark', target: 3, label: 'look' }]);
  expect(app.marks.marking?.seq).toBe(4);
});
