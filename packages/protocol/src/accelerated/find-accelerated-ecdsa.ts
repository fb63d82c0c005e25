import type { Ecdsa } from './ecdsa.ts'
import { ecdsaOfCurve } from './ecdsa-of-curve.ts'
import { nodeCrypto } from './node-crypto.ts'
import { optionalCurves } from './optional-curves.ts'
import { givesKnownAnswers } from './self-check.ts'

export type AcceleratedPackage = 'secp256k1' | 'tiny-secp256k1'

export type FindAcceleratedEcdsaParameters = {
  /** Which packages may be used. @default both, the addon before the WebAssembly */
  readonly packages?: readonly AcceleratedPackage[] | undefined
}

/**
 * Looks for an installed package with faster arithmetic: `secp256k1` (compiled, about 8 times faster signatures)
 * or `tiny-secp256k1` (WebAssembly, about 3 times). Neither is ever required. A package that cannot be loaded, or
 * does not give the known answers, is passed over. Undefined when none is left, and in browsers.
 *
 * Signatures are the same, byte for byte, whichever is used.
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

/** The name is passed in, so that no bundler tries to resolve a package that need not be there. */
async function moduleOrUndefined(specifier: string): Promise<never | undefined> {
  try {
    return (await import(/* @vite-ignore */ /* webpackIgnore: true */ specifier)) as never
  } catch {
    // Not installed, or compiled for another platform: either way there is another way to compute.
    return undefined
  }
}
