// `npm start`: from a fresh clone to the page. Arguments are passed on to acp-scope.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, ensureInstalled, ensureNode, ROOT } from './ready.mjs';

ensureNode();
ensureInstalled();
ensureBuilt();
await import(pathToFileURL(join(ROOT, 'dist-node/acp-scope.js')).href);
