// The page's own files: regular files and nothing else, read once, at start, so that no path on disk is
// ever made from an address, and a build beside a running relay does not break the page it serves. A
// file server would read from the disk what it has listed before.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, relative, sep } from 'node:path';
import { lazy } from '../../lib/lazy.ts';
import { cacheControl, SECURITY_HEADERS } from './headers.ts';

export interface Files {
  /** Names the build. */
  readonly build: string;
  has(path: string): boolean;
  /** Reads all of them, if nobody was served before. A sentence: which could not be read, and the way out. */
  hold(): string | undefined;
  /** `path`: one that it has. */
  serve(path: string, request: IncomingMessage, response: ServerResponse): void;
}

/** What a build of the page is made of. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.jsonl': 'application/x-ndjson',
};

const INDEX = '/index.html';

type Headers = Readonly<Record<string, string | number>>;

interface HeldFile {
  readonly bytes: Buffer;
  /** Made when it is first asked for: to hash all of the page would double the time of a start. */
  readonly headers: () => Headers;
}

/**
 * A sentence where there is no page, more than a page (a link could lead anywhere), or less than one. What
 * it is made of is listed here and held from `hold` on: to read its hundreds of files takes longer than
 * all else that a relay needs to listen.
 */
export function openFiles(
  folder: string,
  read: (file: string) => Buffer = (file) => readFileSync(file),
): Files | string {
  const entries = entriesOf(folder);
  const link = entries.find((entry) => entry.isSymbolicLink());
  if (link)
    return `${join(link.parentPath, link.name)} is a symbolic link, and the page's folder may hold none. Remove it, or run "npm run build" again.`;
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      return { file, path: '/' + relative(folder, file).split(sep).join('/') };
    });
  const listed = new Set(['/', ...paths.map(({ path }) => path)]);
  const build = listed.has(INDEX) ? buildIn(folder) : undefined;
  if (build === undefined) return `There is no built page in ${folder}. Run "npm run build" first.`;
  const held = lazy(() => {
    const files = new Map<string, HeldFile>();
    for (const { file, path } of paths)
      try {
        files.set(path, heldFile(read(file), path));
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        return `The page's file ${file} could not be read (${why}). A build may be under way, or this user may not read it. Run "npm run build" to its end, and start again.`;
      }
    return files;
  });
  return {
    build,
    has: (path) => listed.has(path),
    hold() {
      const files = held();
      return typeof files === 'string' ? files : undefined;
    },
    serve(path, request, response) {
      const files = held();
      if (typeof files === 'string') throw new Error(files);
      const file = files.get(path === '/' ? INDEX : path);
      if (!file) throw new Error(`${path} is none of the page's files`);
      const [bytes, headers] = [file.bytes, file.headers()];
      const isKnown = request.headers['if-none-match'] === headers['ETag'];
      response.writeHead(isKnown ? 304 : 200, headers);
      response.end(isKnown || request.method === 'HEAD' ? undefined : bytes);
    },
  };
}

/** Names the build that stands in this folder; undefined: there is none. */
export function buildIn(folder: string): string | undefined {
  try {
    return tagOf(readFileSync(join(folder, 'index.html')));
  } catch {
    return undefined;
  }
}

function tagOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64url');
}

function heldFile(bytes: Buffer, path: string): HeldFile {
  const headers = lazy(() => ({
    ...SECURITY_HEADERS,
    'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream',
    'Content-Length': bytes.length,
    'Cache-Control': cacheControl(path),
    ETag: `"${tagOf(bytes)}"`,
  }));
  return { bytes, headers };
}

/**
 * A browser keeps the service worker of a tool that once had this port, and lets it answer in our
 * place. It asks for the worker's script after each visit: this one, whatever its address, goes, and
 * has the pages loaded anew. Their query makes it a load, where an address with `#` would be a jump.
 */
const RETIRING_WORKER = `addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(retire()));
async function retire() {
  await registration.unregister();
  for (const page of await clients.matchAll({ type: 'window' })) {
    const url = new URL(page.url);
    url.search = '?renewed';
    await page.navigate(url).catch(() => undefined);
  }
}
`;

export function retireServiceWorker(response: ServerResponse): void {
  response.writeHead(200, {
    ...SECURITY_HEADERS,
    'Content-Type': 'text/javascript; charset=utf-8',
    'Cache-Control': 'no-store',
    // It may have been in charge of more than the folder of its script.
    'Service-Worker-Allowed': '/',
  });
  response.end(RETIRING_WORKER);
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch {
    return [];
  }
}
