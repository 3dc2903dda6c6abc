// In place of the schema's words on a field, which weigh a fifth of the page.
import type { FieldDoc, FieldPlace } from '../acp/schema/field-doc.ts';

export function fieldDoc({ version, path }: FieldPlace): FieldDoc {
  const texts = ['What the schema says is not in this file.'];
  return { name: String(path.at(-1) ?? ''), version, texts };
}
