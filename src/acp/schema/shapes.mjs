// Turns a JSON schema of the SDK into shapes (see shape.ts): unions with their tag found, allOf
// and nullable unions folded away, what only the unstable schema has marked so. Descriptions go into
// a list of their own, since only people need them. Throws on a keyword it does not know, so that a
// new SDK cannot lose a rule here.

const NOTES = new Set(['description', 'title', 'default', 'x-side', 'x-method', 'x-docs-ignore']);
const isNote = (key) => NOTES.has(key) || key.startsWith('x-deserialize-');

const RANGES = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: [-(2 ** 63), 2 ** 63],
  uint16: [0, 2 ** 16 - 1],
  uint32: [0, 2 ** 32 - 1],
  uint64: [0, 2 ** 64],
  double: [],
};

/**
 * @param stable the version's stable schema
 * @param unstable its unstable schema, which has all of the stable one and more
 * @returns {{shapes: object, docs: string[]}} docs: by the numbers in the shapes, Markdown
 */
export function shapesOf(stable, unstable) {
  const defs = {};
  const methods = {};
  const docs = new Map();
  for (const [name, def] of Object.entries(unstable.$defs)) {
    if (!def['x-method']) continue;
    const kind = /(Response|Notification)$/.exec(name)?.[1] ?? 'Request';
    const part = { Request: 'params', Response: 'result', Notification: 'notification' }[kind];
    (methods[`${def['x-side']} ${def['x-method']}`] ??= {})[part] = name;
    need(name);
  }
  need('Error');
  const about = { ...methodDocs(unstable), ...methodDocs(stable) };
  return { shapes: { defs, methods, about }, docs: [...docs.keys()] };

  /** The number of a description; that of the stable schema links to stable pages. */
  function doc(was, node) {
    const text = plainDoc(was?.description ?? node.description);
    if (text === undefined) return {};
    if (!docs.has(text)) docs.set(text, docs.size);
    return { doc: docs.get(text) };
  }

  /** What a method is for, said where all requests and notifications are listed. */
  function methodDocs(schema) {
    const found = {};
    const visit = (node) => {
      if (typeof node !== 'object' || node === null) return;
      const name = node.allOf?.[0]?.$ref?.replace('#/$defs/', '');
      const { 'x-side': side, 'x-method': method } = schema.$defs[name] ?? {};
      const text = method && doc(undefined, node).doc;
      if (text !== undefined) found[`${side} ${method}`] ??= text;
      Object.values(node).forEach(visit);
    };
    for (const side of ['Agent', 'Client', 'Proxy', 'Protocol'])
      for (const kind of ['Request', 'Notification', 'Level']) visit(schema.$defs[side + kind]);
    visit(schema.anyOf);
    return found;
  }

  function need(name) {
    if (name in defs) return;
    const def = unstable.$defs[name];
    if (!def) throw new Error(`No definition ${name}`);
    defs[name] = {}; // stands in while the definition refers to itself
    const was = stable.$defs[name];
    defs[name] = { ...shapeOf(def, was, name), ...doc(was, def) };
  }

  function shapeOf(node, was, at) {
    const keys = Object.keys(node).filter((key) => !isNote(key));
    const only = (...names) => {
      const odd = keys.filter((key) => !names.includes(key));
      if (odd.length) throw new Error(`${at}: no words for ${odd.join(', ')}`);
    };
    if (keys.length === 0) return { is: 'any' };
    if (node.$ref) {
      only('$ref');
      const to = node.$ref.replace('#/$defs/', '');
      need(to);
      return { is: 'ref', to };
    }
    if (keys.length === 1 && node.allOf?.length === 1)
      return shapeOf(node.allOf[0], was?.allOf?.[0], at);
    const types = [node.type ?? []].flat();
    const nullable = types.includes('null') ? { null: true } : {};
    const type = types.find((name) => name !== 'null');
    const union = node.anyOf ?? node.oneOf;
    if (union && type !== 'object') {
      only('type', 'anyOf', 'oneOf', 'discriminator');
      return unionOf(union, was?.anyOf ?? was?.oneOf, at);
    }
    switch (type) {
      case 'object':
        only(
          ...['type', 'properties', 'required', 'additionalProperties', 'allOf', 'anyOf', 'oneOf'],
          ...['discriminator', 'not', 'unevaluatedProperties'],
        );
        return { ...objectOf(node, was, at), ...nullable };
      case 'array': {
        only('type', 'items', 'minItems');
        const least = node.minItems === undefined ? {} : { min: node.minItems };
        return { is: 'array', of: shapeOf(node.items, was?.items, at), ...least, ...nullable };
      }
      case 'string': {
        only('type', 'const', 'minLength', 'maxLength', 'pattern', 'format', 'contentEncoding');
        if (node.const !== undefined) return { is: 'words', values: [{ value: node.const }] };
        const { minLength: min, maxLength: max, pattern, format } = node;
        return { is: 'string', ...defined({ min, max, pattern, format }), ...nullable };
      }
      case 'integer':
      case 'number': {
        only('type', 'format', 'minimum', 'maximum');
        const range = RANGES[node.format ?? 'double'];
        if (!range) throw new Error(`${at}: no range for ${node.format}`);
        const [min, max] = [node.minimum ?? range[0], node.maximum ?? range[1]];
        const integer = type === 'integer' ? true : undefined;
        return { is: 'number', ...defined({ integer, min, max }), ...nullable };
      }
      case 'boolean':
        only('type');
        return { is: 'boolean', ...nullable };
      case undefined:
        if (types.length) return { is: 'null' };
    }
    throw new Error(`${at}: no shape for ${JSON.stringify(node).slice(0, 200)}`);
  }

  function unionOf(union, was, at) {
    const branches = union.filter((branch) => branch.type !== 'null');
    const nullable = branches.length < union.length ? { null: true } : {};
    if (branches.length === 1) return { ...shapeOf(branches[0], undefined, at), ...nullable };
    if (branches.every(isWord)) return { ...wordsOf(branches, was), ...nullable };
    const open = branches.find((branch) => branch.type === 'integer' && branch.const === undefined);
    if (open && branches.every(({ type }) => type === 'integer'))
      return { ...shapeOf(open, undefined, at), ...nullable }; // codes
    if (tagOf(branches)) return { is: 'object', ...taggedOf(branches, was, at), ...nullable };
    const of = branches.map((branch) => shapeOf(branch, undefined, at));
    const title = (shape, i) => (branches[i].title ? { ...shape, name: branches[i].title } : shape);
    return { is: 'either', of: of.map(title), ...nullable };
  }

  function wordsOf(branches, was) {
    const known = new Map(was?.map((branch) => [branch.const, branch]));
    const values = branches
      .filter((branch) => branch.const !== undefined)
      .map((branch) => ({
        value: branch.const,
        ...doc(known.get(branch.const), branch),
        ...(was && !known.has(branch.const) && { unstable: true }),
      }));
    return { is: 'words', values, ...(values.length < branches.length && { open: true }) };
  }

  function objectOf(node, was, at) {
    const fields = fieldsOf(node, was, at);
    const extra = node.additionalProperties;
    const union = node.anyOf ?? node.oneOf;
    const mixins = node.allOf?.map((part, i) => shapeOf(part, was?.allOf?.[i], at));
    const tagged = union && tagOf(union);
    const before = was?.anyOf ?? was?.oneOf;
    const ways = union && !tagged && union.map((way) => shapeOf(way, undefined, at));
    return {
      is: 'object',
      ...(Object.keys(fields).length && { fields }),
      ...(extra === true && { open: true }),
      ...(typeof extra === 'object' && { map: shapeOf(extra, undefined, at) }),
      ...(mixins && { all: mixins }),
      ...(tagged && taggedOf(union, before, at)),
      ...(ways && { ways, ...(node.oneOf && { one: true }) }),
    };
  }

  /** `_meta` stands nearly everywhere and is the same everywhere, so it is left out here. */
  function fieldsOf(node, was, at, tag) {
    const fields = {};
    for (const [name, field] of Object.entries(node.properties ?? {})) {
      if (name === '_meta' || name === tag) continue;
      const soft =
        (field['x-deserialize-default-on-error'] && 'error') ||
        (field['x-deserialize-default-on-null'] && 'null');
      fields[name] = {
        shape: shapeOf(field, was?.properties?.[name], `${at}.${name}`),
        ...(node.required?.includes(name) && { required: true }),
        ...doc(was?.properties?.[name], field),
        ...(soft && { soft }),
        ...(field['x-deserialize-skip-invalid-items'] && { softItems: true }),
        ...(was && !was.properties?.[name] && { unstable: true }),
      };
    }
    return fields;
  }

  /**
   * Branches told apart by one field: `cases` by its value, `other` for values nobody defined,
   * `untagged` for a branch that does without the field.
   */
  function taggedOf(branches, was, at) {
    const tag = tagOf(branches);
    const before = new Map(was?.map((branch) => [branch.properties?.[tag]?.const, branch]));
    const found = { tag, cases: [] };
    for (const branch of branches) {
      const value = branch.properties?.[tag]?.const;
      if (value !== undefined) {
        found.cases.push({
          value,
          ...caseOf(branch, before.get(value), tag, `${at}:${value}`),
          ...doc(before.get(value), branch),
          ...(was && !before.has(value) && { unstable: true }),
        });
      } else if (branch.title === 'other') {
        // Of a variant that nobody defined, nobody knows the fields.
        const known = caseOf(branch, undefined, tag, `${at}:other`).shape;
        found.other = { is: 'object', open: true, ...(known && { all: [known] }) };
      } else {
        found.untagged = caseOf(branch, undefined, tag, `${at}:untagged`).shape ?? { is: 'object' };
        if (branch.properties?.[tag]?.type === 'null') found.bare = true;
      }
    }
    return found;
  }

  function caseOf(branch, was, tag, at) {
    const { not: _, ...rest } = branch;
    const { [tag]: __, ...properties } = rest.properties ?? {};
    const required = rest.required?.filter((name) => name !== tag) ?? [];
    const union = rest.anyOf ?? rest.oneOf;
    if (Object.keys(properties).length === 0 && required.length === 0 && !union) {
      if (rest.additionalProperties === true) return { shape: { is: 'object', open: true } };
      return rest.allOf ? { shape: shapeOf({ allOf: rest.allOf }, undefined, at) } : {};
    }
    return { shape: objectOf({ ...rest, properties, required }, was, at) };
  }
}

