import type { Curve } from './ecdsa-of-curve.ts'

/** `secp256k1`: libsecp256k1 as a compiled addon, prebuilt for common platforms. */
type Secp256k1Addon = {
  readonly publicKeyCreate: (privateKey: Uint8Array, compressed: boolean) => Uint8Array
  readonly ecdsaSign: (digest: Uint8Array, privateKey: Uint8Array) => { readonly signature: Uint8Array }
  readonly ecdsaVerify: (signature: Uint8Array, digest: Uint8Array, publicKey: Uint8Array) => boolean
  readonly signatureNormalize: (signature: Uint8Array) => Uint8Array
}

/** `tiny-secp256k1`: libsecp256k1 as WebAssembly, the same on every platform. */
type TinySecp256k1 = {
  readonly pointFromScalar: (privateKey: Uint8Array, compressed: boolean) => Uint8Array | null
  readonly sign: (digest: Uint8Array, privateKey: Uint8Array) => Uint8Array
  readonly verify: (
    digest: Uint8Array,
    publicKey: Uint8Array,
    signature: Uint8Array,
    strict: boolean,
  ) => boolean
}

/** libsecp256k1 refuses high-S, so a signature is normalised to low-S before its verification. */
const curveOfAddon = (addon: Secp256k1Addon): Curve => ({
  publicKeyOf: (privateKey) => addon.publicKeyCreate(privateKey, true),
  sign: (digest, privateKey) => addon.ecdsaSign(digest, privateKey).signature,
  verify: (signature, digest, publicKey) =>
    addon.ecdsaVerify(addon.signatureNormalize(signature), digest, publicKey),
})

const curveOfTiny = (tiny: TinySecp256k1): Curve => ({
  publicKeyOf: (privateKey) => tiny.pointFromScalar(privateKey, true) ?? new Uint8Array(0),
  sign: (digest, privateKey) => tiny.sign(digest, privateKey),
  verify: (signature, digest, publicKey) => tiny.verify(digest, publicKey, signature, false),
})

type OptionalCurve = {
  readonly name: string
  /**
   * Imported module. For `secp256k1` the addon itself: the package's main file silently falls back to slow
   * JavaScript.
   */
  readonly specifier: string
  readonly curveOf: (module: never) => Curve
}

/** Fastest first. */
export const optionalCurves: readonly OptionalCurve[] = [
  {
    name: 'secp256k1',
    specifier: 'secp256k1/bindings.js',
    curveOf: ({ default: addon }: { readonly default: Secp256k1Addon }) => curveOfAddon(addon),
  },
  {
    name: 'tiny-secp256k1',
    specifier: 'tiny-secp256k1',
    curveOf: (tiny: TinySecp256k1) => curveOfTiny(tiny),
  },
]
