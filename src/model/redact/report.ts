// What was left out of a trace, and what remains, as a document and as one sentence.
import { count, formatCount } from '../../lib/format.ts';
import type { ReportDocument } from '../../report/document.ts';
import { lines, section } from '../../report/words.ts';
import { SECRET_RULE_WORDS, type SecretRule } from './book.ts';
import { LEFTOVERS } from './leftovers.ts';
import { LEVEL_WORDS } from './levels.ts';
import type { Redaction } from './redactor.ts';

/** `most`: how many places of leftovers are named. */
export function redactionDocument(redaction: Redaction, most = 5): ReportDocument {
  const { level, leftovers } = redaction;
  const hits = hitsOf(redaction);
  return {
    name: 'acp-scope export',
    title: 'What was left out',
    untitled: true,
    blocks: [
      lines(`${level}: ${LEVEL_WORDS[level]}`, redactionSentence(redaction)),
      ...(hits.length === 0
        ? []
        : [
            section('Left out', {
              kind: 'table',
              heads: [{ name: 'what' }, { name: 'places', right: true }],
              rows: hits.map(([rule, places]) => [SECRET_RULE_WORDS[rule], formatCount(places)]),
            }),
          ]),
      ...(leftovers.length === 0
        ? []
        : [
            section('Look at these before you share it', {
              kind: 'table',
              heads: [
                { name: 'what remains' },
                { name: 'different', right: true },
                { name: 'first at' },
              ],
              rows: leftovers.map(({ kind, count: different, seqs }) => [
                LEFTOVERS[kind],
                formatCount(different),
                seqs
                  .slice(0, most)
                  .map((seq) => `#${seq}`)
                  .join(' '),
              ]),
            }),
          ]),
    ],
    suites: [],
  };
}

/** `14 places left out: 3 different secrets.` */
export function redactionSentence(redaction: Redaction): string {
  if (redaction.level === 'all') return 'Nothing is left out: secrets are in it.';
  const places = hitsOf(redaction).reduce((sum, [, number]) => sum + number, 0);
  if (places === 0) return 'Nothing had to be left out.';
  const { secrets } = redaction;
  const which = secrets > 0 ? `, ${count(secrets, 'different secret')} among them` : '';
  return `${count(places, 'place')} left out${which}.`;
}

function hitsOf({ hits }: Redaction): readonly [SecretRule, number][] {
  return (Object.entries(hits) as [SecretRule, number][]).sort(([, a], [, b]) => b - a);
}
