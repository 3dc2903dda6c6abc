// `npm run generate`: from the SDK's JSON schemas to the modules under generated/, which the page
// loads only when a message is to be checked or explained. Does nothing when they are made from the same input:
// told by a hash, because npm gives every installed file the same time.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { shapesOf } from './shapes.mjs';

const OUT = new URL('./generated/', import.meta.url);
const STAMP = new URL('stamp', OUT);
const require = createRequire(import.meta.url);

const files = ['generate.mjs', 'shapes.mjs'].map((name) =>
  fileURLToPath(new URL(name, import.meta.url)),
);
const schemaFile = (version, name) =>
  require.resolve(`@agentclientprotocol/sdk/schema/v${version}/${name}.json`);
const schemas = [1, 2].flatMap((version) => [
  schemaFile(version, 'schema'),
  schemaFile(version, 'schema.unstable'),
]);
const read = (file) => readFileSync(file, 'utf8');

const hash = createHash('sha256');
for (const file of [...files, ...schemas]) hash.update(read(file));
const stamp = hash.digest('hex');

if (stampOf(STAMP) !== stamp) {
  mkdirSync(OUT, { recursive: true });
  for (const version of [1, 2]) {
    const stable = JSON.parse(read(schemaFile(version, 'schema')));
    const unstable = JSON.parse(read(schemaFile(version, 'schema.unstable')));
    const { shapes, docs } = shapesOf(stable, unstable);
    write(`shapes-v${version}.js`, `export const shapes = ${JSON.stringify(shapes)};\n`);
    write(`docs-v${version}.js`, `export const docs = ${JSON.stringify(docs)};\n`);
  }
  write('stamp', stamp); // last: a run cut short leaves none, and the next begins anew
}

/** In one step, so that a reader, or a second run at the same time, never meets half a file. */
function write(name, text) {
  const unfinished = new URL(`${name}.${process.pid}`, OUT);
  writeFileSync(unfinished, text);
  renameSync(unfinished, new URL(name, OUT));
}

function stampOf(url) {
  try {
    return readFileSync(url, 'utf8');
  } catch {
    return undefined;
  }
}
