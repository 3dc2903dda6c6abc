// `acp-scope edition`: makes an edition from the JSON schema of a newer SDK or specification.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { schemaChanges, makeEdition, newestOf } from '../acp/editions/make-edition.ts';
import { EDITIONS, isBuiltIn } from '../acp/editions/editions.ts';
import { get, isObject, parseJson, str } from '../acp/json.ts';
import type { Version } from '../acp/methods.ts';
import { shapesOf } from '../acp/schema/shapes.mjs';
import { count } from '../lib/format.ts';
import { command, EXIT, FileError, UsageError } from './command.ts';
import { FORCE_OPTION, outFiles } from './parts/out-file.ts';
import { oneOf } from './parts/option-values.ts';
import { writeReport } from './parts/out-places.ts';
import { reason } from './parts/trace-files.ts';
import { WORDS } from './words.ts';

export const edition = command({
  ...WORDS.edition,
  details: [
    '--from PATH       schema.json, or the folder of an SDK or of the specification',
    '--out FILE        where the edition is written; acp-scope check --edition FILE reads it',
    '--protocol 1|2    the version, if PATH has the schemas of both',
    '--id ID           its name; default: the version of the SDK, v1-2.9.1',
    '--date D          the date of its text, YYYY-MM-DD; default: today',
    '--force           overwrite FILE if it exists',
    'Prints what changed against the newest built-in edition: + is new, ! is stable now, - is gone.',
  ],
  options: {
    ...FORCE_OPTION,
    from: { type: 'string' },
    out: { type: 'string' },
    protocol: { type: 'string' },
    id: { type: 'string' },
    date: { type: 'string' },
  },
  writes: ['--out'],
  async run({ values }) {
    const { from, out, id, date = new Date().toISOString().slice(0, 10) } = values;
    if (from === undefined || out === undefined)
      throw new UsageError('edition takes --from PATH and --out FILE.');
    if (!/^\d{4}-\d\d-\d\d$/.test(date) || Number.isNaN(Date.parse(date)))
      throw new UsageError(`--date ${date} is not YYYY-MM-DD.`);
    const wanted =
      values.protocol === undefined ? undefined : oneOf('protocol', values.protocol, ['1', '2']);
    const path = schemaPath(from, wanted);
    const { stable, unstable } = schemasAt(path);
    const version: Version = !('UpdateSessionNotification' in unstable.$defs) ? 1 : 2;
    if (wanted !== undefined && Number(wanted) !== version)
      throw new UsageError(`${path} is the schema of v${version}, and --protocol is ${wanted}.`);
    const { shapes } = shapesAt(path, stable, unstable);
    const names = {
      id: idOf(version, id ?? sdkVersion(path) ?? date),
      version,
      date,
      source: resolve(path),
    };
    if (isBuiltIn(names.id))
      throw new UsageError(`${names.id} is the id of a built-in edition. Give another with --id.`);
    const made = makeEdition(names, shapes, methodsIn(stable));
    const file = await outFiles({ option: '--out', force: values.force, reads: [path] }).named(out);
    writeReport(file, `${JSON.stringify(made)}\n`);
    const changes = await schemaChanges(version, shapes);
    const older = EDITIONS[newestOf(version)].words;
    console.log(`${names.id}: ${count(changes.length, 'change')} against ${older}`);
    for (const { sign, name } of changes) console.log(`  ${sign} ${name}`);
    return EXIT.ok;
  },
});

function idOf(version: Version, name: string): string {
  return name.startsWith(`v${version}-`) ? name : `v${version}-${name}`;
}

/** Returns the path of the schema in a folder of an SDK or of the specification. */
function schemaPath(from: string, wanted: '1' | '2' | undefined): string {
  if (!existsSync(from))
    throw new FileError(`Cannot read ${from}: there is no such file or folder.`);
  if (statSync(from).isFile()) return from;
  const versions = wanted === undefined ? ['1', '2'] : [wanted];
  const all = ['schema', '.', 'dist/schema'].flatMap((folder) =>
    versions.map((version) => join(from, folder, `v${version}`, 'schema.json')),
  );
  const found = all.filter((path) => existsSync(path));
  if (found.length > 1)
    throw new UsageError(`${from} has the schemas of v1 and v2. Choose with --protocol 1 or 2.`);
  const flat = [join(from, 'schema', 'schema.json'), join(from, 'schema.json')];
  const path = found[0] ?? flat.find((one) => existsSync(one));
  if (path === undefined)
    throw new FileError(`${from} has no schema.json. Give the file, or the folder of an SDK.`);
  return path;
}

interface Schema {
  readonly $defs: Readonly<Record<string, unknown>>;
}

/** The schema, and beside it the unstable one, which has all of it and more. */
function schemasAt(path: string): { readonly stable: Schema; readonly unstable: Schema } {
  const stable = schemaIn(path);
  const beside = path.replace(/schema\.json$/, 'schema.unstable.json');
  return { stable, unstable: beside !== path && existsSync(beside) ? schemaIn(beside) : stable };
}

function schemaIn(path: string): Schema {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new FileError(`Cannot read ${path}: ${reason(error)}.`);
  }
  const schema = parseJson(text);
  const defs = get(schema, '$defs');
  if (
    !isObject(schema) ||
    !isObject(defs) ||
    !Object.values(defs).some((def) => str(def, 'x-method'))
  )
    throw new FileError(`${path} is not a schema of ACP: it has no \`$defs\` with \`x-method\`.`);
  return { ...schema, $defs: defs };
}

function shapesAt(path: string, stable: Schema, unstable: Schema) {
  try {
    return shapesOf(stable, unstable);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new FileError(`Cannot read ${path}: this version of ACP Scope does not know ${why}.`);
  }
}

function methodsIn({ $defs }: Schema): ReadonlySet<string> {
  return new Set(Object.values($defs).flatMap((def) => str(def as never, 'x-method') ?? []));
}

/** The version of the package that holds the schema. */
function sdkVersion(path: string): string | undefined {
  for (let at = dirname(resolve(path)); at !== dirname(at); at = dirname(at)) {
    const file = join(at, 'package.json');
    if (existsSync(file)) return str(parseJson(readFileSync(file, 'utf8')), 'version');
  }
  return undefined;
}
