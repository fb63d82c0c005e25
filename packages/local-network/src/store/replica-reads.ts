import type { AroundStatements, AskSameConnection } from '@hailstone/database'
import { type Hash, hostError, type KeyBlock } from '@hailstone/protocol'
import { type CopyUse, notReady } from './copy-use.ts'

/** A key block by which the end of a chain is known. */
type Place = Pick<KeyBlock, 'height' | 'hash'>

const HASH_AT = 'select hash from key_block where height = $1'
const TAIL = 'select height, hash from key_block order by height desc limit 1'

/** SQLSTATEs of what is wrong with a question, or with its moment, and not with the server: the primary judges it. */
const OF_QUESTION = /^(22|40001)/

type PrimaryReads = {
  readonly keyBlockAt: (height: number) => Promise<Place | undefined>
  readonly tail: () => Promise<KeyBlock>
}

/** Bookkeeping that keeps reads from going back. */
export type ReplicaReads = {
  /** Steps around each statement of the replica. */
  readonly around: AroundStatements
  /** Runs reads on the replica where that is exactly as far as this process, else on the primary. */
  readonly readFrom: <Reads extends object>(
    parts: { readonly replica: Reads; readonly primary: PrimaryReads & Reads },
    use: CopyUse,
  ) => Reads
  /** Returns the height of the newest key block that this process announced, or that an answer may have shown. */
  readonly height: () => number
  /** Forgets what was shown; for a chain that went back, when that has been announced. */
  readonly reset: () => void
  /** Compares what was shown with the key block that this process announces now. */
  readonly noteAnnounced: () => void
}

const isSame = (one: Place, other: Place): boolean => one.height === other.height && one.hash === other.hash

/** True if the chain of the primary, which ends with a key block, contains another one. */
async function contains({ keyBlockAt }: PrimaryReads, tail: KeyBlock, need: Place): Promise<boolean> {
  if (tail.height <= need.height) return isSame(tail, need)
  if (tail.height === need.height + 1) return tail.link === need.hash
  return (await keyBlockAt(need.height))?.hash === need.hash
}

/**
 * Creates the bookkeeping of one process. A statement runs on a connection of the replica only if its server has the
 * newest key block that this process announced or has shown, and its answer counts only if the server had none beyond
 * that; servers behind one address may differ, so each connection is asked. The primary is ahead of what was announced for
 * a moment as a rule. After a failover it may lack what was shown: then nothing is answered until the process has found
 * that out and announces it. Where only what was shown beyond the announced key block is gone, the process has nothing to
 * find out, and it is told from here.
 *
 * @param announced returns the open key block of this process
 * @param wentBack called with the height that was shown when the chain goes on without it. @default nothing happens
 */
export function createReplicaReads(
  announced: () => Place,
  wentBack: (fromHeight: number) => void = () => {},
): ReplicaReads {
  /** The newest key block that the primary has shown, where it is newer than the announced one. */
  let shown: Place | null = null
  /** The newest key block that the server of a connection is known to have on its chain. */
  let known = new WeakMap<object, Place>()
  /** Number of times that the chain went back. */
  let branch = 0

  function needed(): Place {
    const open = announced()
    return shown !== null && shown.height > open.height ? shown : open
  }

  function reset(): void {
    shown = null
    known = new WeakMap()
    branch++
  }

  function goBack(fromHeight: number): void {
    reset()
    wentBack(fromHeight)
  }

  async function before(connection: object, ask: AskSameConnection): Promise<void> {
    const need = needed()
    if ((known.get(connection)?.height ?? -1) >= need.height) return
    const [row] = await ask(HASH_AT, [need.height])
    if (row?.hash !== need.hash) throw notReady('it is behind')
    known.set(connection, need)
  }

  async function after(connection: object, ask: AskSameConnection): Promise<void> {
    const [row] = await ask(TAIL, [])
    if (row === undefined) throw notReady('it is behind')
    const tail: Place = { height: Number(row.height), hash: row.hash as Hash }
    const need = needed()
    if (tail.height > need.height) throw notReady('it is ahead of this process')
    const had = known.get(connection)
    // What was needed may have grown during the statement.
    if (!isSame(tail, need) && (had === undefined || !isSame(tail, had))) throw notReady('it is behind')
    known.set(connection, tail)
  }

  async function readPrimary<Answer>(primary: PrimaryReads, read: () => Promise<Answer>): Promise<Answer> {
    const need = needed()
    const begun = branch
    const answer = await read()
    const tail = await primary.tail()
    const isKept = await contains(primary, tail, need)
    if (branch !== begun) return answer
    if (!isKept) {
      // The chain was read after what was needed: what was announced is its end, and what was shown beyond is gone.
      if (isSame(tail, announced())) goBack(need.height)
      throw hostError('STORE_UNREACHABLE', { reason: 'it lacks what this process has announced' })
    }
    if (tail.height > needed().height) shown = tail
    return answer
  }

  return {
    around: { before, after },
    readFrom({ replica, primary }, use) {
      type Read = (...given: readonly unknown[]) => Promise<unknown>
      const through =
        (onReplica: Read, onPrimary: Read): Read =>
        async (...given) => {
          if (use.isInUse()) {
            try {
              return await use.within(() => onReplica(...given))
            } catch (error) {
              const { code = '' } = error as { readonly code?: string }
              if (!OF_QUESTION.test(code)) use.fail(error)
            }
          }
          return readPrimary(primary, () => onPrimary(...given))
        }
      const names = Object.keys(replica) as (keyof typeof replica & string)[]
      const reads = names.map((name) => [name, through(replica[name] as Read, primary[name] as Read)])
      return Object.fromEntries(reads)
    },
    height: () => needed().height,
    reset,
    noteAnnounced() {
      const open = announced()
      if (shown === null || open.height < shown.height) return
      const { height, hash } = shown
      shown = null
      if (open.height === height && open.hash !== hash) goBack(height)
    },
  }
}
