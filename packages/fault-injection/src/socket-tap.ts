import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { RANK } from './connection-limit.ts'

/** Point and manner in which a connection ends. `end` is a regular FIN, `reset` an RST. */
export type Cut = { readonly afterBytes: number; readonly how: 'end' | 'reset' }

/** Timers, limits and cuts of a connection. */
export type SocketTapOptions = {
  /** Called with the head of each request while it answers that it wants heads; may cut the request short. */
  readonly sniff?:
    | { readonly isWanted: () => boolean; readonly cutOf: (head: string) => Cut | null }
    | undefined
  readonly later: (delayMs: number, action: () => void) => void
  /**
   * Largest number of requests without an answer. From there on nothing more is read, so that the sender waits.
   *
   * @default no limit
   */
  readonly maxOpenRequests?: (() => number) | undefined
}

/**
 * Bytes per read. A parser processes everything it is given at once, and a piece of this size has at most some two
 * hundred requests or frames in it.
 */
const PIECE_BYTES = 4096
/** All open requests but the last one are complete, so with two there is always one that can be answered. */
const MIN_OPEN_REQUESTS = 2

/** A request that was cut may be whole all the same; the server gets this long to answer nobody. */
const GRACE_MS = 2000
/** Enough to read what came before a reset. */
const READ_MS = 20
const LONGEST_HEAD_BYTES = 32 * 1024
const LONGEST_COPY_BYTES = 16 * 1024
const HEAD_END = '\r\n\r\n'

type Drip = { readonly bytes: number; readonly everyMs: number }
type Written = (error?: Error | null) => void

/**
 * A TCP connection with hands on its bytes: what stands above, an HTTP server, reads and writes it as if it were
 * the socket.
 */
export class SocketTap extends Duplex {
  readonly #raw: Socket
  readonly #options: SocketTapOptions
  #isFrozen = false
  /** Nothing gets out any more; what is written counts as written. */
  #isCut = false
  #answerCut: { left: number; readonly how: Cut['how'] } | null = null
  #drip: Drip | null = null
  #mutate: ((chunk: Buffer) => Buffer) | null = null
  /** Beginning of a request that waits for the end of its head. */
  #head: Buffer | null = null
  #requestLeft: { left: number; readonly how: Cut['how'] } | null = null
  #openRequests = 0
  /** Bytes that were received and not read yet. While there are any, the socket is paused. */
  #unread: Buffer[] = []
  #isPumping = false
  #isEnded = false
  /** Called when the connection moves up or down in the order in which connections are given up. */
  onRank: ((rank: number) => void) | null = null

