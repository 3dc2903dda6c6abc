import { defineConfig } from '@playwright/test';

// The browsers are not Playwright's: it runs the tests, and no more.
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results/browsers',
  workers: 1,
  timeout: 300_000,
  expect: { timeout: 45_000 },
  reporter: [['list']],
});
