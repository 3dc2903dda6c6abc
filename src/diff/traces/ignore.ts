// What a comparison leaves out, by rules that people write and save:
//
//   usage_update                    every frame or step of this name; `session_*`: that begins so
//   $..rawOutput                    every value under this key, at any depth
//   $.params.update.title           this value; `*` in place of a key or an index: any
//   tool_call*:$..locations[0]      only in what has this name
//   $['odd key'].x                  a key that is no word
import { isArray } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';

type Part =
  | { readonly type: 'key'; readonly key: string }
  | { readonly type: 'any' }
  /** Any depth, then this key; without a key: any. */
  | { readonly type: 'deep'; readonly key: string | undefined };

export interface IgnoreRule {
  readonly source: string;
  /** Of the frame or step; ends in `*` for a beginning; absent: any. */
  readonly name?: string;
  /** Absent: the whole. */
  readonly path?: readonly Part[];
}

/** A sentence where the rule cannot be read. */
export function parseIgnore(source: string): IgnoreRule | { readonly problem: string } {
  const text = source.trim();
  const dollar = text.startsWith('$') ? 0 : text.indexOf(':$') + 1;
  if (text === '')
    return { problem: 'An ignore rule is empty; give a name or a path: $..rawOutput.' };
  if (dollar === 0 && !text.startsWith('$')) {
    if (/^[\w$/.-]+\*?$/.test(text)) return { source: text, name: text };
    return { problem: `${text} is neither a name nor a path; a path begins with $: $..rawOutput.` };
  }
  const name = dollar > 0 ? text.slice(0, dollar - 1) : undefined;
  const path = partsOf(text.slice(dollar + 1));
  if (typeof path === 'string')
    return {
      problem: `The path ${text} cannot be read at ${path}; write it as $.params.update.title or $..rawOutput.`,
    };
  if (path.length === 0 && name === undefined)
    return { problem: 'The path $ would leave out everything; name a key: $..rawOutput.' };
  return { source: text, ...(name !== undefined && { name }), ...(path.length > 0 && { path }) };
}

