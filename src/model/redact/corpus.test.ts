// Planted secrets are left out, and little else of real recordings is.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CASES, TEXT_PLACES, TOKEN_PLACES } from '../../test/traces/planted-secrets.ts';
import type { Frame, TraceEvent } from '../../trace/event.ts';
import { eventLine } from '../../trace/format.ts';
import { lineText } from '../../trace/line.ts';
import { AnyReader } from '../../trace/import/sniff.ts';
import { senders } from '../senders.ts';
import { Redactor } from './redactor.ts';

function redacted(events: readonly TraceEvent[], known: readonly string[] = []): TraceEvent[] {
  const redactor = new Redactor({ level: 'no-secrets', known });
  for (const event of events) redactor.learn(eventLine(event), event);
  redactor.learned();
  return events.map((event) => redactor.event(event));
}

/** All that is said: lines as they are, base64 decoded, streamed pieces joined. */
function told(events: readonly TraceEvent[]): string {
  const lines = events.map((event) => ('line' in event ? lineText(event.line) : eventLine(event)));
  const texts = lines.flatMap(textsIn);
  const decoded = texts.flatMap((text) =>
    [...text.matchAll(/[\w+/-]{4,}={0,2}/g)].map(([word]) => {
      try {
        return atob(word);
      } catch {
        return '';
      }
    }),
  );
  return [...lines, texts.join('\n'), texts.join(''), decoded.join('')].join('\n');
}

function textsIn(line: string): string[] {
  const texts: string[] = [];
  try {
    JSON.parse(line, (key, value: unknown) => {
      texts.push(key);
      if (typeof value === 'string')
        texts.push(value, ...(/^[[{]/.test(value) ? textsIn(value) : []));
      return value;
    });
  } catch {
    return [line];
  }
  // Streamed texts alone, so that what stands between pieces does not hide what they say together.
  return texts.filter((text) => !['text', 'data', 'type', 'content', ''].includes(text));
}

/** What streamed pieces say together. */
function streamed(events: readonly TraceEvent[]): string {
  const pieces = events
    .flatMap((event) => ('line' in event ? [lineText(event.line)] : []))
    .flatMap((line) =>
      [...line.matchAll(/"(?:text|data)":("(?:[^"\\]|\\.)*")/g)].map(([, text = '""']) => {
        const said = JSON.parse(text) as string;
        return line.includes('terminal_output_chunk') ? atob(said) : said;
      }),
    );
  return pieces.join('');
}

test('there are 150 planted secrets and more', () => {
  expect(CASES.length).toBeGreaterThanOrEqual(150);
});

test.each(CASES)('I-09 leaves out: $name', ({ secret, events }) => {
  const inside = told(events) + streamed(events);
  expect(inside).toContain(secret);
  const left = redacted(events);
  expect(told(left)).not.toContain(secret);
  expect(streamed(left)).not.toContain(secret);
  // Not in parts either: no run of half its letters.
  const half = secret.slice(0, Math.max(6, secret.length >> 1));
  expect(told(left)).not.toContain(half);
});

test.each(Object.entries({ ...TOKEN_PLACES, ...TEXT_PLACES }))(
  'I-09 a value of the agent’s own environment survives nowhere: %s',
  (_, plant) => {
    const secret = 'quite.Ordinary-looking_value';
    const left = redacted(plant(secret), [secret]);
    expect(told(left) + streamed(left)).not.toContain(secret);
  },
);

test('I-09 in real recordings less than one string in a hundred is taken for a secret', () => {
  const root = join(import.meta.dirname, '../../test/fixtures');
  let strings = 0;
  let hits = 0;
  const seen: string[] = [];
  for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(?:ndjson|acptrace\.jsonl)$/.test(file) || /^(?:imports|format)/.test(file)) continue;
    const reader = new AnyReader(senders);
    const items = [...reader.push(readFileSync(join(root, file))), ...reader.end()];
    const events = items.flatMap((item) => ('event' in item ? [item.event] : []));
    const redactor = new Redactor({ level: 'no-secrets' });
    for (const event of events) redactor.learn(eventLine(event), event);
    redactor.learned();
    for (const event of events) {
      if (!('line' in event)) continue;
      const before = textsIn(lineText(event.line));
      const after = textsIn(lineText((redactor.event(event) as Frame).line));
      strings += before.length;
      for (const [at, text] of before.entries())
        if (text !== after[at]) {
          hits++;
          if (seen.length < 40)
            seen.push(`${file}: ${text.slice(0, 100)} → ${(after[at] ?? '').slice(0, 100)}`);
        }
    }
  }
  expect(strings).toBeGreaterThan(10_000);
  expect(hits / strings, seen.join('\n')).toBeLessThan(0.01);
});
