// An agent that the page drives. Nobody else hears it: what it said is what it says again, asked with the
// same seed for as many lines.
import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { program } from '../relay.ts';
import { expect, type Scope } from '../scope.ts';
import { bytesFrom, readEvents } from '../trace-file.ts';

const TALKER = program('talker.mjs');
const MOST_BYTES = 2 ** 30;

export interface Driven {
  readonly name: string;
  readonly seed: number;
  /** Its relay went with it: what it said last may be missing, and nothing before. */
  wasLeft: boolean;
}

export async function drive(scope: Scope, driven: Driven, rate: number, folder: string) {
  const file = join(folder, driven.name);
  // A connection is called as its program.
  symlinkSync(process.execPath, file);
  // What goes on is shown when it comes, in the place of a form.
  await expect(scope.rail.getByRole('treeitem', { name: /\btap\b/ }).first()).toBeVisible();
  await scope.tryCommand([file, TALKER, String(driven.seed), String(rate)], { cwd: folder });
  await expect(trace(scope, driven)).toBeVisible();
}

/** Closes its input, and waits until its last words are stored. */
export async function endDriven(scope: Scope, driven: Driven): Promise<void> {
  const menu = await scope.menuOf(driven.name);
  await menu.getByRole('menuitem', { name: 'Close stdin' }).click();
  await expect(trace(scope, driven)).toHaveAttribute('title', /\nended/);
}

/** How many lines are stored of what it said; fails where one of them is missing, changed or there twice. */
export async function judge(scope: Scope, driven: Driven): Promise<number> {
  const { name, seed, wasLeft } = driven;
  const file = await scope.export(name);
  const types = readEvents(file).map(({ type }) => type);
  expect(types.includes('gap'), `${name} has a gap`).toBe(false);
  const stored = bytesFrom('agent', file);
  // Its pid, which is another each time.
  const said = stored.subarray(stored.indexOf(10) + 1);
  const last = /\{[^{}\n]*\{[^{}\n]*"said":(\d+)\}\}\n$/.exec(
    said.subarray(-200).toString('latin1'),
  );
  if (!wasLeft) expect(last, `${name}: its last line`).not.toBeNull();
  const talk = last ? said.subarray(0, said.length - last[0].length) : said;
  const whole = talk.reduce((count, byte) => count + (byte === 10 ? 1 : 0), 0);
  if (last) expect(whole, `${name}: lines`).toBe(Number(last[1]));
  const again = spawnSync(process.execPath, [TALKER, String(seed), '0', String(whole + 1)], {
    maxBuffer: MOST_BYTES,
  }).stdout;
  const due = again.subarray(again.indexOf(10) + 1).subarray(0, talk.length);
  expect(due.equals(talk), `${name}: what it said`).toBe(true);
  return whole;
}

function trace(scope: Scope, { name }: Driven) {
  return scope.runsOf(name).first();
}
