// The page's entry and its only wiring place. The one-time code leaves the address before anything
// else runs; the token it is traded for lives in this tab alone.
import { mount } from 'svelte';
import { DEFAULT_SETTINGS } from './drive/settings.ts';
import { connectEngine, type Port } from './engine/rpc.ts';
import workerUrl from './engine/worker.ts?worker&url';
import { App as AppState } from './state/app.svelte.ts';
import App from './ui/App.svelte';
import './ui/tokens.css';

const TOKEN = 'acp-scope-token';

const code = takeCode();
const worker = new Worker(trusted(workerUrl), { type: 'module' });
const engine = connectEngine(worker as Port, (notice) => {
  if (notice.type === 'token') keepToken(notice.token);
  state.receive(notice);
});
const state = new AppState(engine, DEFAULT_SETTINGS);
const target = document.getElementById('app');
if (target) mount(App, { target, props: { app: state } });
void engine.enter(code, sessionStorage.getItem(TOKEN) ?? undefined);

/** `#k=CODE` of the link; the address that stays names no secret. */
function takeCode(): string | undefined {
  const found = /^#k=([\w-]+)$/.exec(location.hash)?.[1];
  if (found !== undefined) history.replaceState(null, '', location.pathname);
  return found;
}

function keepToken(token: string | undefined): void {
  if (token === undefined) sessionStorage.removeItem(TOKEN);
  else sessionStorage.setItem(TOKEN, token);
}

/** A worker's address is a sink of Trusted Types: only our own script may pass. */
function trusted(url: string): string {
  const policy = (window as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy(
    'acp-scope-worker',
    {
      createScriptURL(given) {
        const { origin, pathname } = new URL(given, location.href);
        const own = origin === location.origin;
        if (own && (import.meta.env.DEV || /^\/assets\/[\w.-]+\.js$/.test(pathname))) return given;
        throw new TypeError(`Not a script of this page: ${given}`);
      },
    },
  );
  // `Worker` takes the policy's object; its type only knows strings.
  return (policy?.createScriptURL(url) ?? url) as string;
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): unknown };
}
