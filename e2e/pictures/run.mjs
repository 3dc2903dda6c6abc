// `npm run e2e:pictures -- [--update-snapshots]`: draws every view in every state and shape, and says what
// looks otherwise than before. Those that are kept stand in `kept`, the others, of this machine, in `drawn`.
import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, ensureNode, ROOT } from '../../src/cli/ready.mjs';

ensureNode();
ensureInstalled();
await ensureBuilt();
const { chromium } = await import('../../src/test/chromium.mjs');

const { status } = spawnSync(
  process.execPath,
  [
    join(ROOT, 'node_modules/@playwright/test/cli.js'),
    ...['test', '--config', join(ROOT, 'e2e/playwright.config.ts'), 'pictures.spec.ts'],
    ...process.argv.slice(2),
  ],
  {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ACP_SCOPE_CHROMIUM: chromium(), ACP_SCOPE_PICTURES: 'all' },
  },
);
process.exitCode = status ?? 1;
writeSheet();

/** All that are kept on one page: a row for each view, a column for each shape. */
function writeSheet() {
  const names = readdirSync(join(ROOT, 'e2e/pictures/kept')).map((name) => name.split('-'));
  const views = [...new Set(names.map(([view]) => view))];
  const shapes = [...new Set(names.map(([, , ...shape]) => shape.join('-')))];
  const cell = (view, shape) =>
    names.some(([of, , ...rest]) => of === view && rest.join('-') === shape)
      ? `![${view}](../e2e/pictures/kept/${view}-example-${shape})`
      : '';
  const rows = [
    ['', ...shapes.map((shape) => shape.replace('.png', '').replace('-', ', '))],
    ['---', ...shapes.map(() => '---')],
    ...views.map((view) => [view, ...shapes.map((shape) => cell(view, shape))]),
  ];
  writeFileSync(
    join(ROOT, 'docs/pictures.md'),
    `# How it looks

The example in every view, at the widths that are looked at. \`npm test\` draws these again and fails where
one looks otherwise; \`npm run e2e:pictures\` draws every view also empty, loading, running, failed and
without its relay, and compares those with the last that were drawn on the same machine. What is meant to
look otherwise is renewed with \`npm run e2e:pictures -- --update-snapshots\`, which writes this page too.

${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}
`,
  );
}
