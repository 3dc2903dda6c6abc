// What reads and keeps the rules of an intercept, loaded when one is first switched on.
import type { LoadIntercept } from '../../relay/intercept.ts';

export const loadIntercept: LoadIntercept = async () => {
  const { newIntercept } = await import('./intercept-file.ts');
  return newIntercept;
};
