// A worker of a script that the page holds in itself. `new Worker` takes nothing else: the one Trusted
// Types policy of such a page.

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

const policies = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes;
const policy = policies?.createPolicy('acp-scope-worker', { createScriptURL: trusted });

/** `url`: of a blob that holds the script. */
export function blobWorker(url: string, name: string): Worker {
  return new Worker(policy?.createScriptURL(url) ?? trusted(url), { name });
}
