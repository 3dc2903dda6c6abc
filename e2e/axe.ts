// What axe finds on the page as it stands, light and dark.
import AxeBuilder from '@axe-core/playwright';
import { expect, type Scope } from './scope.ts';

const SCHEMES = ['light', 'dark'] as const;

export async function expectNoViolation(
  { page }: Scope,
  schemes: readonly (typeof SCHEMES)[number][] = SCHEMES,
): Promise<void> {
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Of what passes nothing is told: to name each such part costs a tenth of the time.
    const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] });
    // Only colours differ in the dark.
    if (colorScheme === 'dark' && schemes.length > 1) axe.withRules(['color-contrast']);
    const { violations } = await axe.analyze();
    const found = violations.map(({ id, nodes }) => ({
      id,
      where: nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary}`),
    }));
    expect(found, colorScheme).toEqual([]);
  }
}
