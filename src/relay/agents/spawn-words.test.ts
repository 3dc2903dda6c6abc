import { expect, test } from 'vitest';
import { notExecutable, refusal, runnerOf } from './spawn-words.ts';

const CODES = [
  ...['E2BIG', 'EACCES', 'EAGAIN', 'EFTYPE', 'EINVAL', 'EMFILE', 'ENAMETOOLONG', 'ENFILE'],
  ...['ENOENT', 'ENOEXEC', 'ENOMEM', 'EPERM', 'ETXTBSY', 'UNKNOWN'],
];

test('R-42: whatever the system answers, the sentence names the program and what to do', () => {
  for (const platform of ['linux', 'darwin', 'win32'])
    for (const code of CODES) {
      const error = Object.assign(new Error(`spawn ${code}`), { code });
      const said = refusal(error, '/bin/agent', platform);
      expect(said, `${platform} ${code}`).toContain('/bin/agent');
      expect(said, `${platform} ${code}`).toMatch(
        /\. (?:Check|Close|End|Install|Run|Shorten|Start|Try) .*\.$/,
      );
    }
});

test('R-42 R-52: on Windows a script is named with the program that runs it', () => {
  for (const [file, runner] of [
    ['C:\\w\\agent.js', 'node'],
    ['C:\\w\\agent.MJS', 'node'],
    ['C:\\w\\agent.cts', 'node'],
    ['C:\\w\\agent.ps1', 'powershell -File'],
  ] as const) {
    expect(runnerOf(file)).toBe(runner);
    for (const code of ['EFTYPE', 'UNKNOWN', 'EACCES'])
      expect(refusal(Object.assign(new Error(code), { code }), file, 'win32')).toContain(
        `${runner} ${file}`,
      );
  }
  expect(runnerOf('C:\\w\\agent.exe')).toBeUndefined();
  const damaged = Object.assign(new Error('spawn EFTYPE'), { code: 'EFTYPE' });
  expect(refusal(damaged, 'C:\\w\\agent.exe', 'win32')).toContain('EFTYPE');
  expect(notExecutable('/w/agent.js', 'linux')).toContain('chmod +x');
});
