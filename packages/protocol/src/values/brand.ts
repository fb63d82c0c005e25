declare const brand: unique symbol

/** A string or bigint that the type checker keeps apart from other strings or bigints. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name }
