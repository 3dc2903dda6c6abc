declare const brand: unique symbol;

/** A primitive that cannot be mistaken for another of the same shape. One function makes each. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
