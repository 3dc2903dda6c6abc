// The terminal's questions before a launch: folders of their own, and what was asked.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { Launch } from '../../link/messages.ts';
import { Approvals, type ApprovalOptions } from '../../relay/approval/approvals.ts';

export const NODE = process.execPath;

/** Of the test that runs. */
export const desk: { folder: string; asked: string[] } = { folder: '', asked: [] };

/** Makes the folders for each test of the file, and takes them away. */
export function atDesk(): void {
  beforeEach(() => {
    desk.folder = realpathSync(mkdtempSync(join(tmpdir(), 'acp-scope-')));
    for (const name of ['state', 'w', 'other', 'more']) mkdirSync(join(desk.folder, name));
    desk.asked = [];
  });
  afterEach(() => rmSync(desk.folder, { recursive: true, force: true }));
}

export function launch(more: Partial<Launch> = {}): Launch {
  const cwd = join(desk.folder, 'w');
  return { name: 'a', argv: [NODE, 'agent.js', '--acp'], cwd, env: {}, roots: [], ...more };
}

/** `answer`: of the terminal; undefined: there is none. */
export function approvals(
  answer: boolean | undefined,
  more: Partial<ApprovalOptions> = {},
): Approvals {
  const confirm = (text: string) => {
    desk.asked.push(text);
    return Promise.resolve(answer === true);
  };
  return new Approvals({
    state: join(desk.folder, 'state'),
    terminal: answer === undefined ? undefined : { confirm },
    trustPage: false,
    allowed: [],
    isHarmless: (argv) => argv[1] === 'harmless.js',
    ...more,
  });
}

export const check = (of: Approvals, of1: Launch) =>
  of.check(of1, () => {}, new AbortController().signal);

export const codeOf = async (of: Approvals, of1: Launch) => {
  const checked = await check(of, of1);
  return checked.ok ? 'ok' : checked.problem.code;
};

export const messageOf = async (of: Approvals, of1: Launch) => {
  const checked = await check(of, of1);
  return checked.ok ? '' : checked.problem.message;
};
