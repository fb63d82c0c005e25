/** The part of OpenSSL in Node.js that is used. Declared here, so that this package needs no Node types. */
export type NodeCrypto = {
  readonly hash: {
    (algorithm: 'sha256', data: string | Uint8Array, encoding: 'hex'): string
    (algorithm: 'sha256', data: string, encoding: 'buffer'): Uint8Array
  }
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

/** An imported public key; opaque. */
export type OpensslKey = { readonly type: string }

type BuiltIns = { readonly getBuiltinModule?: (name: string) => unknown }

/**
 * Returns OpenSSL where the platform has it (Node 20.16 and newer); undefined in browsers. Resolved at run time, so
 * that bundlers find no import of a Node module and the same file serves both. Platforms without the one-shot hash
 * are treated as browsers.
 */
function findNodeCrypto(): NodeCrypto | undefined {
  const { process } = globalThis as { readonly process?: BuiltIns | undefined }
  const found = process?.getBuiltinModule?.('node:crypto') as Partial<NodeCrypto> | undefined
  return typeof found?.hash === 'function' ? (found as NodeCrypto) : undefined
}

export const nodeCrypto: NodeCrypto | undefined = findNodeCrypto()
