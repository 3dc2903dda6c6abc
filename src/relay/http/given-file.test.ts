// A trace file that `acp-scope open FILE` gives to a page.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { rawRequest, RelayTest, statusOf } from '../../test/programs/relay-fixture.ts';
import { askForLink, type FileToOpen } from '../running.ts';
import type { RunningRelay } from '../start-relay.ts';

let here: RelayTest;
let relay: RunningRelay;
let file: string;
beforeEach(async () => {
  here = new RelayTest();
  relay = await here.relay();
  file = join(here.folders.work, 'run.ndjson');
  writeFileSync(file, 'one\ntwo\n');
});
afterEach(() => here.close());

const ask = (given: FileToOpen) => askForLink(here.folders.state, relay.port, given);

async function linkFor(given: FileToOpen): Promise<string> {
  const answer = await ask(given);
  if (!answer.ok) throw new Error(JSON.stringify(answer));
  return answer.url;
}

const codeOf = (url: string) => url.split('#k=')[1] ?? '';

function fileAt(code: string, token: string | undefined): Promise<string> {
  const host = `127.0.0.1:${relay.port}`;
  const body = JSON.stringify({ code });
  const key = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`;
  return rawRequest(
    relay.port,
    `POST /api/file HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${key}\r\n${body}`,
  );
}

test('a page that comes by its link has its bytes, its name and the frame to show', async () => {
  const url = await linkFor({ path: file, frame: 2 });
  expect(url).not.toContain('run');
  const page = await here.page(relay, url);
  const { file: told, bytes } = await page.until(() => page.given);
  expect(told).toEqual({ name: 'run.ndjson', frame: 2 });
  expect(bytes instanceof Blob && (await bytes.text())).toBe('one\ntwo\n');
});

test('P-11 T-14: only that page, only that file, and only once', async () => {
  const url = await linkFor({ path: file });
  const other = await here.page(relay);
  expect(statusOf(await fileAt(codeOf(url), undefined))).toBe(401);
  // Nobody has come by the link yet: who merely knows it has no file.
  expect(statusOf(await fileAt(codeOf(url), other.token))).toBe(404);
  const page = await here.page(relay, url);
  await page.until(() => page.given);
  for (const code of [codeOf(url), '', '../../etc/passwd', file])
    expect(statusOf(await fileAt(code, page.token))).toBe(404);
  expect(other.given).toBeUndefined();
});

test('T-17 P-11: who guesses codes has no file, and keeps nobody else from theirs', async () => {
  const url = await linkFor({ path: file });
  const { token = '' } = await here.page(relay);
  const answers: string[] = [];
  for (let i = 0; i < 25; i++) answers.push(await fileAt(`guess-${i}`, token));
  expect(answers.map(statusOf)).toEqual(Array<number>(25).fill(404));
  expect(answers[0]).toContain('"error":"no_file"');
  const page = await here.page(relay, url);
  const { bytes } = await page.until(() => page.given);
  expect(bytes instanceof Blob && (await bytes.text())).toBe('one\ntwo\n');
});

test('T-07: a page cannot name a file itself: that asks for the key of the state folder', async () => {
  const page = await here.page(relay);
  const host = `127.0.0.1:${relay.port}`;
  const body = JSON.stringify({ file: { path: file } });
  const answer = await rawRequest(
    relay.port,
    `POST /api/link HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nAuthorization: Bearer ${page.token}\r\n\r\n${body}`,
  );
  expect(statusOf(answer)).toBe(401);
});

test('a file that is another one by the time it is read is not read', async () => {
  const url = await linkFor({ path: file });
  writeFileSync(`${file}.new`, 'secret\n');
  renameSync(`${file}.new`, file);
  const page = await here.page(relay, url);
  const { bytes } = await page.until(() => page.given);
  expect(bytes).toEqual({ message: 'run.ndjson is not there any more. Run acp-scope open again.' });
});

test('what is no file, or is not named whole, is refused with a sentence', async () => {
  const folder = join(here.folders.work, 'folder');
  mkdirSync(folder);
  for (const path of [folder, join(folder, 'none'), 'run.ndjson', ''])
    expect(await ask({ path })).toMatchObject({
      ok: false,
      why: 'file',
      message: expect.stringMatching(/\.$/) as string,
    });
  for (const frame of [0, -1, 1.5])
    expect(await ask({ path: file, frame })).toMatchObject({ ok: false, why: 'file' });
});

test('an empty file is given as it is', async () => {
  writeFileSync(file, '');
  const page = await here.page(relay, await linkFor({ path: file }));
  const { bytes } = await page.until(() => page.given);
  expect(bytes instanceof Blob && bytes.size).toBe(0);
});
