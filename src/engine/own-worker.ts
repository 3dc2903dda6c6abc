// Workers of ours, for the page and for a worker that needs one itself. `new Worker` takes nothing
// else: the one Trusted Types policy of each.
const WORKER_FILE = import.meta.env.DEV
  ? /^\/src\/engine\/(?:[\w-]+\/)?[\w-]*worker\.ts$/
  : /^\/assets\/[\w.-]+\.js$/;

function trusted(url: string): string {
  const checked = new URL(url, location.origin);
  if (checked.origin !== location.origin || !WORKER_FILE.test(checked.pathname))
    throw new TypeError(`Not a worker of this page: ${url}`);
  return url;
}

interface PolicyFactory {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string };
}

const policies = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes;
const policy = policies?.createPolicy('acp-scope-worker', { createScriptURL: trusted });

/** `url`: as Vite gives it for `?worker&url`. */
export function ownWorker(url: string, name: string): Worker {
  return new Worker(policy?.createScriptURL(url) ?? trusted(url), { type: 'module', name });
}
