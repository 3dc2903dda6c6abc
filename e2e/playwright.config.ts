import { defineConfig } from '@playwright/test';

// Each test has a relay, agents and a browser of its own, so any two may run at once; more than two
// would starve each other on small machines.
export default defineConfig({
  testDir: '.',
  // Other browsers have a run of their own; the other draws pictures, and tests nothing.
  testIgnore: [
    'browsers/**',
    ...(process.env['ACP_SCOPE_SCREENSHOTS'] === '1' ? [] : ['screenshots.spec.ts']),
  ],
  outputDir: '../test-results/e2e',
  snapshotPathTemplate: '{testDir}/pictures/{arg}{ext}',
  fullyParallel: true,
  workers: 2,
  // They end what hangs, and nothing that a busy machine does slowly.
  timeout: 300_000,
  expect: { timeout: 45_000 },
  reporter: [['list'], ['json', { outputFile: '../test-results/e2e.json' }]],
  use: {
    viewport: { width: 1440, height: 900 },
    // A recording of each step takes a third of the time of all tests; who looks for a fault asks for it.
    trace: process.env['ACP_SCOPE_TRACE'] === '1' ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    actionTimeout: 45_000,
    navigationTimeout: 45_000,
    launchOptions: {
      ...(process.env['ACP_SCOPE_CHROMIUM']
        ? { executablePath: process.env['ACP_SCOPE_CHROMIUM'] }
        : {}),
      // A sandbox needs user namespaces, which containers and root do not have.
      args: [
        '--no-sandbox',
        '--disable-lcd-text',
        // Letters are drawn alike by a shell and by a browser with windows: kept pictures hold for both.
        '--font-render-hinting=none',
        '--disable-dev-shm-usage',
        '--disable-background-networking',
      ],
    },
  },
});
