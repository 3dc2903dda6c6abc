// `npm run audit`, before each release: whether an advisory is known of a package whose code stands in what was
// built. `npm audit --omit=dev` would look at none, as the package depends on none: they are bundled.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm, ROOT } from '../cli/ready.mjs';

/** The packages of a build, by `name@version`. */
const bundled = new Set(
  ['dist', 'dist-node'].flatMap((folder) => {
    const { components } = JSON.parse(readFileSync(join(ROOT, folder, 'sbom.cdx.json'), 'utf8'));
    return components.map(({ name }) => name);
  }),
);

const [program, ...before] = npm();
const { stdout, stderr } = spawnSync(program, [...before, 'audit', '--json'], {
  cwd: ROOT,
  encoding: 'utf8',
  // Offline, npm finds nothing wrong with anything.
  env: { ...process.env, npm_config_offline: 'false', npm_config_audit: 'true' },
});
const report = read(stdout);
if (report?.vulnerabilities === undefined) {
  const why = report?.message ?? (stderr.trim() || 'npm printed nothing');
  console.error(`Nothing was audited, as the registry did not answer: ${why}`);
  console.error('Run it again where the registry answers. Nothing is said of any package.');
  process.exit(3);
}

const known = Object.values(report.vulnerabilities);
const ours = known.filter(({ name }) => bundled.has(name));
for (const { name, severity, via } of ours)
  for (const of of via)
    console.log(
      typeof of === 'string'
        ? `${name}: ${severity}, by ${of}`
        : `${name}: ${of.severity}, ${of.title} (${of.range}), ${of.url}`,
    );
console.log(
  `${bundled.size} packages are bundled: advisories are known of ${ours.length}. Of the packages that only build and test, of ${known.length - ours.length}.`,
);
process.exitCode = ours.length === 0 ? 0 : 1;

function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
