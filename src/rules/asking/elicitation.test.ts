import { ruleCase, V1, V1_SESSION, V2, V2_SESSION } from '../../test/traces/rule-case.ts';

const ask = (params: string, id = 9) => `agent →${id} elicitation/create {"message":"?",${params}}`;
const form = (properties: string, more = '') =>
  ask(
    `"sessionId":"s1","mode":"form","requestedSchema":{"type":"object","properties":{${properties}}${more}}`,
  );
const open = (url: string, id = 'e1', request = 9) =>
  ask(`"sessionId":"s1","mode":"url","elicitationId":"${id}","url":"${url}"`, request);
const HTTPS = 'https://example.com/sign-in';

ruleCase('elicit/scope', {
  breaks: [
    {
      trace: `${V2_SESSION}${ask('"mode":"form"')}`,
      at: [6],
      seen: 'neither `sessionId` nor `requestId` is there',
    },
    {
      trace: `${V2_SESSION}client →5 session/list {}
        ${ask('"sessionId":"s1","requestId":5')}`,
      at: [7],
      seen: 'both `sessionId` and `requestId` are there',
    },
    {
      trace: `${V2_SESSION}${ask('"requestId":1')}`,
      at: [6],
      seen: 'the request 1, which does not wait for an answer',
    },
    {
      trace: `${V1_SESSION}${ask('"sessionId":"s9"')}`,
      at: [6],
      seen: 'the session "s9", which nobody opened',
    },
    {
      trace: `${V1_SESSION}gap 1 lost\n${ask('"sessionId":"s9"')}`,
      at: [7],
      verdict: 'undecidable',
    },
  ],
  holds: [
    `${V2_SESSION}${ask('"sessionId":"s1","requestId":null')}`,
    `${V1}client →"a" authenticate {"methodId":"x"}
      ${ask('"requestId":"a"')}`,
    // Its answer may be about to name it.
    `${V2}client →1 session/new {"cwd":"/w"}
      ${ask('"sessionId":"s9"')}`,
  ],
});

ruleCase('elicit/id-unique', {
  breaks: [
    {
      trace: `${V2_SESSION}${open(HTTPS)}\n${open(HTTPS, 'e1', 10)}`,
      at: [6, 7],
      severity: 'error',
    },
    {
      trace: `${V2_SESSION}${open(HTTPS)}
        client ←9 result {"action":"accept"}
        ${open(HTTPS, 'e1', 10)}`,
      at: [6, 8],
      severity: 'hint',
    },
  ],
  holds: [
    `${V2_SESSION}${open(HTTPS)}\n${open(HTTPS, 'e2', 10)}`,
    `${V2_SESSION}${open(HTTPS)}
      client ←9 result {"action":"decline"}
      ${open(HTTPS, 'e1', 10)}
      client ←10 result {"action":"accept"}
      agent elicitation/complete {"elicitationId":"e1"}
      ${open(HTTPS, 'e1', 11)}`,
  ],
});

const complete = (id = 'e1') => `agent elicitation/complete {"elicitationId":"${id}"}`;
ruleCase('elicit/complete-unknown', {
  breaks: [
    {
      trace: `${V2_SESSION}${complete()}`,
      at: [6],
      seen: '"e1", which was not asked for',
      severity: 'warning',
    },
    {
      trace: `${V2_SESSION}${open(HTTPS)}\n${complete()}\n${complete()}`,
      at: [7, 8],
      seen: '"e1", complete since #7',
    },
    { trace: `${V2_SESSION}gap 1 lost\n${complete()}`, at: [7], verdict: 'undecidable' },
  ],
  holds: `${V2_SESSION}${open(HTTPS)}\n${complete()}`,
});

const NAME = '"name":{"type":"string","minLength":2},"n":{"type":"integer","maximum":3}';
const answered = (result: string, properties = NAME, more = ',"required":["name"]') =>
  `${V2_SESSION}${form(properties, more)}
   client ←9 result ${result}`;

ruleCase('elicit/content', {
  breaks: [
    {
      trace: answered('{"action":"accept","content":{"n":1}}'),
      at: [6, 7],
      seen: 'without "name"',
      side: 'client',
    },
    {
      trace: answered('{"action":"accept","content":{"name":"ab","n":4}}'),
      at: [6, 7],
      seen: '"n" is 4, and 3 is the most',
      pointer: '/result/content/n',
    },
    {
      trace: answered('{"action":"accept","content":{"name":7}}'),
      at: [6, 7],
      seen: /not a string/,
    },
    {
      trace: answered('{"action":"accept","content":{"name":"a"}}'),
      at: [6, 7],
      seen: /2 is the least/,
    },
    {
      trace: answered('{"action":"accept","content":{"name":"ab","a/b":1}}'),
      at: [6, 7],
      pointer: '/result/content/a~1b',
    },
    {
      trace: answered(
        '{"action":"accept","content":{"c":"z","l":["z"],"b":1}}',
        '"c":{"type":"string","enum":["x"]},"l":{"type":"array","items":{"anyOf":[{"const":"x"}]}},"b":{"type":"boolean"}',
        '',
      ),
      at: [6, 7],
      seen: '"c" is "z", which is no choice',
    },
    {
      trace: answered('{"action":"cancel","content":{}}'),
      at: [7],
      seen: 'content with the action "cancel"',
    },
  ],
  holds: [
    answered('{"action":"accept","content":{"name":"ab","n":3}}'),
    answered('{"action":"decline","content":null}'),
    answered('{"action":"accept","content":{"d":"any"}}', '"d":{"type":"_date"}', ''),
  ],
});

ruleCase('elicit/secret-in-form', {
  breaks: [
    {
      trace: `${V2_SESSION}${form('"apiKey":{"type":"string"}')}`,
      at: [6],
      seen: 'the field "apiKey" speaks of a secret: api key',
      pointer: '/params/requestedSchema/properties/apiKey',
      severity: 'hint',
    },
    {
      trace: `${V2_SESSION}${form('"x":{"type":"string","title":"Your password"}')}`,
      at: [6],
    },
  ],
  holds: `${V2_SESSION}${form('"maxTokens":{"type":"integer"},"keepSecret":{"type":"boolean"}')}`,
});

ruleCase('elicit/url', {
  breaks: [
    {
      trace: `${V2_SESSION}${open('http://example.com/')}`,
      at: [6],
      seen: 'the scheme of `url` is http',
    },
    { trace: `${V2_SESSION}${open('https://me:pw@example.com/')}`, at: [6], seen: /user name/ },
    {
      trace: `${V2_SESSION}${open('https://example.com/?access_token=x')}`,
      at: [6],
      seen: '`url` holds the parameter "access_token"',
      pointer: '/params/url',
    },
  ],
  holds: [
    `${V2_SESSION}${open('https://example.com/?state=x&code_challenge=y')}`,
    `${V2_SESSION}${open('http://localhost:8080/')}`,
    `${V2_SESSION}${open('http://127.0.0.1:8080/')}`,
  ],
});
