// How traces are called as files, and files as traces.

const END = '.acptrace.jsonl';
const MOST = 80;
const KNOWN_END = /(\.acptrace)?\.(jsonl|ndjson)(\.gz)?$/i;
/** Names that Windows keeps for devices, whatever follows their first dot. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/**
 * The file name of an export, from any text: of `[A-Za-z0-9._-]`, at most 80 long with its
 * ending, never a path, a hidden file or a device.
 */
export function exportName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(KNOWN_END, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/^[.-]+/, '')
    .slice(0, MOST - END.length)
    .replace(/[.-]+$/, '');
  const safe = DEVICE.test(plain) ? `trace-${plain}` : plain;
  return `${safe === '' ? 'trace' : safe}`.slice(0, MOST - END.length) + END;
}

/**
 * What a trace out of a file is called: as its file, which a person named; but by its own name where
 * the file is called after that.
 */
export function traceNameOf(file: string, own: string | undefined): string {
  const isAfterIt = own !== undefined && exportName(own) === exportName(file);
  return isAfterIt ? own : file.replace(KNOWN_END, '');
}
