// Files of tests share a process: what one leaves in it would be there for all that follow. The file
// that leaves it fails.
import { afterAll, expect, vi } from 'vitest';

/** With a listener of these, the process does not end as it would, and Vitest hears of no fault. */
const EVENTS = ['uncaughtException', 'unhandledRejection', 'SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const now = () => ({
  cwd: process.cwd(),
  env: { ...process.env },
  listeners: EVENTS.map((event) => [event, process.listenerCount(event)]),
  fakeTimers: vi.isFakeTimers(),
});

const before = now();
afterAll(() => expect(now(), 'what the file leaves behind').toEqual(before));
