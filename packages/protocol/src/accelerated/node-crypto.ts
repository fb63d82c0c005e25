/** What is used of OpenSSL, as Node.js offers it. Written out here, so that this package needs no Node types. */
export type NodeCrypto = {
  readonly hash: (algorithm: 'sha256', data: string, encoding: 'hex') => string
  readonly createHmac: (
    algorithm: 'sha256',
    key: string,
  ) => { readonly update: (data: string) => { readonly digest: (encoding: 'hex') => string } }
  readonly createPublicKey: (key: {
    readonly key: Uint8Array
    readonly format: 'der'
    readonly type: 'spki'
  }) => OpensslKey
  readonly verify: (
    algorithm: 'sha256',
    data: Uint8Array,
    key: { readonly key: OpensslKey; readonly dsaEncoding: 'ieee-p1363' },
    signature: Uint8Array,
  ) => boolean
}

/** A public key that OpenSSL has opened; opaque to us. */
export type OpensslKey = { readonly type: string }

type BuiltIns = { readonly getBuiltinModule?: (name: string) => unknown }

/**
 * OpenSSL where the platform has it (Node 20.16 and newer), undefined in browsers. Asked for at run time:
 * bundlers then find no import of Node to trip over, and the same file serves both. Some platforms know the
 * module but not the one-shot hash; they are treated as browsers.
 */
function findNodeCrypto(): NodeCrypto | undefined {
  const { process } = globalThis as { readonly process?: BuiltIns | undefined }
  const found = process?.getBuiltinModule?.('node:crypto') as Partial<NodeCrypto> | undefined
  return typeof found?.hash === 'function' ? (found as NodeCrypto) : undefined
}

export const nodeCrypto: NodeCrypto | undefined = findNodeCrypto()
