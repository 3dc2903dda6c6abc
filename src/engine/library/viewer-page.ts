// A trace as a page that shows it by itself: the built page for it, which the relay serves beside this one,
// with the trace put in, packed.
import type { Seq } from '../../trace/event.ts';
import { viewerFile } from '../../trace/viewer-file.ts';
import type { Shared } from './share.ts';

const ADDRESS = '/viewer.html';

/** `frame`: shown first. Throws where the page cannot be had. */
export async function viewerPage(shared: Shared, frame: Seq | undefined): Promise<Shared> {
  const [page, packed] = await Promise.all([builtPage(), packedBytes(shared.blob)]);
  const { name } = shared;
  const file = viewerFile(page, { packed, name, frame });
  if (file === undefined)
    throw new Error(
      'the page that the relay gives for it has no place for a trace. Build ACP Scope again.',
    );
  return { ...shared, name: pageName(name), blob: new Blob([file], { type: 'text/html' }) };
}

/** `a.acptrace.jsonl` as `a.html`. */
function pageName(name: string): string {
  return `${name.replace(/(\.acptrace)?\.(jsonl|ndjson)(\.gz)?$/, '')}.html`;
}

async function builtPage(): Promise<string> {
  const answer = await fetch(ADDRESS).catch(() => undefined);
  if (!answer?.ok)
    throw new Error(
      'the relay does not give the page that goes around it. Start it again, or use acp-scope export.',
    );
  return answer.text();
}

async function packedBytes(blob: Blob): Promise<Uint8Array> {
  const stream = blob.stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
