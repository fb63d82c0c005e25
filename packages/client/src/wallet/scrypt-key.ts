import { scryptAsync } from '@noble/hashes/scrypt.js'

/** scrypt (RFC 7914): what costs an attacker memory as well as time. 128 · cost · blockSize bytes. */
export type ScryptParameters = {
  /** scrypt, RFC 7914. */
  readonly name: 'scrypt'
  /** N of RFC 7914, a power of two, 2^17 to 2^20. */
  readonly cost: number
  /** r of RFC 7914: 8. */
  readonly blockSize: number
  /** p of RFC 7914, 1 to 4. */
  readonly parallelism: number
}

type Bytes = Uint8Array<ArrayBuffer>

/** Node's own, in a thread of its pool. */
type NativeScrypt = (
  secret: Uint8Array,
  salt: Uint8Array,
  length: number,
  options: { readonly N: number; readonly r: number; readonly p: number; readonly maxmem: number },
  done: (error: Error | null, key: Uint8Array) => void,
) => void

type BuiltIns = { readonly getBuiltinModule?: (name: string) => unknown }

/** Asked for at run time, so that a browser's build finds no import of Node. */
function findNativeScrypt(): NativeScrypt | undefined {
  const { process } = globalThis as { readonly process?: BuiltIns | undefined }
  const found = process?.getBuiltinModule?.('node:crypto') as { readonly scrypt?: NativeScrypt } | undefined
  return found?.scrypt
}

export const nativeScrypt: NativeScrypt | undefined = findNativeScrypt()

const KEY_BYTES = 32

/** 32 bytes by scrypt: natively on Node, in JavaScript in browsers. */
export async function scryptKey(secret: Bytes, salt: Bytes, parameters: ScryptParameters): Promise<Bytes> {
  const { cost: N, blockSize: r, parallelism: p } = parameters
  if (nativeScrypt !== undefined) {
    const scrypt = nativeScrypt
    const maxmem = 256 * N * r
    return new Promise((resolve, reject) => {
      scrypt(secret, salt, KEY_BYTES, { N, r, p, maxmem }, (error, key) => {
        if (error === null) resolve(Uint8Array.from(key))
        else reject(error)
      })
    })
  }
  return Uint8Array.from(await scryptAsync(secret, salt, { N, r, p, dkLen: KEY_BYTES, maxmem: 256 * N * r }))
}
