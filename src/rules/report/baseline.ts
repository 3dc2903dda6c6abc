// A baseline: findings that are known, from an earlier check in JSON. Seqs and ids differ from run to
// run, so a finding is the same if rule, side and place in the message are.
import { arr, objects, parseJson, str } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import type { Finding } from '../finding.ts';
import type { ReportedFinding } from './report.ts';

export class Baseline {
  /** Keys by file; of a file the baseline does not name, those of all count. */
  readonly #files = new Map<string, Set<string>>();
  readonly #all = new Set<string>();

  /** Undefined: the text is no check in JSON. */
  static read(text: string): Baseline | undefined {
    const document: Json | undefined = parseJson(text);
    if (arr(document, 'files').length === 0) return undefined;
    const made = new Baseline();
    for (const file of objects(document, 'files')) {
      const keys = new Set<string>();
      made.#files.set(nameOf(str(file, 'file') ?? ''), keys);
      for (const finding of objects(file, 'findings')) {
        if (str(finding, 'verdict') !== 'fail') continue;
        const rule = str(finding, 'rule') ?? '';
        const key = keyOf(rule, str(finding, 'side') ?? '', str(finding, 'pointer') ?? '');
        keys.add(key);
        made.#all.add(key);
      }
    }
    return made;
  }

  /** The findings of a file, those that are known marked so. */
  mark(file: string, findings: readonly Finding[]): readonly ReportedFinding[] {
    const known = this.#files.get(nameOf(file)) ?? this.#all;
    return findings.map((finding) => {
      const { verdict, rule, side, pointer } = finding;
      return verdict === 'fail' && known.has(keyOf(rule, side, pointer))
        ? { ...finding, known: true }
        : finding;
    });
  }
}

/** Places in lists differ from run to run as well. */
function keyOf(rule: string, side: string, pointer: string): string {
  return [rule, side, pointer.replace(/\/\d+(?=\/|$)/g, '/*')].join('\n');
}

/** The last part of a path: a checkout lies elsewhere on the next machine. */
function nameOf(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}
