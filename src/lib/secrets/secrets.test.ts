import { expect, test } from 'vitest';
import { withoutSecrets } from './arguments.ts';
import { looksSecret } from './names.ts';
import { secretsIn } from './text.ts';

test.each([
  ['OPENAI_API_KEY', 'x'],
  ['GITHUB_TOKEN', 'x'],
  ['db_password', 'x'],
  ['ANYTHING', 'sk-ant-x'],
  ['ANYTHING', 'ghp_x'],
])('%s=%s looks secret', (name, value) => {
  expect(looksSecret({ name, value })).toBe(true);
});

test.each(['GIT_ASKPASS', 'TOKEN_FILE', 'NODE_OPTIONS', 'HOME', 'PWD', 'SSH_AUTH_SOCK', 'PATH'])(
  '%s decides what runs or says where it is, and is shown',
  (name) => {
    expect(looksSecret({ name, value: '/x' })).toBe(false);
  },
);

test.each([
  [['agent', '--api-key', 'abc', '--acp'], 'agent --api-key … --acp'],
  [['agent', '--token=abc', '--acp'], 'agent --token=… --acp'],
  [['agent', '-H', 'Authorization: Bearer abc'], 'agent -H Authorization: …'],
  [['env', 'OPENAI_API_KEY=abc', 'MODE=test', 'agent'], 'env OPENAI_API_KEY=… MODE=test agent'],
  [['agent', 'sk-ant-abc'], 'agent …'],
  [['agent', 'wss://me:abc@host/acp?token=abc&v=1'], 'agent wss://…@host/acp?token=…&v=1'],
])('a command is shown without its secrets: %j', (argv, shown) => {
  expect(withoutSecrets(argv).join(' ')).toBe(shown);
});

test.each([
  [['node', './key=file.js', '--acp']],
  [['agent', '--token', '--acp']],
  [['agent', '--token-file', '/x', 'C:\\keys\\agent.js']],
])('words that are no secrets stay: %j', (argv) => {
  expect(withoutSecrets(argv)).toEqual(argv);
});

test.each([
  'The password is wrong, and the token is missing.',
  'docker login -u me --password-stdin a.dev && mkdir -p build/out',
  'ssh -p 2222 me@a.dev; mysql -u root -p',
  'Authorization: Bearer tokens are refused; authorization: everyone who asks',
  'login(user, password=password); the login form has a password field',
  '<password>$PASSWORD</password> and <title>Untitled</title>',
  'set -e\nENV NODE_ENV production\nARG TOKEN_FILE /run/token',
  'auth: abcdefgh, _auth=${AUTH}, "auth": "required"',
  '?next=https%3A%2F%2Fa%3Fpage%3D12345&v=1',
  'awk \'{print $1$2}\' $1 $6 && echo "$2"',
])('prose, code and commands without a secret stay: %s', (text) => {
  expect(secretsIn(text)).toEqual([]);
});
