// Makes an edition from the JSON schemas of a newer SDK or specification, and lists what they change against the
// newest built-in edition of the same version.
import type { EditionMethod, Version } from '../methods.ts';
import { amended, editionShapes } from '../schema/load.ts';
import type { Shapes, Standing } from '../schema/shape.ts';
import type { Edition, EditionId } from './edition.ts';
import { BASE, EDITION_IDS, EDITIONS } from './editions.ts';

/** The facts about the edition that the text of the schema itself has. */
interface EditionNames {
  readonly id: string;
  readonly version: Version;
  readonly date: string;
  readonly source: string;
}

export function makeEdition(
  { id, version, date, source }: EditionNames,
  shapes: Shapes,
  stableMethods: ReadonlySet<string>,
): Edition {
  return {
    format: 'acp-edition',
    formatVersion: 1,
    id: id as EditionId,
    version,
    words: `v${version} as of ${id.replace(/^v[12]-/, '')}`,
    date,
    source,
    on: newestOf(version),
    // Descriptions stay in the schema.
    schema: { shapes: { ...shapes, about: {} } },
    methods: methodsOf(shapes, stableMethods),
  };
}

/** The newest built-in edition of a version. */
export function newestOf(version: Version): EditionId {
  const own = EDITION_IDS.filter((id) => EDITIONS[id].version === version);
  return own.reduce((a, b) => (EDITIONS[a].date >= EDITIONS[b].date ? a : b));
}

function methodsOf({ methods }: Shapes, stable: ReadonlySet<string>): readonly EditionMethod[] {
  return Object.entries(methods).flatMap(([key, parts]) => {
    const [side = '', name = ''] = key.split(' ');
    const from = SENDERS[side] ?? 'both';
    const kinds: EditionMethod['kind'][] = [];
    if (parts.params !== undefined) kinds.push('request');
    if (parts.notification !== undefined) kinds.push('notification');
    return kinds.map((kind): EditionMethod => ({ name, from, kind, stable: stable.has(name) }));
  });
}

/** The sender of the methods that a side of the schemas handles; all other sides are both. */
const SENDERS: Readonly<Record<string, EditionMethod['from']>> = {
  agent: 'client',
  client: 'agent',
};

/** One change: `+` is new, `-` is gone, `!` is stable now. */
interface EditionChange {
  readonly sign: '+' | '-' | '!';
  /** `session/options`, `SessionUpdate "cursor_update"`, `NewSessionRequest.configOptions`. */
  readonly name: string;
}

/** Returns what the schemas change against the newest built-in edition of their version. */
export async function schemaChanges(
  version: Version,
  shapes: Shapes,
): Promise<readonly EditionChange[]> {
  const before = namesIn(amended(version, await editionShapes(version, BASE[version])));
  const after = namesIn(shapes);
  const added = [...after.keys()].filter((name) => !before.has(name));
  const gone = [...before.keys()].filter((name) => !after.has(name));
  const settled = [...after].filter(([name, stable]) => stable && before.get(name) === false);
  return [
    ...added.map((name) => ({ sign: '+', name }) as const),
    ...settled.map(([name]) => ({ sign: '!', name }) as const),
    ...gone.map((name) => ({ sign: '-', name }) as const),
  ];
}

/** Methods, fields and values by name, and whether each is stable. */
function namesIn({ defs, methods }: Shapes): ReadonlyMap<string, boolean> {
  const names = new Map<string, boolean>();
  for (const key of Object.keys(methods)) names.set(key.slice(key.indexOf(' ') + 1), true);
  for (const [name, def] of Object.entries(defs)) {
    const isStable = ({ unstable }: Standing) => unstable !== true;
    const values = def.is === 'object' ? def.cases : def.is === 'words' ? def.values : undefined;
    for (const one of values ?? []) names.set(`${name} "${one.value}"`, isStable(one));
    if (def.is !== 'object') continue;
    for (const [field, one] of Object.entries(def.fields ?? {}))
      names.set(`${name}.${field}`, isStable(one));
  }
  return names;
}
