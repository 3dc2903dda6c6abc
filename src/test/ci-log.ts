// The commands that the logs of CIs obey, as their own programs read them: each printed line is compared with
// each of these. They find prefixes by the rules of a language, which read over characters that have no width, and
// so does this.

/** GitHub knows which commands there are; any other name is taken for one here. */
const READERS: Readonly<Record<string, (line: string) => boolean>> = {
  // The newer form: after blanks, and up to the next pair of colons.
  'github ::': (line) => /^::[^]*?::/.test(line.replace(/^[\s\u0085]+/, '')),
  // The older form, anywhere in a line.
  'github ##[': (line) => hasCommand(line, '##['),
  // Its name has two parts; one that Azure does not know is an error of the job.
  azure: (line) => hasCommand(line, '##vso['),
  teamcity: (line) => line.includes('##teamcity['),
  gitlab: (line) => /section_(?:start|end):\d+:\S+?\r\u001b\[0K/.test(line),
  travis: (line) => /travis_(?:fold|time):\w+:/.test(line),
  buildkite: (line) =>
    /^(?:---|\+\+\+|~~~)\s(?:.+)?$|^\^\^\^\s+\+\+\+\s*$/.test(line.replace(/\u001b\[[\d;]*m/g, '')),
};

function hasCommand(line: string, prefix: string): boolean {
  const at = line.indexOf(prefix);
  return at >= 0 && line.includes(']', at);
}

/** The lines of an output that a CI would obey, each with that CI. */
export function obeyedIn(output: string): readonly string[] {
  return output.split('\n').flatMap((line) => {
    const seen = line.replace(
      /(?![\r\u001b])[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu,
      (char) => (char === '\t' ? char : ''),
    );
    return Object.entries(READERS).flatMap(([name, obeys]) =>
      obeys(line) || obeys(seen) ? [`${name}: ${line.slice(0, 200)}`] : [],
    );
  });
}
