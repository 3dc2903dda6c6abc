// The schemas as the checker asks them. Loaded before a check begins, because none of its steps waits.
import { frameRemarks, loadSchemaSet } from '../acp/schema/frame-check.ts';
import type { RemarksOf } from './steps.ts';

export async function loadRemarks(): Promise<RemarksOf> {
  const [v1, v2] = await Promise.all([loadSchemaSet(1), loadSchemaSet(2)]);
  return (version, from, message, requestMethod) =>
    frameRemarks(version === 1 ? v1 : v2, from, message, requestMethod);
}
