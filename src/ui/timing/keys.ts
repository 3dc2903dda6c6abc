// The keys of the statistics and of the waterfall.
import type { PlaceKey } from '../parts/list-keys.ts';

interface FigurePlace {
  slow(): unknown;
}
export const FIGURE_KEYS: readonly PlaceKey<FigurePlace>[] = [
  {
    keys: ['S'],
    does: 'Frames of the slowest in a hundred, five of them',
    run: ({ slow }) => slow(),
  },
];

interface WaterfallPlace {
  near(): unknown;
  whole(): unknown;
}
export const WATERFALL_KEYS: readonly PlaceKey<WaterfallPlace>[] = [
  { keys: ['+'], alsoKey: '=', does: 'The time of this row alone', run: ({ near }) => near() },
  { keys: ['-'], does: 'The whole time', run: ({ whole }) => whole() },
];
