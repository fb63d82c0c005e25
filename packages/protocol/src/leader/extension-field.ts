import { type Field, invert as invertBase, reduce } from './field.ts'

/** c1·X + c0 in F_p² = F_p[X] / (X² + X - 1), both coefficients in 0 … p-1 (PROTOCOL 8.1). */
export type ExtensionElement = { readonly c1: bigint; readonly c0: bigint }

export const extensionOne: ExtensionElement = { c1: 0n, c0: 1n }

const element = (c1: bigint, c0: bigint): ExtensionElement => ({ c1: reduce(c1), c0: reduce(c0) })

/** True for elements of F_p. */
export const isInBaseField = ({ c1 }: ExtensionElement): boolean => c1 === 0n

export const multiply = (a: ExtensionElement, b: ExtensionElement): ExtensionElement => {
  const high = a.c1 * b.c1
  const low = a.c0 * b.c0
  return element((a.c1 + a.c0) * (b.c1 + b.c0) - low - 2n * high, low + high)
}

/** a^p: X goes to the other root of X² + X - 1, which is -1 - X. */
export const conjugate = (a: ExtensionElement): ExtensionElement => element(-a.c1, a.c0 - a.c1)

/** a·a^p = c0² - c0·c1 - c1², an element of F_p; zero only for zero. */
const norm = ({ c1, c0 }: ExtensionElement): bigint => reduce(c0 * c0 - c0 * c1 - c1 * c1)

/** 1/a = a^p / norm(a); zero for zero. */
export function invert(a: ExtensionElement): ExtensionElement {
  const scale = invertBase(norm(a))
  const { c1, c0 } = conjugate(a)
  return element(c1 * scale, c0 * scale)
}

export const extensionField: Field<ExtensionElement> = {
  one: extensionOne,
  add: (a, b) => element(a.c1 + b.c1, a.c0 + b.c0),
  subtract: (a, b) => element(a.c1 - b.c1, a.c0 - b.c0),
  multiply,
  invert,
  isZero: ({ c1, c0 }) => c1 === 0n && c0 === 0n,
}
