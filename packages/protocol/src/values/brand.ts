declare const brand: unique symbol

/** A plain string or bigint at run time that the type checker keeps apart from its look-alikes. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name }
