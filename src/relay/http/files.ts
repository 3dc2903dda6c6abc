// The page's own files: a list made once at start, of regular files and nothing else, so that no
// path on disk is ever made from an address.
import { readdirSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import sirv from 'sirv';
import { cacheControl, SECURITY_HEADERS } from './headers.ts';

export interface Files {
  has(path: string): boolean;
  serve(request: IncomingMessage, response: ServerResponse): void;
}

/** A sentence where there is no page, or more than a page (a link could lead anywhere). */
export function openFiles(folder: string): Files | string {
  const entries = entriesOf(folder);
  const link = entries.find((entry) => entry.isSymbolicLink());
  if (link)
    return `${join(link.parentPath, link.name)} is a symbolic link, and the page's folder may hold none. Remove it, or run "npm run build" again.`;
  const paths = new Set(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => '/' + relative(folder, join(entry.parentPath, entry.name)))
      .map((path) => path.split(sep).join('/')),
  );
  if (!paths.has('/index.html'))
    return `There is no built page in ${folder}. Run "npm run build" first.`;
  paths.add('/');
  const serve = sirv(folder, {
    etag: true,
    setHeaders: (response, path) => {
      for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
      response.setHeader('Cache-Control', cacheControl(path));
    },
  });
  return {
    has: (path) => paths.has(path),
    serve(request, response) {
      // Removed or unreadable since the start: this answer breaks off, and nothing else does.
      response.once('pipe', (file: Readable) => file.once('error', () => response.destroy()));
      serve(request, response);
    },
  };
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
