// The page's own files: a list made once at start, of regular files and nothing else, so that no
// path on disk is ever made from an address.
import { readdirSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, relative, sep } from 'node:path';
import sirv from 'sirv';
import { cacheControl, SECURITY_HEADERS } from './headers.ts';

export interface Files {
  has(path: string): boolean;
  serve(request: IncomingMessage, response: ServerResponse): void;
}

/** Undefined: there is no page in this folder. */
export function openFiles(folder: string): Files | undefined {
  const paths = new Set(list(folder).map((path) => '/' + path));
  if (!paths.has('/index.html')) return undefined;
  paths.add('/');
  const serve = sirv(folder, {
    etag: true,
    setHeaders: (response, path) => {
      for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
      response.setHeader('Cache-Control', cacheControl(path));
    },
  });
  return { has: (path) => paths.has(path), serve: (request, response) => serve(request, response) };
}

/** A symbolic link is no regular file: it is left out, as is all behind it. T-15. */
function list(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
  } catch {
    return [];
  }
}
