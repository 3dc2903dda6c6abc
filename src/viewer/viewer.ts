// The script of the page that holds its trace in itself, and of its worker: one text, in which what both need stands
// once.
import { serveViewer } from '../engine/viewer-worker.ts';
import { showPage } from './page.ts';

if ('document' in globalThis) showPage();
else serveViewer();