const OPEN = new Set(['other', 'unknown']);
const isWord = (branch) =>
  branch.type === 'string' && (branch.const !== undefined || OPEN.has(branch.title));

/** The field whose constant tells the branches of a union apart. */
function tagOf(branches) {
  for (const branch of branches)
    for (const [name, field] of Object.entries(branch.properties ?? {}))
      if (field.const !== undefined) return name;
  return undefined;
}

const defined = (object) =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));

// A description of the schema as Markdown for people: without what a mark beside it says anyway, and
// without the brackets that mean something to Rust's own pages alone.

function plainDoc(text) {
  const plain = text
    ?.replace(/\*\*UNSTABLE\*\*\s*/g, '')
    .replace(/This capability is not part of the spec yet[^\n]*(?:\n(?!\n)[^\n]*)*\n*/g, '')
    .replace(/\[(`[^`\]]*`)\](?!\()(?:\[[^\]]*\])?/g, '$1')
    .trim();
  return plain
    ? plain
        .split(/\n\s*\n/)
        .map(unwrapped)
        .join('\n\n')
    : undefined;
}

/** A paragraph without the line breaks that only keep the schema's file narrow. */
function unwrapped(paragraph) {
  if (paragraph.includes('```')) return paragraph;
  return paragraph.replace(/ *\n *(?![-*] |\d+\. | )/g, ' ');
}
