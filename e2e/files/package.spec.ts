// What whoever installs the package gets: packed by npm as for a release, and installed.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { npm, ROOT } from '../../src/cli/ready.mjs';
import { BIN } from '../relay.ts';
import { expect, test } from '../scope.ts';

const run = promisify(execFile);

/** All that may be in it. */
const FILES = [
  /^(?:package\.json|README\.md|LICENSE)$/,
  /^docs\/[a-z-]+\.md$/,
  /^dist\/(?:index\.html|viewer\.html|icon\.svg|assets\.json|example(?:-live)?\.acptrace\.jsonl)$/,
  /^dist\/assets\/[\w.-]+\.(?:js|css)$/,
  /^dist-node\/(?:acp-scope|[\w-]+-[\w-]{8})\.js$/,
  /^dist(?:-node)?\/sbom\.cdx\.json$/,
];

/** npm as a stranger has it: no settings but these, no registry, nothing kept from before. */
async function alone(folder: string, ...args: readonly string[]): Promise<string> {
  const [program, ...before] = npm();
  const settings = Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name));
  const { stdout } = await run(program, [...before, ...args], {
    cwd: ROOT,
    env: {
      ...Object.fromEntries(settings),
      npm_config_cache: join(folder, 'cache'),
      npm_config_offline: 'true',
      npm_config_ignore_scripts: 'true',
    },
  });
  return stdout;
}

/** `npm run audit` beside a registry that answers so. */
async function audit(answer: RequestListener): Promise<{ code: number; said: string }> {
  const registry = createServer(answer).listen(0, '127.0.0.1');
  await once(registry, 'listening');
  const { port } = registry.address() as AddressInfo;
  const env = {
    ...process.env,
    npm_config_registry: `http://127.0.0.1:${port}/`,
    npm_config_fetch_retries: '0',
  };
  const words = [join(ROOT, 'src/test/audit.mjs')];
  const ended = await new Promise<{ code: number; said: string }>((resolve) =>
    execFile(process.execPath, words, { env }, (error, out, told) =>
      resolve({ code: error === null ? 0 : Number(error.code), said: out + told }),
    ),
  );
  registry.close();
  return ended;
}

/** A registry to which these packages have an advisory, in every version they have. */
function warning(...names: readonly string[]): RequestListener {
  const title = 'Frames kill it';
  const url = 'https://advisories.example/1';
  const range = { vulnerable_versions: '*', cwe: [], cvss: { score: 8 } };
  return ({ method, url: path = '' }, response) => {
    const name = decodeURIComponent(path.slice(1));
    const version = '9999.0.0';
    const answer =
      method === 'POST'
        ? Object.fromEntries(
            names.map((one) => [one, [{ id: 1, url, title, severity: 'high', ...range }]]),
          )
        : { name, 'dist-tags': { latest: version }, versions: { [version]: { name, version } } };
    response.end(JSON.stringify(answer));
  };
}

test('S-18: the package holds what was built and its docs, and runs once installed without any registry', async ({
  folder,
}) => {
  const said = await alone(folder, 'pack', '--json', '--pack-destination', folder);
  const [packed] = JSON.parse(said) as { filename: string; files: { path: string }[] }[];
  const paths = packed?.files.map(({ path }) => path) ?? [];
  expect(paths.filter((path) => !FILES.some((file) => file.test(path)))).toEqual([]);
  for (const path of ['LICENSE', 'dist/index.html', 'dist/viewer.html', 'dist-node/acp-scope.js'])
    expect(paths).toContain(path);
  // The relay serves what this list names, and nothing else: what stands beside it is an older build's.
  const served = JSON.parse(readFileSync(join(ROOT, 'dist/assets.json'), 'utf8')) as string[];
  expect(paths.filter((path) => path.startsWith('dist/assets/')).sort()).toEqual(
    served.map((path) => `dist${path}`).sort(),
  );

  const archive = join(folder, packed?.filename ?? '');
  await alone(folder, 'install', '--global', '--prefix', folder, archive);
  const bin = ['lib/node_modules', 'node_modules']
    .map((modules) => join(folder, modules, 'acp-scope/dist-node/acp-scope.js'))
    .find(existsSync);
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    version: string;
  };
  const { stdout } = await run(process.execPath, [bin ?? 'nothing installed', '--version']);
  expect(stdout).toContain(version);
});

test('S-18: beside what is built stands whose code is in it, of page and command, with the licences', () => {
  const built = dirname(BIN);
  for (const [folder, name] of [
    [built, 'ws'],
    [join(built, '..', 'dist'), 'svelte'],
    // It stands in a worker alone.
    [join(built, '..', 'dist'), 'idb'],
  ] as const) {
    const { components } = JSON.parse(readFileSync(join(folder, 'sbom.cdx.json'), 'utf8')) as {
      components: { name: string; licenses: { license: { text?: { content: string } } }[] }[];
    };
    expect(components.map((one) => one.name)).toContain(name);
    for (const one of components)
      expect(one.licenses[0]?.license.text?.content, one.name).toMatch(/./);
  }
});

test('S-18: an advisory of a package that is bundled fails the audit, one of a tool alone does not', async () => {
  const both = await audit(warning('ws', 'prettier'));
  expect(both.said).toMatch(/^ws: high, Frames kill it \(\*\), https:\/\/advisories\.example\/1\n/);
  expect(both.said).toMatch(/known of 1\. Of the packages that only build and test, of [12]\.\n$/);
  expect(both.said).not.toContain('prettier:');
  expect(both.code).toBe(1);
  const tool = await audit(warning('prettier'));
  expect(tool).toEqual({ code: 0, said: expect.stringMatching(/known of 0\..* of [12]\.\n$/) });
});

test('S-18: a registry that answers no audit, or none at all, passes for no good word', async () => {
  const closed = await audit((_, response) => response.writeHead(405).end());
  expect(closed.said).toMatch(/^Nothing was audited, as the registry did not answer: 405/);
  expect(closed.code).toBe(3);
  const gone = await audit((request) => request.socket.destroy());
  expect(gone.said).toMatch(/^Nothing was audited, as the registry did not answer: /);
  expect(gone.code).toBe(3);
});
