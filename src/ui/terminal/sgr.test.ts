import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sgrParts } from './sgr.ts';

const ESC = '\u001b';
const draw = (text: string) =>
  sgrParts(text).parts.map((part) => (part.type === 'mark' ? `␛${part.name}` : part.text));

test('colours and weight become styles, and end where they end', () => {
  expect(sgrParts(`a${ESC}[1;31mb${ESC}[0mc`).parts).toEqual([
    { type: 'text', text: 'a', style: {} },
    { type: 'text', text: 'b', style: { bold: true, ink: 1 } },
    { type: 'text', text: 'c', style: {} },
  ]);
  expect(sgrParts(`${ESC}[92;44m`).style).toEqual({ ink: 10, paper: 4 });
  expect(sgrParts(`${ESC}[38;5;196mx`).style).toEqual({ ink: 1 });
  expect(sgrParts(`${ESC}[38;2;0;200;0;4mx`).style).toEqual({ ink: 2, underline: true });
  expect(sgrParts(`${ESC}[mx`, { ink: 1 }).style).toEqual({});
});

const CORPUS: readonly (readonly [string, string])[] = [
  ['OSC 0 title', `${ESC}]0;title\u0007`],
  ['OSC 1 title', `${ESC}]1;title${ESC}\\`],
  ['OSC 2 title', `${ESC}]2;title\u009c`],
  ['OSC 8 link', `${ESC}]8;;https://evil\u0007`],
  ['OSC 52 ask', `${ESC}]52;c;?\u0007`],
  ['OSC 52 write', `${ESC}]52;c;cm0gLXJm\u0007`],
  ['OSC 9', `${ESC}]9;note\u0007`],
  ['OSC 777', `${ESC}]777;notify;a;b\u0007`],
  ['OSC 1337 file', `${ESC}]1337;File=name=x:AAAA\u0007`],
  ['OSC 4', `${ESC}]4;1;?\u0007`],
  ['OSC 10', `${ESC}]10;?\u0007`],
  ['OSC 11', `${ESC}]11;?\u0007`],
  ['DECRQSS', `${ESC}P$qm${ESC}\\`],
  ['XTGETTCAP', `${ESC}P+q544e${ESC}\\`],
  ['DA', `${ESC}[c`],
  ['DA 2', `${ESC}[>c`],
  ['CPR', `${ESC}[6n`],
  ['DECRQM', `${ESC}[?2026$p`],
  ['focus events', `${ESC}[?1004h`],
  ['mouse', `${ESC}[?1000h`],
  ['window ops', `${ESC}[8;10;10t`],
  ['title report', `${ESC}[21t`],
  ['private SGR', `${ESC}[>4;2m`],
  ['C1 CSI', '\u009b6n'],
  ['C1 OSC', '\u009d0;title\u0007'],
  ['APC', `${ESC}_G;AAAA${ESC}\\`],
  ['PM', `${ESC}^x${ESC}\\`],
  ['SOS', `${ESC}Xx${ESC}\\`],
  ['reset', `${ESC}c`],
  ['charset', `${ESC}(0`],
  ['bell', '\u0007'],
  ['backspace', '\b'],
  ['carriage return', '\r'],
];

test.each(CORPUS)('S-09: %s is one mark and leaves no text', (_, sequence) => {
  expect(draw(`a${sequence}b`)).toEqual(['a', expect.stringMatching(/^␛/), 'b']);
});

test('S-09: a string sequence without an end swallows the rest, once', () => {
  expect(draw(`a${ESC}]0;${'x'.repeat(10_000_000)}`)).toEqual(['a', '␛OSC']);
});

test('S-09: cut anywhere, no control character reaches the text', () => {
  const corpus = CORPUS.map(([, sequence]) => sequence).join('x');
  for (let cut = 0; cut <= corpus.length; cut++)
    for (const half of [corpus.slice(0, cut), corpus.slice(cut)])
      for (const part of sgrParts(half).parts)
        if (part.type === 'text') expect(part.text).not.toMatch(/[\p{Cc}]/u);
});

test('any text is read without a throw, and plain text stays whole', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      for (const part of sgrParts(text).parts)
        if (part.type === 'text') expect(part.text.replace(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}]/u);
    }),
  );
  expect(draw('line one\n\tline two ✓')).toEqual(['line one\n\tline two ✓']);
  expect(draw('windows\r\n')).toEqual(['windows', '\n']);
});
