// The two recordings of docs/scenarios.md: one scenario on two versions of one real agent. What the
// docs show of their assertions and of their diff is what the commands print.
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readScenario } from '../drive/scenario/file/read.ts';
import { recordOf } from '../drive/scenario/assert/record.ts';
import { scenarioDocument } from '../drive/scenario/report/document.ts';
import { textReport } from '../report/text.ts';
import { runReport } from '../drive/scenario/report/report.ts';
import { nodeFinder } from './parts/node-finder.ts';
import { loadRemarks } from '../rules/steps.ts';
import { EXIT, runCommand } from './command.ts';
import { diff } from './diff.ts';
import { readTrace } from './parts/trace-files.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const docs = readFileSync(at('../../docs/scenarios.md'), 'utf8').replaceAll('\r\n', '\n');
const VERSIONS = ['1.15.0', '1.18.33'] as const;

let folder: string;
const cwd = process.cwd();
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'two-versions-'));
  for (const version of VERSIONS)
    for (const [name, more] of [
      ['two-versions-v1', ''],
      ['two-versions-load-v1', '.c2'],
    ] as const)
      copyFileSync(
        at(`../test/fixtures/opencode/${version}/${name}.acptrace.jsonl`),
        join(folder, `${version}${more}.acptrace.jsonl`),
      );
  process.chdir(folder);
});
afterEach(() => {
  vi.restoreAllMocks();
  process.chdir(cwd);
  rmSync(folder, { recursive: true, force: true });
});

test.each(VERSIONS)('what came of the scenario on %s stands in the docs', async (version) => {
  const read = readScenario(readFileSync(at('../../docs/two-versions.scenario.json'), 'utf8'));
  if (!read.ok) throw new Error(read.problems[0]?.message);
  const { steps } = read.scenario;
  const traces = [`${version}.acptrace.jsonl`, `${version}.c2.acptrace.jsonl`];
  const raw = await Promise.all(traces.map((path) => readTrace(path)));
  const record = recordOf(raw, await loadRemarks());
  const run = { failure: undefined, connections: [], problem: undefined, notes: [] };
  const runs = [await runReport(run, read.scenario, record, traces, nodeFinder)];
  expect(docs).toContain(
    `\`\`\`\n${textReport(scenarioDocument([{ name: '', steps: steps.length, runs }]))}\n\`\`\``,
  );
});

test('the diff of the two restores is what the docs show', async () => {
  const out: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((text: string) => void out.push(text));
  const [left, right] = VERSIONS.map((version) => `${version}.c2.acptrace.jsonl`);
  expect(await runCommand(diff, [left ?? '', right ?? ''])).toBe(EXIT.failed);
  expect(docs).toContain(`\`\`\`\n${out.join('\n').trim()}\n\`\`\``);
});
