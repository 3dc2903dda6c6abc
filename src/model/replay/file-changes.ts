// The change of files as v1 says it, both texts of each, and as v2 does, a git patch: whether they are
// the same change.
import { arr, isArray, isObject, str } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';

interface Hunk {
  readonly old: readonly string[];
  readonly now: readonly string[];
}

interface FileChange {
  readonly path: string;
  /** v2: undefined where there is no patch. */
  readonly hunks: readonly Hunk[] | undefined;
}

/** Paths of files that only one of them changes, that they change otherwise, or of which v2 says no more. */
interface ChangeRelation {
  readonly onlyV1: readonly string[];
  readonly onlyV2: readonly string[];
  readonly otherwise: readonly string[];
  readonly untold: readonly string[];
}

/** `v1`: parts `{path, oldText, newText}`. `v2`: parts `{paths, text}`. */
export function changeRelation(v1: Json, v2: Json): ChangeRelation {
  const texts = list(v1).map((part): FileChange => {
    const hunk = {
      old: linesOf(str(part, 'oldText') ?? ''),
      now: linesOf(str(part, 'newText') ?? ''),
    };
    return { path: str(part, 'path') ?? '', hunks: [hunk] };
  });
  const patches = list(v2).flatMap(patchedFiles);
  const isOf = (one: FileChange) => (other: FileChange) => isSameFile(one.path, other.path);
  const only = (some: readonly FileChange[], others: readonly FileChange[]) =>
    some.filter((one) => !others.some(isOf(one))).map(({ path }) => path);
  const both = patches.filter((patch) => texts.some(isOf(patch)));
  return {
    onlyV1: only(texts, patches),
    onlyV2: only(patches, texts),
    untold: both.filter(({ hunks }) => hunks === undefined).map(({ path }) => path),
    otherwise: both
      .filter((patch) => {
        const own = texts.filter(isOf(patch)).flatMap(({ hunks = [] }) => hunks);
        return patch.hunks !== undefined && !isSameChange(patch.hunks, own);
      })
      .map(({ path }) => path),
  };
}

function list(value: Json): readonly Json[] {
  return isArray(value) ? value.filter((part) => isObject(part)) : [];
}

/** Paths are absolute; git writes some relative. */
function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one.replaceAll('\\', '/'), other.replaceAll('\\', '/')];
  return a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`);
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** The patch made of the whole texts, or of the stretches that v1 tells one by one. */
function isSameChange(hunks: readonly Hunk[], texts: readonly Hunk[]): boolean {
  const [whole] = texts;
  if (texts.length === 1 && whole && isPatchOf(hunks, whole)) return true;
  const bare = (some: readonly Hunk[]) => JSON.stringify(some.map(trimmed).filter(isChange));
  return bare(hunks) === bare(texts);
}

function isPatchOf(hunks: readonly Hunk[], { old, now }: Hunk): boolean {
  const made: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    const found = placeOf(hunk.old, old, at);
    if (found < 0) return false;
    made.push(...old.slice(at, found), ...hunk.now);
    at = found + hunk.old.length;
  }
  made.push(...old.slice(at));
  return made.length === now.length && made.every((line, i) => line === now[i]);
}

function placeOf(block: readonly string[], lines: readonly string[], from: number): number {
  for (let at = from; at + block.length <= lines.length; at++)
    if (block.every((line, i) => line === lines[at + i])) return at;
  return -1;
}

/** Without the lines that both begin and end with. */
function trimmed({ old, now }: Hunk): Hunk {
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < most - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  return { old: old.slice(head, old.length - tail), now: now.slice(head, now.length - tail) };
}

function isChange({ old, now }: Hunk): boolean {
  return old.length > 0 || now.length > 0;
}

const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** Of one part of v2: the files of its patch, or those it only names. */
function patchedFiles(part: Json): FileChange[] {
  // A file that was moved: `old → new`.
  const paths = arr(part, 'paths').map((path) => String(path).split(' → ').at(-1) ?? '');
  const files: { names: string[]; hunks: { old: string[]; now: string[] }[] }[] = [];
  let [old, now] = [0, 0];
  for (const line of (str(part, 'text') ?? '').split(/\r?\n/)) {
    const last = files.at(-1);
    const hunk = last?.hunks.at(-1);
    if (hunk && (old > 0 || now > 0)) {
      const [sign, text] = [line[0] ?? ' ', line.slice(1)];
      if (sign === '\\') continue;
      if (sign !== '+' && old-- > 0) hunk.old.push(text);
      if (sign !== '-' && now-- > 0) hunk.now.push(text);
      continue;
    }
    const begins = HUNK.exec(line);
    if (begins && last) {
      [old, now] = [Number(begins[1] ?? 1), Number(begins[2] ?? 1)];
      last.hunks.push({ old: [], now: [] });
    } else if (line.startsWith('diff --git ')) files.push({ names: [], hunks: [] });
    else if (/^(?:---|\+\+\+) /.test(line)) {
      if (!last || last.names.length > 1) files.push({ names: [], hunks: [] });
      files.at(-1)?.names.push(nameIn(line.slice(4)));
    }
  }
  if (files.length === 0) return paths.map((path) => ({ path, hunks: undefined }));
  return files.map(({ names, hunks }, at) => {
    const name = names.findLast((one) => one !== '/dev/null');
    const path = paths.find((one) => name !== undefined && isSameFile(one, name));
    return { path: path ?? paths[at] ?? name ?? '', hunks };
  });
}

/** As git writes it: perhaps quoted, with a prefix, with a time behind a tab. */
function nameIn(written: string): string {
  const [name = ''] = written.split('\t');
  const bare = /^".*"$/.test(name) ? name.slice(1, -1).replace(/\\(.)/g, '$1') : name;
  return bare.replace(/^[ab]\//, '');
}
