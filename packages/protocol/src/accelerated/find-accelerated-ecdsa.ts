import type { Ecdsa } from './ecdsa.ts'
import { ecdsaOfCurve } from './ecdsa-of-curve.ts'
import { nodeCrypto } from './node-crypto.ts'
import { optionalCurves } from './optional-curves.ts'
import { givesKnownAnswers } from './self-check.ts'

/** Name of an optional package whose curve arithmetic is faster than JavaScript. */
export type AcceleratedPackage = 'secp256k1' | 'tiny-secp256k1'

export type FindAcceleratedEcdsaParameters = {
  /** Packages that may be used. @default both, the addon before the WebAssembly */
  readonly packages?: readonly AcceleratedPackage[] | undefined
}

/**
 * Looks for an installed package with faster arithmetic: `secp256k1` (compiled, about 8 times faster signatures) or
 * `tiny-secp256k1` (WebAssembly, about 3 times). Neither is required. A package that cannot be loaded or fails the
 * known-answer test is skipped. Resolves with undefined if none is left, and in browsers.
 *
 * Signatures are the same, byte for byte, with each of them.
 */
export async function findAcceleratedEcdsa(
  parameters: FindAcceleratedEcdsaParameters = {},
): Promise<Ecdsa | undefined> {
  if (nodeCrypto === undefined) return undefined
  const { packages } = parameters
  for (const { name, specifier, curveOf } of optionalCurves) {
    if (packages !== undefined && !packages.includes(name as AcceleratedPackage)) continue
    const module = await moduleOrUndefined(specifier)
    if (module === undefined) continue
    const ecdsa = ecdsaOfCurve({ name, curve: curveOf(module) })
    if (givesKnownAnswers(ecdsa)) return ecdsa
  }
  return undefined
}

/** Imports by a variable name, so that bundlers do not try to resolve optional packages. */
async function moduleOrUndefined(specifier: string): Promise<never | undefined> {
  try {
    return (await import(/* @vite-ignore */ /* webpackIgnore: true */ specifier)) as never
  } catch {
    // Not installed, or compiled for another platform. The pure implementation is used.
    return undefined
  }
}
