// The sentences of what the schemas say: one place for each code.
import { assertNever } from '../../lib/assert-never.ts';
import { nearestField, type SchemaRemark } from './remark.ts';
import {
  dueWords,
  orWords,
  quotedJson,
  rangeDueWords,
  valueKindWords,
  shortened,
  stringFault,
  subject,
  valueWords,
} from './words.ts';

interface RemarkWords {
  /** As it stands after "seen:": `` `cwd` is the number 5 ``. */
  readonly seen: string;
  /** As it stands after "due:": `a string`. */
  readonly due: string;
  /** Both in one clause. */
  readonly message: string;
}

export function remarkWords(remark: SchemaRemark): RemarkWords {
  const words = remark.spoken === undefined ? wordsOf(remark) : otherVersion(remark, remark.spoken);
  const { seen, due, message = `${seen}; expected ${due}` } = words;
  if (remark.kind !== 'lenient') return { seen, due, message };
  const what = remark.leftOut === undefined ? 'it' : subject(remark.leftOut);
  const read = ` (the official SDK reads ${what} as left out)`;
  return { seen: seen + read, due, message: message + read };
}

type Words = Omit<RemarkWords, 'message'> & { readonly message?: string };

function wordsOf(remark: SchemaRemark): Words {
  const { pointer } = remark;
  switch (remark.code) {
    case 'missing': {
      const [first, second, third] = remark.names;
      if (first !== undefined && second === undefined)
        return { seen: `\`${first}\` is missing`, due: dueWords(remark.plan) };
      const due = third === undefined ? 'both' : 'all of them';
      const seen = `${fields(remark.names, 'and')} are missing`;
      return { seen, due, message: `${seen}; expected ${due}` };
    }
    case 'no-params':
      return {
        seen: '`params` is missing',
        due: `an object with ${fields(remark.names, 'and')}`,
      };
    case 'no-way':
      return { seen: `${orWords(ways(remark.ways))} is missing`, due: 'one of them' };
    case 'two-ways':
      return { seen: `${ways(remark.ways).join(' and ')} are both there`, due: 'one of them' };
    case 'misspelt':
      return { seen: `\`${remark.name}\` is not a field here`, due: `\`${remark.meant}\`` };
    case 'unknown-field': {
      const { name, meant } = remark;
      const seen = `\`${shortened(name)}\` is not a field here`;
      return meant === undefined
        ? {
            seen,
            due: 'data of one’s own in `_meta`',
            message: `${seen}; data of one’s own belongs in \`_meta\``,
          }
        : { seen, due: `\`${meant}\``, message: `${seen}; did you mean \`${meant}\`?` };
    }
    case 'unknown-value': {
      const { name, known, kind } = remark;
      const seen = `${subject(pointer)} is ${quotedJson(name)}`;
      const values = known.map(({ value }) => value);
      const meant = nearestField(name, values);
      const words = meant === undefined ? valueWords(known) : JSON.stringify(meant);
      const isAllowed = kind === 'unknown-value' || kind === 'other-version';
      return {
        seen,
        due: isAllowed ? `${words}, or a value of one’s own that begins with _` : words,
        message:
          meant === undefined ? `${seen}; known: ${words}` : `${seen}; did you mean ${words}?`,
      };
    }
    case 'unfitting-tag': {
      const value = JSON.stringify(remark.value);
      const seen = `\`${remark.name}\` is ${value}, and the fields fit only without it`;
      return { seen, due: `the fields of ${value}`, message: seen };
    }
    case 'type':
      return {
        seen: `${subject(pointer)} is ${valueKindWords(remark.value)}`,
        due: dueWords(remark.plan),
      };
    case 'empty':
      return { seen: `${subject(pointer)} is empty`, due: 'at least one item' };
    case 'number': {
      const { value, plan } = remark;
      const isWhole = !plan.integer || Number.isInteger(value);
      return {
        seen: `${subject(pointer)} is ${value}`,
        due: isWhole ? rangeDueWords(value, plan.min, plan.max) : 'a whole number',
      };
    }
    case 'string': {
      const { is, due } = stringFault(remark.plan, remark.value);
      return { seen: `${subject(pointer)} ${is}`, due };
    }
    case 'meta': {
      const { name, value } = remark;
      const of = name === undefined ? '_meta' : `_meta.${name}`;
      return {
        seen: `\`${of}\` is ${valueKindWords(value)}`,
        due: name === undefined ? 'an object or null' : 'a string',
      };
    }
    case 'unstable': {
      const { name, isValue } = remark;
      const what = isValue ? `${JSON.stringify(name)} for ${subject(pointer)}` : `\`${name}\``;
      return {
        seen: `${what} stands in the unstable schema alone`,
        due: 'nothing of it unless both sides chose it: it may change or go',
        message: `only the unstable schema has ${what}`,
      };
    }
    default:
      return assertNever(remark);
  }
}

function otherVersion(remark: SchemaRemark, spoken: 1 | 2): Words {
  const other = spoken === 1 ? 2 : 1;
  const name = 'name' in remark ? (remark.name ?? '') : '';
  const isField = remark.code === 'unknown-field';
  const seen = isField
    ? `\`${name}\` is a field of v${other}`
    : `${subject(remark.pointer)} is ${JSON.stringify(name)}, a value of v${other}`;
  const due = isField ? `a field of v${spoken}` : wordsOf(remark).due;
  return { seen, due, message: `${seen}; v${spoken} has none such` };
}

function fields(names: readonly string[], or: string): string {
  return orWords(
    names.map((name) => `\`${name}\``),
    or,
  );
}

/** The fields that tell each way apart. */
function ways(all: readonly (readonly string[])[]): readonly string[] {
  return all.map((names) => names.map((name) => `\`${name}\``).join(', '));
}
