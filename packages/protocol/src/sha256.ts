const BLOCK_BYTES = 64

/** The first bits after the point of the roots of the first primes. Doubles have 17 bits more than that takes. */
function rootsOfPrimes(count: number, root: (prime: number) => number): Int32Array<ArrayBuffer> {
  const primes: number[] = []
  for (let next = 2; primes.length < count; next++)
    if (primes.every((prime) => next % prime > 0)) primes.push(next)
  return Int32Array.from(primes, (prime) => ((root(prime) % 1) * 2 ** 32) | 0)
}

const roundConstants = /* @__PURE__ */ rootsOfPrimes(64, Math.cbrt)
const initialState = /* @__PURE__ */ rootsOfPrimes(8, Math.sqrt)

const rotated = (word: number, bits: number): number => (word << (32 - bits)) | (word >>> bits)

/** Of the block that is worked in. */
const words = /* @__PURE__ */ new Int32Array(64)
const wordAt = (at: number): number => words[at] as number

/** Works one block into the state (FIPS 180-4, 6.2.2). Plain statements: this is most of what a page does. */
function compress(state: Int32Array): void {
  for (let at = 16; at < 64; at++) {
    const near = wordAt(at - 2)
    const far = wordAt(at - 15)
    const ofNear = rotated(near, 17) ^ rotated(near, 19) ^ (near >>> 10)
    const ofFar = rotated(far, 7) ^ rotated(far, 18) ^ (far >>> 3)
    words[at] = wordAt(at - 16) + ofFar + wordAt(at - 7) + ofNear
  }
  const stateAt = (at: number): number => state[at] as number
  let a = stateAt(0)
  let b = stateAt(1)
  let c = stateAt(2)
  let d = stateAt(3)
  let e = stateAt(4)
  let f = stateAt(5)
  let g = stateAt(6)
  let h = stateAt(7)
  for (let at = 0; at < 64; at++) {
    const ofE = (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & f) ^ (~e & g))
    const mixed = (h + ofE + (roundConstants[at] as number) + wordAt(at)) | 0
    const ofA = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
    h = g
    g = f
    f = e
    e = (d + mixed) | 0
    d = c
    c = b
    b = a
    a = (mixed + ofA) | 0
  }
  state[0] = stateAt(0) + a
  state[1] = stateAt(1) + b
  state[2] = stateAt(2) + c
  state[3] = stateAt(3) + d
  state[4] = stateAt(4) + e
  state[5] = stateAt(5) + f
  state[6] = stateAt(6) + g
  state[7] = stateAt(7) + h
}

/**
 * SHA-256 of concatenated pieces. Written here because libraries bring streams and option checks, 1 kB in every page.
 * Nothing of the pieces is left in memory: they may be a key.
 */
export function sha256(...pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  let length = 0
  for (const piece of pieces) length += piece.length
  const bytes = new Uint8Array(Math.ceil((length + 9) / BLOCK_BYTES) * BLOCK_BYTES)
  let end = 0
  for (const piece of pieces) {
    bytes.set(piece, end)
    end += piece.length
  }
  bytes[length] = 0x80
  const view = new DataView(bytes.buffer)
  view.setUint32(bytes.length - 8, length / 2 ** 29)
  view.setUint32(bytes.length - 4, length * 8)
  const state = initialState.slice()
  for (let block = 0; block < bytes.length; block += BLOCK_BYTES) {
    for (let at = 0; at < 16; at++) words[at] = view.getInt32(block + 4 * at)
    compress(state)
  }
  for (let at = 0; at < 8; at++) view.setInt32(4 * at, state[at] as number)
  const hash = bytes.slice(0, 32)
  bytes.fill(0)
  words.fill(0)
  return hash
}

const padded = (key: Uint8Array, pad: number): Uint8Array => {
  const block = new Uint8Array(BLOCK_BYTES)
  block.set(key)
  return block.map((byte) => byte ^ pad)
}

/** HMAC-SHA256 (RFC 2104). */
export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array<ArrayBuffer> {
  const short = key.length > BLOCK_BYTES ? sha256(key) : key
  return sha256(padded(short, 0x5c), sha256(padded(short, 0x36), message))
}
