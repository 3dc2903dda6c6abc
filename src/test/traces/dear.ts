// Pieces of text that are made to be dear to a reader when one is repeated without end: blanks of each kind, what
// opens and closes, beginnings of lines of each format, and halves of JSON.

export const DEAR: readonly string[] = [
  ...[' ', '\t', '\r', '\v', '\u00a0', '\u2028', '\ufeff', '\n', '\0', ' \t'],
  ...['[', ']', '{', '}', '(', ')', '<', '"', "'", '\\', '\\"', '`'],
  ...[
    ',',
    ':',
    ';',
    '.',
    '-',
    '=',
    '#',
    '/',
    '&',
    '|',
    '0',
    '1.',
    '-1',
    'e1',
    'a',
    'A',
    '_',
    'é',
    '😀',
  ],
  ...[
    'a ',
    '1 ',
    '1,',
    '[a] ',
    '[INFO] ',
    '[1] ',
    '[{} ',
    '[[] , ',
    '{"a":',
    '{"a":1}',
    '{}, ',
    '[],',
  ],
  ...[
    '->',
    '<-',
    'out',
    ' in ',
    '"a":',
    '"",',
    'data: x\n',
    'data: {}\n',
    '; \n',
    ';',
    '#1=',
    '#1# ',
  ],
  ...['((', '(a . ', '\u001b[0m', '%20', 'aA', 'a-', 'a.', 'sk-', 'Bearer ', 'key=', 'token: '],
  ...['2026-02-14 20:22:39,308 [ 1] ', 'acp-transport.log', '{"jsonrpc":"2.0"}', 'session', '^'],
];

/** The piece again and again, up to that many characters. */
export function long(unit: string, size: number): string {
  return unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
}
