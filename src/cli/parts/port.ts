import { UsageError } from '../command.ts';

/** The port of the page, and so of its database in the browser. */
export const PORT_OPTION = { type: 'string', default: '7717' } as const;

export function portOf(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port < 65_536 && text.trim() !== '') return port;
  throw new UsageError(
    `--port ${text} is not a port. Give a number from 1 to 65535, or 0 for any free one.`,
  );
}
