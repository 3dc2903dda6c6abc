// What a transport did stands beside the frames of a trace, and in the detail of both.
import { expect, test } from './scope.ts';

const frame = (seq: number, from: string, message: object, via: object) => ({
  ...{ type: 'frame', seq, at: seq, from, origin: 'script', via },
  line: { text: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }) },
});
const argv = ['http://127.0.0.1:9000/acp'];
const EVENTS = [
  {
    ...{ format: 'acptrace', version: 1, created: '2026-11-22T10:00:00.000Z', tool: 'test' },
    ...{ mode: 'drive', argv, cwd: '/', clock: 'monotonic' },
  },
  { type: 'start', seq: 1, at: 0, argv, cwd: '/', headers: ['Authorization'] },
  frame(2, 'client', { method: 'session/list', params: {} }, { stream: 'post' }),
  {
    ...{ type: 'transport', seq: 3, at: 4, stream: 'post', method: 'POST', of: 2 },
    ...{ step: 'answered', status: 400, ms: 3, body: 'who are you' },
    request: { authorization: '…', 'content-type': 'application/json' },
    response: { 'www-authenticate': 'Bearer …' },
    problem: 'It wants other credentials.',
  },
  frame(4, 'agent', { result: { sessions: [] } }, { stream: 'session', session: 's1', read: 3 }),
];

test('status, masked headers and body of a request, and by which stream a frame came', async ({
  scope,
}) => {
  const { page } = scope;
  const file = EVENTS.map((event) => `${JSON.stringify(event)}\n`).join('');
  await scope.import('http.acptrace.jsonl', Buffer.from(file));
  await scope.view('Trace');
  await page.getByText('POST 400 for #2').first().click();
  const detail = page.getByRole('region', { name: 'Frame detail' });
  await expect(detail.getByText('It wants other credentials.', { exact: true })).toBeVisible();
  await expect(detail.getByText('www-authenticate:')).toBeVisible();
  await expect(detail.getByText('who are you', { exact: true })).toBeVisible();
  await page.screenshot({ path: test.info().outputPath('wide.png') });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.screenshot({ path: test.info().outputPath('dark.png') });
  await scope.row(/client to agent, request, session\/list/).click();
  await expect(detail.getByTitle('crossed by POST')).toBeVisible();
  await page.getByText('0 sessions').first().click();
  await expect(
    detail.getByTitle('crossed by session stream of s1 · read 3 of the stream'),
  ).toBeVisible();
  await page.setViewportSize({ width: 390, height: 800 });
  await page.screenshot({ path: test.info().outputPath('narrow.png') });
});