const STEP =
  /^(?:\.\.(\*|[\w$-]+)|\.(\*|[\w$-]+)|(\.\.)?\[(?:(\*|\d+)|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\])/;

/** The rest that cannot be read, as a string. */
function partsOf(text: string): Part[] | string {
  const parts: Part[] = [];
  let rest = text;
  while (rest !== '') {
    const found = STEP.exec(rest);
    if (!found) return rest;
    const [all, deep, key, dots, index, single, double] = found;
    const quoted = (single ?? double)?.replace(/\\(.)/g, '$1');
    const said = deep ?? key ?? index ?? quoted ?? '';
    const isAny = said === '*' && quoted === undefined;
    if (deep !== undefined || dots !== undefined)
      parts.push({ type: 'deep', key: isAny ? undefined : said });
    else parts.push(isAny ? { type: 'any' } : { type: 'key', key: said });
    rest = rest.slice(all.length);
  }
  return parts;
}

/** Rules that apply to what has one name: made once a name. */
interface Applied {
  readonly whole: number;
  readonly paths: readonly {
    readonly rule: number;
    readonly path: readonly Part[];
    readonly needle: string | undefined;
  }[];
}

/** What a rule leaves out; `key`: the one that it stands under, where the rule names one. */
export type Leave = (rule: number, value: Json, key: string) => void;

/** Applies rules and tells what each leaves out. */
export class Ignoring {
  readonly rules: readonly IgnoreRule[];
  readonly #leave: Leave;
  readonly #byName = new Map<string, Applied>();

  constructor(rules: readonly IgnoreRule[], leave: Leave = () => undefined) {
    this.rules = rules;
    this.#leave = leave;
  }

  /** The same rules, for reading again what was told already. */
  again(): Ignoring {
    return new Ignoring(this.rules);
  }

  /** Whether everything of this name is left out; `value`: all of it. */
  drops(name: string, value: () => Json): boolean {
    const { whole } = this.#of(name);
    if (whole < 0) return false;
    this.#leave(whole, value(), '');
    return true;
  }

  /**
   * The value without what is left out; the same value where nothing is. `line`: the JSON it was read
   * from, where a look at that can tell.
   */
  strip(name: string, value: Json, line?: string): Json {
    let left: Json = value;
    for (const { rule, path, needle } of this.#of(name).paths) {
      const isThere =
        line === undefined || needle === undefined ? mayHold(left, path) : line.includes(needle);
      if (!isThere) continue;
      const last = path.at(-1);
      const key = last?.type === 'any' ? '' : (last?.key ?? '');
      const found = without(left, path, 0, (gone) => this.#leave(rule, gone, key));
      left = found ?? null;
    }
    return left;
  }

  /** Certain that `strip` gives the value back as it is. `line`: as there. */
  leavesWhole(name: string, line: string): boolean {
    const { paths } = this.#of(name);
    for (const { needle } of paths) if (needle === undefined || line.includes(needle)) return false;
    return true;
  }

  #of(name: string): Applied {
    const known = this.#byName.get(name);
    if (known) return known;
    const fits = (wanted: string | undefined) =>
      wanted === undefined ||
      (wanted.endsWith('*') ? name.startsWith(wanted.slice(0, -1)) : name === wanted);
    const applied = {
      whole: this.rules.findIndex((rule) => rule.path === undefined && fits(rule.name)),
      paths: this.rules.flatMap(({ name: wanted, path }, rule) =>
        path && fits(wanted) ? [{ rule, path, needle: needleOf(path) }] : [],
      ),
    };
    this.#byName.set(name, applied);
    return applied;
  }
}

const DEEPEST = 60;

/** Undefined: the value itself is left out. */
function without(
  value: Json,
  path: readonly Part[],
  at: number,
  leave: (value: Json) => void,
  depth = 0,
): Json | undefined {
  const part = path[at];
  if (part === undefined) {
    leave(value);
    return undefined;
  }
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return value;
  const child = (key: string, item: Json): Json | undefined => {
    const isHere = part.type === 'any' || part.key === undefined || part.key === key;
    if (part.type !== 'deep') return isHere ? without(item, path, at + 1, leave, depth + 1) : item;
    const left = isHere ? without(item, path, at + 1, leave, depth + 1) : item;
    return left === undefined ? undefined : without(left, path, at, leave, depth + 1);
  };
  return isArray(value) ? withoutItems(value, child) : withoutKeys(value as JsonObject, child);
}

/**
 * The last key of a path as it stands in a line, if it is written without escapes. Without the quote
 * before it: that stands everywhere, and a search that begins with it stops everywhere.
 */
function needleOf(path: readonly Part[]): string | undefined {
  const last = path.findLast((part) => part.type !== 'any');
  return last?.key === undefined || /^\d+$/.test(last.key) ? undefined : `${last.key}"`;
}

/** No is certain, and costs no more than a look at the keys. */
function mayHold(value: Json, path: readonly Part[], depth = 0): boolean {
  const [first] = path;
  if (typeof value !== 'object' || value === null) return false;
  if (first?.type === 'key') return Object.hasOwn(value, first.key);
  const key = first?.type === 'deep' ? first.key : undefined;
  if (key === undefined || depth > DEEPEST) return true;
  if (Object.hasOwn(value, key)) return true;
  for (const inner in value) {
    const item = (value as JsonObject)[inner];
    if (typeof item === 'object' && item !== null && mayHold(item, path, depth + 1)) return true;
  }
  return false;
}

type Child = (key: string, item: Json) => Json | undefined;

function withoutItems(items: readonly Json[], child: Child): Json {
  let isSame = true;
  const left: Json[] = [];
  items.forEach((item, at) => {
    const kept = child(String(at), item);
    isSame &&= kept === item;
    if (kept !== undefined) left.push(kept);
  });
  return isSame ? items : left;
}

function withoutKeys(value: JsonObject, child: Child): Json {
  let isSame = true;
  const left: [string, Json][] = [];
  for (const [key, item] of Object.entries(value)) {
    const kept = child(key, item);
    isSame &&= kept === item;
    if (kept !== undefined) left.push([key, kept]);
  }
  return isSame ? value : Object.fromEntries(left);
}
