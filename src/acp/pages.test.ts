import { describe, expect, test } from 'vitest';
import { METHODS, supportOf } from './methods.ts';
import { pageOf } from './pages.ts';

describe('the page of a method', () => {
  const all = ([1, 2] as const).flatMap((version) =>
    METHODS.flatMap((method) => {
      const support = supportOf(method, version);
      return support ? [{ version, name: method.name, stable: support.stable }] : [];
    }),
  );
  test.each(all)('v$version $name: in its version, on a page for people if it is stable', (one) => {
    const page = pageOf(one.version, one.name);
    if (one.name.startsWith('proxy/')) {
      expect(page).toBe('https://agentclientprotocol.com/rfds/proxy-chains');
      return;
    }
    expect(page).toMatch(`https://agentclientprotocol.com/protocol/v${one.version}/`);
    expect(page?.includes('/draft/schema#')).toBe(!one.stable);
  });
  test('of what a version does not have is none', () => {
    expect(pageOf(2, 'session/load')).toBeUndefined();
    expect(pageOf(1, '_mine/do')).toBeUndefined();
    expect(pageOf(1, 'constructor')).toBeUndefined();
  });
});
