// How the mark of something compared looks.

/** How a mark looks: equal, not counted, cosmetic, changed, missing, extra, moved, late. */
export type MarkLook = 'eq' | 'no' | 'co' | 'ch' | 'mi' | 'ex' | 'mo' | 'la';
