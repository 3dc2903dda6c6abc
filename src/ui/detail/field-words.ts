// What the schema says of a row of the tree. The schema comes when somebody first asks.
import { parseJson, str, type JsonPath } from '../../acp/json.ts';
import type { Role, Version } from '../../acp/methods.ts';
import type { FieldDoc } from '../../acp/schema/field-doc.ts';
import type { FrameDetail } from '../../engine/messages.ts';

/** Whose schema the text of a tree is held against. */
export interface SchemaContext {
  readonly version: Version;
  readonly from: Role;
  /** Of the request that an answer answers. */
  readonly requestMethod: string | undefined;
}

/** Undefined for what nobody sent. */
export function schemaOf(version: Version, frame: FrameDetail): SchemaContext | undefined {
  const { from, exchange } = frame;
  return from && { version, from, requestMethod: exchange?.method };
}

export async function wordsOn(
  text: string,
  { version, from, requestMethod }: SchemaContext,
  path: JsonPath,
): Promise<FieldDoc> {
  const { fieldDoc } = await import('../../acp/schema/field-doc.ts');
  const message = parseJson(text) ?? null;
  const method = str(message, 'method') ?? requestMethod;
  return fieldDoc({ version, from, method, message, path });
}
