// What a browser loads before anything is clicked: the page, its scripts and styles, its worker, and
// the view it begins with. Each file gzipped by itself. Run after `npm run build`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { printTable } from './table.mjs';

const DIST = fileURLToPath(new URL('../dist', import.meta.url));
const FIRST_VIEW = 'Connect';
const MOST = 110_000;

const textOf = (file) => readFileSync(join(DIST, file), 'utf8');
const found = new Map();

function add(file, why) {
  if (found.has(file)) return;
  found.set(file, why);
  if (!file.endsWith('.js')) return;
  for (const [, name] of textOf(file).matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g))
    add(`assets/${name}`, why);
}

const html = textOf('index.html');
add('index.html', 'page');
const entry = /<script[^>]+src="\/(assets\/[^"]+)"/.exec(html)[1];
add(entry, 'page');
for (const [, file] of html.matchAll(/href="\/(assets\/[^"]+\.(?:js|css))"/g)) add(file, 'page');
const code = textOf(entry);
add(/assets\/worker-[\w-]+\.js/.exec(code)[0], 'worker');

// As the build writes them: all files that views need, and which of them this one does.
const all = JSON.parse(/m\.f=(\[[^\]]+\])/.exec(code)[1].replaceAll('`', '"'));
// A view whose chunk holds more than itself is taken out of it: `.then(e=>e.t)`.
const needs = new RegExp(
  `import\\(.\\./${FIRST_VIEW}-[^)]+\\)(?:\\.then\\([^)]*\\))?,__vite__mapDeps\\(\\[([\\d,]+)`,
);
for (const i of needs.exec(code)[1].split(',')) add(all[i], 'first view');

const sizes = [...found].map(([file, why]) => {
  return [file, why, gzipSync(readFileSync(join(DIST, file)), { level: 9 }).length];
});
const sum = (rows) => rows.reduce((total, [, , size]) => total + size, 0);
const format = (bytes) => bytes.toLocaleString('en');
const total = sum(sizes);
printTable(
  `First page, bytes gzipped (at most ${format(MOST)})`,
  ['file', 'part of', 'gzip -9'],
  [
    ...sizes.map(([file, why, size]) => [file, why, format(size)]),
    ['all', '', format(total)],
    ['acp-devtools 0.4.0, scripts alone', '', '186,000'],
    ['MCP Inspector, scripts alone', '', '278,000'],
  ],
);
if (total > MOST) process.exitCode = 1;