  constructor(raw: Socket, options: SocketTapOptions) {
    super({ allowHalfOpen: true })
    this.#raw = raw
    this.#options = options
    raw.on('data', (chunk: Buffer) => this.#receive(chunk))
    raw.on('end', () => {
      this.#isEnded = true
      this.#pump()
    })
    raw.on('timeout', () => this.emit('timeout'))
    raw.on('error', (error) => this.destroy(error))
    // Above a cut everything goes on for a moment: a request that came whole is still carried out.
    raw.on('close', () => {
      if (!this.#isCut) this.destroy()
    })
  }

  get localAddress(): string | undefined {
    return this.#raw.localAddress
  }

  get remoteAddress(): string | undefined {
    return this.#raw.remoteAddress
  }

  get remotePort(): number | undefined {
    return this.#raw.remotePort
  }

  setTimeout(ms: number, listener?: () => void): this {
    this.#raw.setTimeout(ms)
    if (listener !== undefined) this.once('timeout', listener)
    return this
  }

  setNoDelay(isOn?: boolean): this {
    this.#raw.setNoDelay(isOn)
    return this
  }

  setKeepAlive(isOn?: boolean, delayMs?: number): this {
    this.#raw.setKeepAlive(isOn, delayMs)
    return this
  }

  /** True when the other side has sent all it wants to send. Most clients hang up in this way. */
  get hasEnded(): boolean {
    return this.#isEnded
  }

  /** True while a request is being answered. */
  get isBusy(): boolean {
    return this.#openRequests > 0
  }

  beginRequest(): void {
    this.#openRequests++
  }

  /** To be called when all of a request is there. */
  requestIsWhole(): void {
    if (this.#openRequests > 0) this.onRank?.(RANK.busy)
  }

  endRequest(): void {
    this.#openRequests--
    if (this.#openRequests === 0) {
      this.emit('idle')
      this.onRank?.(RANK.idle)
    }
    this.#requestLeft = null
    this.#answerCut = null
    this.#drip = null
    this.#pump()
  }

  /** Neither reads nor writes any more, and never says so: the other side sees an open connection. */
  freeze(): void {
    this.#isFrozen = true
    this.#raw.pause()
  }

  /** Ends the connection after so many more bytes of what is written. */
  cutAfter({ afterBytes, how }: Cut): void {
    this.#answerCut = { left: afterBytes, how }
  }

  /** Ends the connection towards the other side; above, it stays open for a moment. */
  cutNow(how: Cut['how']): void {
    if (this.#isCut) return
    this.#isCut = true
    this.#endRaw(how)
  }

  /** Writes piece by piece, until the answer ends or `null` is given. */
  drip(drip: Drip | null): void {
    this.#drip = drip
  }

  /** Changes the next bytes that are written. */
  mutateNext(mutate: (chunk: Buffer) => Buffer): void {
    this.#mutate = mutate
  }

  /** A stream that was asked for data while it was paused is not asked again when it goes on. */
  override resume(): this {
    super.resume()
    if (this.#unread.length > 0) process.nextTick(() => this.#pump())
    return this
  }

  override _read(): void {
    this.#pump()
  }

  override _write(chunk: Buffer, _: BufferEncoding, written: Written): void {
    // A frozen socket never reports a finished write, so writers wait.
    if (this.#isFrozen) return
    if (this.#isCut) written()
    else this.#send(this.#changed(chunk), written)
  }

  override _writev(chunks: { chunk: Buffer; encoding: BufferEncoding }[], written: Written): void {
    const bytes = chunks.reduce((sum, { chunk }) => sum + chunk.length, 0)
    // One segment for head and body, as the socket itself would do. What is large may be shared and is not copied.
    const isShort = bytes <= LONGEST_COPY_BYTES || this.#isTouched
    if (isShort) this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), 'utf8', written)
    else this.#writeEach(chunks, written)
  }

  override _final(ended: Written): void {
    if (this.#isFrozen) return
    if (this.#isCut || this.#raw.destroyed) ended()
    else this.#raw.end(() => ended())
  }

  override _destroy(error: Error | null, destroyed: Written): void {
    // A frozen connection stays as it is and a cut one ends by itself, whoever above gives up.
    if (!this.#isFrozen && !this.#isCut) this.#raw.destroy()
    destroyed(error)
  }

  get #isTouched(): boolean {
    const isPlain = this.#answerCut === null && this.#drip === null && this.#mutate === null
    return !isPlain || this.#isFrozen || this.#isCut
  }

  #writeEach(chunks: readonly { readonly chunk: Buffer }[], written: Written): void {
    const last = chunks.length - 1
    this.#raw.cork()
    for (const [at, { chunk }] of chunks.entries()) {
      if (at < last) this.#raw.write(chunk)
      else this.#raw.write(chunk, written)
    }
    this.#raw.uncork()
  }

  #changed(chunk: Buffer): Buffer {
    const mutate = this.#mutate
    this.#mutate = null
    return mutate === null ? chunk : mutate(Buffer.from(chunk))
  }

  #send(chunk: Buffer, written: Written): void {
    const cut = this.#answerCut
    if (cut !== null && chunk.length >= cut.left) {
      // From here on, so that an end of the answer cannot overtake ours.
      this.#isCut = true
      this.#write(chunk.subarray(0, cut.left), () => this.#endRaw(cut.how))
      written()
      return
    }
    if (cut !== null) cut.left -= chunk.length
    this.#write(chunk, written)
  }

  #endRaw(how: Cut['how']): void {
    // Where the RST comes together with the last bytes, Node's own client takes it for a polite end.
    if (how === 'end') this.#raw.end()
    else if (this.#raw.bytesWritten === 0) this.#raw.resetAndDestroy()
    else this.#options.later(READ_MS, () => this.#raw.resetAndDestroy())
    this.#options.later(GRACE_MS, () => {
      this.destroy()
      this.#raw.destroy()
    })
  }

  #write(chunk: Buffer, written: Written): void {
    if (this.#drip === null || chunk.length === 0) {
      this.#raw.write(chunk, written)
      return
    }
    const { bytes, everyMs } = this.#drip
    this.#raw.write(chunk.subarray(0, bytes), (error) => {
      const rest = chunk.subarray(bytes)
      if (error || rest.length === 0 || this.#raw.destroyed) written(error)
      else this.#options.later(everyMs, () => this.#write(rest, written))
    })
  }

  #receive(chunk: Buffer): void {
    if (this.#isFrozen || this.#isCut) return
    const { sniff } = this.#options
    if (this.#openRequests > 0 || this.#requestLeft !== null || (this.#head === null && !sniff?.isWanted()))
      this.#forward(chunk)
    else this.#receiveHead(chunk)
  }

  /** Holds a request back until its head is there, which says whether it is to be cut. */
  #receiveHead(chunk: Buffer): void {
    const head = this.#head === null ? chunk : Buffer.concat([this.#head, chunk])
    const end = head.indexOf(HEAD_END)
    if (end === -1 && head.length < LONGEST_HEAD_BYTES) {
      this.#head = head
      return
    }
    this.#head = null
    const cut = this.#options.sniff?.cutOf(head.subarray(0, Math.max(0, end)).toString('latin1')) ?? null
    this.#requestLeft = cut === null ? null : { left: cut.afterBytes, how: cut.how }
    this.#forward(head)
  }

  #forward(chunk: Buffer): void {
    const cut = this.#requestLeft
    const part = cut === null ? chunk : chunk.subarray(0, cut.left)
    if (part.length > 0) {
      this.#unread.push(part)
      this.#pump()
    }
    if (cut === null) return
    cut.left -= part.length
    if (cut.left === 0) this.cutNow(cut.how)
  }

  get #isHeld(): boolean {
    const { maxOpenRequests } = this.#options
    if (maxOpenRequests === undefined || this.#openRequests < MIN_OPEN_REQUESTS) return false
    return this.#openRequests >= maxOpenRequests()
  }

  /** Hands on what was received, piece by piece, as long as it is wanted. */
  #pump(): void {
    if (this.#isPumping || this.#isFrozen || this.destroyed) return
    this.#isPumping = true
    let isWanted = true
    while (isWanted && this.#unread.length > 0 && !this.#isHeld && !this.isPaused())
      isWanted = this.push(this.#nextPiece())
    this.#isPumping = false
    if (!isWanted || this.#unread.length > 0) this.#raw.pause()
    else if (this.#isEnded) this.push(null)
    else this.#raw.resume()
  }

  #nextPiece(): Buffer {
    const [first] = this.#unread
    if (first === undefined) return Buffer.alloc(0)
    if (first.length <= PIECE_BYTES) this.#unread.shift()
    else this.#unread[0] = first.subarray(PIECE_BYTES)
    return first.subarray(0, PIECE_BYTES)
  }
}
