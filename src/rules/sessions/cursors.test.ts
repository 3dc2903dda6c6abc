import { ruleCase, V1, V1_SESSION, V2, V2_SESSION } from '../../test/traces/rule-case.ts';

const AFTER = '"anchor":{"type":"agent_message","messageId":"m1","position":"after"}';
const TURNED = '"anchor":{"position":"after","messageId":"m1","type":"agent_message"}';
const BEFORE = '"anchor":{"type":"agent_message","messageId":"m1","position":"before"}';
const cursor = (more: string) => `agent update s1 cursor_update {"cursorId":"c1"${more}}\n`;
const FORK = 'client →2 session/fork {"sessionId":"s1","cwd":"/w","mcpServers":[],"cursorId":"c1"}';
const OFFER = `,${AFTER},"capabilities":{"fork":{}}`;

ruleCase('cursor/anchor', {
  breaks: [
    { trace: `${V1_SESSION}${cursor('')}`, at: [6], seen: /has no `anchor`/, side: 'agent' },
    { trace: `${V2_SESSION}${cursor(',"anchor":null')}`, at: [6], severity: 'error' },
    {
      trace: `${V1_SESSION}${cursor(`,${AFTER}`)}${cursor(`,${BEFORE}`)}`,
      at: [6, 7],
      pointer: '/params/update/anchor',
    },
  ],
  holds: [
    `${V1_SESSION}${cursor(`,${AFTER}`)}${cursor(',"capabilities":null')}`,
    `${V2_SESSION}${cursor(`,${AFTER}`)}${cursor(`,${TURNED}`)}`,
    // Its first update may have come on an earlier connection, or where nothing is recorded.
    `${V1}client →1 session/load s1 {"cwd":"/w","mcpServers":[]}\nagent ←1 result {}\n${cursor('')}`,
    `${V1_SESSION}gap 2 the disk was full\n${cursor('')}`,
  ],
});

ruleCase('cursor/fork', {
  breaks: [
    { trace: `${V1_SESSION}${FORK}`, at: [6], seen: /did not announce/, side: 'client' },
    {
      trace: `${V1_SESSION}${cursor(`,${AFTER}`)}${FORK}`,
      at: [7],
      seen: /never offered/,
      severity: 'warning',
    },
  ],
  holds: [
    `${V1_SESSION}${cursor(OFFER)}${FORK}`,
    // The client may not have read yet that the agent takes it back.
    `${V2_SESSION}${cursor(OFFER)}${cursor(',"capabilities":null')}${FORK}`,
    `${V1_SESSION}${FORK.replace(',"cursorId":"c1"', '')}`,
    `${V2}client →1 session/resume s1 {"cwd":"/w"}\nagent ←1 result {}\n${FORK}`,
  ],
});

const gated = (capability: string) =>
  V1_SESSION.replace('"notices":{}', `"notices":{}${capability}`) + cursor(`,${AFTER}`);

ruleCase(
  'cap/gated-update',
  {
    breaks: [
      { trace: gated(''), at: [6], seen: /`session.cursors`/ },
      { trace: `${V2_SESSION}${cursor(`,${AFTER}`)}`, at: [6], severity: 'error' },
      {
        trace: `${V1_SESSION}agent update s1 prompt_suggestions_update {"suggestions":[]}`,
        at: [6],
        seen: /`session.promptSuggestions`/,
      },
    ],
    holds: [
      gated(',"cursors":{}'),
      V2_SESSION.replace('"elicitation"', '"session":{"cursors":{}},"elicitation"') +
        cursor(`,${AFTER}`),
    ],
  },
  'cursors and suggestions',
);
