import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';

/** Sinks that would let an agent's text become markup or code (quality: agent output is data). */
const sinks = ['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'createContextualFragment'];

export default ts.config(
  { ignores: ['**/generated/**', 'src/test/fixtures/**'] },
  ...ts.configs.strict,
  ...svelte.configs['flat/recommended'],
  {
    languageOptions: { globals: { ...globals.browser, ...globals.node } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-dynamic-delete': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      '@typescript-eslint/no-non-null-assertion': 'error',
      'no-restricted-properties': [
        'error',
        ...sinks.map((property) => ({ property, message: 'Agent output is data: render text.' })),
        { object: 'document', property: 'write', message: 'Agent output is data: render text.' },
      ],
      'no-restricted-globals': ['error', 'DOMParser'],
      'svelte/no-at-html-tags': 'error',
      eqeqeq: 'error',
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser } },
  },
);
