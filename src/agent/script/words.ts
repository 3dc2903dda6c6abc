// The words that steer a turn. The table is also the help text.

export const PROMPT_WORDS = [
  { word: 'quick', does: 'one short message, no tools' },
  {
    word: 'slow',
    does: 'a long message over some fifteen seconds: time to cancel, reload or kill',
  },
  {
    word: 'ask',
    does: 'a form to fill in, when the client takes forms (first word of the prompt)',
  },
  { word: 'run N', does: 'one message in N chunks, as fast as they go out' },
  { word: 'run N at R', does: 'one message in N chunks, R of them a second' },
  { word: 'mcp', does: 'the tools of the MCP servers given with the session' },
  { word: 'files', does: 'reads and writes a file through a v1 client that offers files' },
  { word: 'terminal', does: 'runs `node --version` in a terminal of a v1 client that offers them' },
  {
    word: 'delegate',
    does: 'a child session does the work, where the client takes them; with `deep` it has one of its own, with `behind` it goes on when the turn has ended, with `edit` it asks',
  },
  { word: 'reply with WORD', does: 'that word, and nothing else' },
  { word: 'what did I ask first?', does: 'an answer from memory' },
  { word: 'help', does: 'this list' },
] as const;

/** The most chunks that one `run N` sends. */
const MOST = 1_000_000;

export type Directive =
  | {
      readonly kind:
        'quick' | 'slow' | 'ask' | 'mcp' | 'files' | 'terminal' | 'recall' | 'help' | 'code';
    }
  /** `perSecond` is undefined for as fast as they go out. */
  | { readonly kind: 'run'; readonly chunks: number; readonly perSecond: number | undefined }
  | { readonly kind: 'reply'; readonly word: string }
  | { readonly kind: 'delegate'; readonly how: ReadonlySet<DelegateWord> };

const DELEGATE_WORDS = ['deep', 'behind', 'edit'] as const;
export type DelegateWord = (typeof DELEGATE_WORDS)[number];

/** What a prompt wants. A slash before a word is fine: clients send commands so. */
export function directiveOf(prompt: string): Directive {
  const text = prompt.trim();
  if (/what did i ask|did you say|do you remember/i.test(text)) return { kind: 'recall' };
  const word = /\breply with (?:only )?(?:the )?(?:single )?(?:word )?["'`]?([\w-]+)/i.exec(
    text,
  )?.[1];
  if (word !== undefined) return { kind: 'reply', word };
  const run = /(?:^|\W)run (\d{1,9})\b(?: at (\d{1,9})\b)?/i.exec(text);
  if (run) {
    const chunks = Math.min(Number(run[1]), MOST);
    return { kind: 'run', chunks, perSecond: Number(run[2] ?? 0) || undefined };
  }
  if (/\bdelegate\b/i.test(text)) {
    const how = DELEGATE_WORDS.filter((one) => new RegExp(`\\b${one}\\b`, 'i').test(text));
    return { kind: 'delegate', how: new Set(how) };
  }
  if (/^\/?ask\b/i.test(text)) return { kind: 'ask' };
  for (const kind of ['quick', 'slow', 'mcp', 'files', 'terminal', 'help'] as const)
    if (new RegExp(`\\b${kind}\\b`, 'i').test(text)) return { kind };
  return { kind: 'code' };
}

/** What the client shows behind a slash. */
export const SLASH_COMMANDS: readonly {
  readonly name: string;
  readonly description: string;
  readonly hint?: string;
}[] = [
  { name: 'quick', description: 'One short message, no tools' },
  { name: 'slow', description: 'A long message, slowly' },
  { name: 'ask', description: 'A form to fill in' },
  { name: 'run', description: 'A message in many chunks', hint: 'how many chunks' },
  { name: 'mcp', description: 'The tools of the connected MCP servers' },
];
