// A file that goes along with a prompt, and the block of content it becomes ("Content" of both versions).
import { defined } from '../../lib/defined.ts';
import { decodeUtf8, fromBase64 } from '../../lib/utf8.ts';
import type { JsonObject } from '../../acp/message.ts';
import type { Version } from '../../acp/methods.ts';
import { missingForContent } from '../../acp/prompt-content.ts';

type AttachedAs = 'image' | 'audio' | 'resource' | 'resource_link';

export interface Attachment {
  readonly name: string;
  /** Empty where the browser does not know it. */
  readonly mimeType: string;
  /** In bytes. */
  readonly size: number;
  readonly as: AttachedAs;
  /** Where the agent finds it. A browser does not tell: it is guessed from the session's folder. */
  readonly uri: string;
  /** Its bytes as base64; undefined: it was too large to be read. */
  readonly data?: string;
}

/** A kind of block that a file can become. */
interface AttachWay {
  readonly as: AttachedAs;
  readonly label: string;
  /** The path of capabilities that the agent does not advertise for it. */
  readonly missing?: string;
}

const LABELS: Readonly<Record<AttachedAs, string>> = {
  image: 'Image',
  audio: 'Audio',
  resource: 'Embedded resource',
  resource_link: 'Link to the file',
};

/** What the file can become, the fullest first. What the agent does not advertise is offered too, and says so. */
export function attachWays(
  { mimeType, data }: Pick<Attachment, 'mimeType' | 'data'>,
  version: Version,
  agentCapabilities: JsonObject,
): readonly AttachWay[] {
  const kinds: readonly AttachedAs[] = [
    ...(mimeType.startsWith('image/') ? (['image'] as const) : []),
    ...(mimeType.startsWith('audio/') ? (['audio'] as const) : []),
    'resource',
    'resource_link',
  ];
  return kinds
    .filter((as) => data !== undefined || as === 'resource_link')
    .map((as) => ({
      as,
      label: LABELS[as],
      ...defined({ missing: missingForContent(as, version, agentCapabilities) }),
    }));
}

/** The block of `session/prompt` that the file becomes. */
export function attachmentBlock({
  as,
  name,
  mimeType,
  size,
  uri,
  data = '',
}: Attachment): JsonObject {
  const type = mimeType === '' ? {} : { mimeType };
  switch (as) {
    case 'image':
    case 'audio':
      return { type: as, ...type, data };
    case 'resource_link':
      return { type: as, uri, name, ...type, size };
    case 'resource': {
      const text = decodeUtf8(fromBase64(data) ?? new Uint8Array());
      const held = text === undefined ? { blob: data } : { text };
      return { type: as, resource: { uri, ...type, ...held } };
    }
  }
}

/** `cwd`: of the machine the agent runs on, with its own kind of slashes. */
export function fileUri(cwd: string, name: string): string {
  const path = `${cwd.replaceAll('\\', '/').replace(/\/$/, '')}/${name}`;
  const parts = path.split('/').map((part) => encodeURIComponent(part).replaceAll('%3A', ':'));
  return `file://${path.startsWith('/') ? '' : '/'}${parts.join('/')}`;
}
