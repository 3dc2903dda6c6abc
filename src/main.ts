// The page begins here. The one-time code leaves the address before anything else runs.
import { entryCode, takeCode } from './state/entry-code.ts';
// Before the components: they refine what it says.
import './ui/style/tokens.css';
import './ui/style/base.css';
import './ui/style/primitives.css';
import './ui/style/forced-colors.css';
import './ui/style/shell.css';
import './ui/style/frames.css';
import './ui/style/tree.css';
import './ui/style/words.css';
import { mount } from 'svelte';
import { DEFAULT_SETTINGS } from './drive/settings.ts';
import { ownWorker } from './engine/own-worker.ts';
import { CallFailed, connectEngine } from './engine/rpc.ts';
import workerUrl from './engine/worker.ts?worker&url';
import { App } from './state/app.svelte.ts';
import { tellEnd } from './state/runs/open.ts';
import { parseRoute } from './state/route.ts';
import AppView from './ui/App.svelte';

const TOKEN_KEY = 'acp-scope/token';
/** Not beside the first look at a trace, which has more use for the time. */
const KEEP_AFTER_MS = 4_000;
let keeping: ReturnType<typeof setTimeout> | undefined;
const isTraceAsked = parseRoute(location.hash)?.connection !== undefined;
const worker = ownWorker(workerUrl + (isTraceAsked ? '#trace' : ''), 'engine');
const engine = connectEngine(worker, {
  notice(notice) {
    if (notice.type === 'token') keepToken(notice.token);
    const { run } = app;
    app.receive(notice);
    if (notice.type === 'run') void tellEnd(app, notice.state, run);
    if (app.traces.length > 0) keeping ??= setTimeout(() => void keepScripts(), KEEP_AFTER_MS);
  },
  fault: ({ kind, message }) => app.faults.add(kind === 'thrown' ? 'worker' : kind, message),
});
const app = new App(engine, DEFAULT_SETTINGS);

// What nobody waits for or catches is told too. A browser's own warnings come without an error.
addEventListener('unhandledrejection', ({ reason }) => {
  app.faults.add(reason instanceof CallFailed ? 'call' : 'page', reason);
});
addEventListener('error', ({ error }: ErrorEvent) => {
  if (error instanceof Error) app.faults.add('page', error);
});

/** Into the browser's cache: what is stored stays readable in every view when the relay has gone. */
async function keepScripts(): Promise<void> {
  try {
    const paths = (await (await fetch('/assets.json')).json()) as readonly string[];
    for (const path of paths) await (await fetch(path, { priority: 'low' })).arrayBuffer();
  } catch {
    keeping = undefined;
  }
}

/** Per tab, and gone with it. */
function keepToken(token: string | undefined): void {
  if (token === undefined) sessionStorage.removeItem(TOKEN_KEY);
  else sessionStorage.setItem(TOKEN_KEY, token);
}

const target = document.getElementById('app');
if (target) mount(AppView, { target, props: { app } });
void engine.connections.enter(entryCode, sessionStorage.getItem(TOKEN_KEY) ?? undefined);

// A fresh link that is pasted into this very tab loads nothing anew.
addEventListener('hashchange', ({ oldURL }) => {
  const code = takeCode(oldURL);
  if (code !== undefined && app.link.status !== 'open')
    void engine.connections.enter(code, undefined);
});
// A tab that slept may hold a dead socket and not know: look at once.
for (const event of ['pageshow', 'online'] as const)
  addEventListener(event, () => void engine.connections.wake());
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') void engine.connections.wake();
});
// Workers cannot ask; a refusal is told by the storage notices.
void navigator.storage.persist?.();
