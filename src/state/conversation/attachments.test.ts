import { expect, test } from 'vitest';
import type { JsonObject } from '../../acp/message.ts';
import { connectionFacts, runningApp, sessionFacts } from '../../test/programs/running-app.ts';
import { seq } from '../../trace/event.ts';
import { Attachments } from './attachments.svelte.ts';

const KEY = 'prompt:c:s1';

/** An app whose drafts outlive it. */
async function attaching(drafts = new Map<string, string>(), can: JsonObject = {}) {
  const app = await runningApp(
    {
      library: {
        draft: (key) => Promise.resolve(drafts.get(key)),
        saveDraft: (key, text) => Promise.resolve(drafts.set(key, text).size > 0),
      },
    },
    connectionFacts({
      sessions: [sessionFacts('s1', { cwd: '/work' })],
      handshake: {
        request: seq(1),
        version: 1,
        clientCapabilities: {},
        agentCapabilities: { promptCapabilities: can },
        authMethods: [],
      },
    }),
  );
  const attached = new Attachments(app);
  await attached.open(KEY);
  return attached;
}
const picture = () => new File([Uint8Array.of(1, 2, 3)], 'a.png', { type: 'image/png' });

test('a file becomes what the agent takes of it, and a link where it takes nothing else', async () => {
  const takes = await attaching(undefined, { image: true });
  await takes.add([picture()]);
  expect(takes.take().blocks).toEqual([{ type: 'image', mimeType: 'image/png', data: 'AQID' }]);
  expect(takes.files).toEqual([]);
  const links = await attaching();
  await links.add([picture()]);
  expect(links.take().blocks).toEqual([
    {
      type: 'resource_link',
      uri: 'file:///work/a.png',
      name: 'a.png',
      mimeType: 'image/png',
      size: 3,
    },
  ]);
});

test('a reload keeps what is attached, until it is sent or taken away', async () => {
  const drafts = new Map<string, string>();
  const first = await attaching(drafts);
  await first.add([picture(), new File(['x'], 'b.txt')]);
  first.change(1, { uri: 'file:///elsewhere/b.txt' });
  await first.open('prompt:c:s2');
  expect(first.files).toEqual([]);
  const next = await attaching(drafts);
  expect(next.files.map(({ name, uri }) => [name, uri])).toEqual([
    ['a.png', 'file:///work/a.png'],
    ['b.txt', 'file:///elsewhere/b.txt'],
  ]);
  next.remove(0);
  next.take();
  expect((await attaching(drafts)).files).toEqual([]);
});

test('what could not be sent is attached again', async () => {
  const attached = await attaching();
  await attached.add([picture()]);
  const { back } = attached.take();
  back();
  expect(attached.files).toHaveLength(1);
});

test('a file too large for a prompt, or one that cannot be read, says so', async () => {
  const attached = await attaching();
  const large = new File([new Uint8Array(25 * 1024 * 1024)], 'film.mp4');
  await attached.add([large]);
  expect(attached.problem).toMatch(/^film\.mp4 has .* It is attached as a link\.$/);
  expect(attached.files[0]).toMatchObject({ as: 'resource_link', name: 'film.mp4' });
  const gone = Object.assign(new File([], 'gone.txt'), {
    arrayBuffer: () => Promise.reject(new DOMException('', 'NotFoundError')),
  });
  await attached.add([gone]);
  expect(attached.problem).toMatch(/^gone\.txt cannot be read/);
  expect(attached.files).toHaveLength(1);
  await attached.add([large, gone]);
  expect(attached.problem).toMatch(/^film\.mp4 has .* gone\.txt cannot be read/);
  attached.take();
  expect(attached.problem).toBeUndefined();
});
