// The page that holds its trace in itself: the same page and engine, without a relay and without storage.
// It opens from a file, and asks the network for nothing.
import '../ui/style/tokens.css';
import '../ui/style/base.css';
import '../ui/style/primitives.css';
import '../ui/style/forced-colors.css';
import '../ui/style/shell.css';
import '../ui/style/frames.css';
import '../ui/style/tree.css';
import '../ui/style/words.css';
import { mount } from 'svelte';
import { DEFAULT_SETTINGS } from '../drive/settings.ts';
import { CallFailed, connectEngine } from '../engine/rpc.ts';
import { App } from '../state/app.svelte.ts';
import { parseRoute } from '../state/route.ts';
import { seq } from '../trace/event.ts';
import AppView from '../ui/App.svelte';
import FileBar from '../ui/shell/FileBar.svelte';

/** The worker is made of the script that runs now. */
export function showPage(): void {
  const engine = connectEngine(ownWorker(), {
    notice: (notice) => app.receive(notice),
    fault: ({ kind, message }) => app.faults.add(kind === 'thrown' ? 'worker' : kind, message),
  });
  const app = new App(engine, DEFAULT_SETTINGS);
  addEventListener('unhandledrejection', ({ reason }) => {
    app.faults.add(reason instanceof CallFailed ? 'call' : 'page', reason);
  });
  addEventListener('error', ({ error }: ErrorEvent) => {
    if (error instanceof Error) app.faults.add('page', error);
  });
  app.panes.railOpen = false;
  app.panes.drawer = 'terminal';
  const held = document.getElementById('trace');
  const target = document.getElementById('app');
  if (target && held) void open(app, target, held);
}

async function open(
  app: App,
  target: HTMLElement,
  { dataset, textContent }: HTMLElement,
): Promise<void> {
  // What the address chooses is of another opening: the trace gets a new name each time.
  const route = parseRoute(location.hash);
  const place = /^#(\d+)$/.exec(location.hash)?.[1];
  history.replaceState(undefined, '', location.href.replace(/#.*$/s, ''));
  const file = await unpacked(textContent ?? '', dataset['name'] ?? 'trace');
  const bar = document.getElementById('bar');
  if (bar) mount(FileBar, { target: bar, props: { file } });
  mount(AppView, { target, props: { app } });
  const opened = await app.engine.library.importFile(file);
  if (!opened.ok) return app.tell('error', opened.message);
  await app.show(opened.connection, route?.view ?? 'trace', route?.query, route?.lights);
  const frame = route?.frame ?? Number(place ?? dataset['frame'] ?? 0);
  if (frame > 0) await app.jump(seq(frame));
  // Where nothing is selected there is nothing beside the list here: no connection to be shown.
  else await app.timeline.selectRow(0);
}

/** The file as it was put in: gzip in base64. */
async function unpacked(base64: string, name: string): Promise<File> {
  const packed = Uint8Array.from(atob(base64.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new File([await new Response(stream).arrayBuffer()], name);
}

function trusted(url: string): string {
  if (url.startsWith('blob:')) return url;
  throw new TypeError(`Not a worker of this page: ${url}`);
}

interface PolicyFactory {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string };
}

/** The one Trusted Types policy of this page takes nothing but a blob. */
function ownWorker(): Worker {
  const script = document.currentScript?.textContent ?? '';
  const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  const policies = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes;
  const policy = policies?.createPolicy('acp-scope-worker', { createScriptURL: trusted });
  return new Worker(policy?.createScriptURL(url) ?? trusted(url), { name: 'engine' });
}
