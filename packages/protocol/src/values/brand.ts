/**
 * A string or bigint that the type checker keeps apart from other strings or bigints. The key is a text, so that the
 * types of two installed copies of the package agree.
 */
export type Brand<T, Name extends string> = T & { readonly '~hailstone': Name }
