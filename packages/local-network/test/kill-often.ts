import { createGenesis } from '../src/genesis.ts'
import { type ChainStore, openChainStore } from '../src/store/index.ts'
import type { ChainPlace } from '../src/store/open-chain-store.ts'
import { type Run, runCommand } from './command-run.ts'
import { payment } from './payments.ts'
import { expectReplay } from './replay.ts'

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

export type KillReport = {
  readonly kills: number
  /** Of the open key block, at the end. */
  readonly height: number
  /** Transactions that a client was told are confirmed. */
  readonly confirmed: number
  /** Violations found; empty if there are none. */
  readonly failures: readonly string[]
}

const flagsOf = ({ folder, database }: ChainPlace): readonly string[] =>
  database === undefined ? ['--data', String(folder)] : ['--database', database]

/** State known to clients: the height answered last, transactions reported as confirmed. */
type Told = { height: number; readonly confirmed: Set<string>; readonly failures: string[] }

function signedPayment(seed: string): { readonly hash: string; readonly body: string } {
  const genesis = createGenesis({ seed, time: 0 })
  const [from, to] = genesis.accounts.developers
  if (from === undefined || to === undefined) throw new Error('there are five developers')
  const { transaction, hash } = payment(genesis, { from, to: to.address, amount: 10n ** 10n })
  const { signature, tokenId, amount, ...rest } = transaction
  return {
    hash,
    body: JSON.stringify([{ ...rest, amount: String(amount), sign: signature, ticker: tokenId }]),
  }
}

/** Pays and asks until the process is gone; notes what it was told. */
async function payUntilKilled(apiUrl: string, seed: string, told: Told): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  try {
    for (;;) {
      const { hash, body } = signedPayment(seed)
      await (await fetch(`${apiUrl}/tx`, { method: 'POST', headers, body })).text()
      for (let asked = 0; asked < 400; asked++) {
        const text = await (await fetch(`${apiUrl}/tx?hash=${hash}`)).text()
        if (/"status":3/.test(text)) {
          told.confirmed.add(hash)
          break
        }
        await pause(20)
      }
    }
  } catch {
    // It was killed.
  }
}

async function oneKill(run: Run, kill: number, seed: string, told: Told): Promise<void> {
  // Some die while they start.
  if (kill % 4 === 3) await pause(Math.random() * 900)
  else {
    const began = await run.began
    if (began === null || began < told.height || began > told.height + 1)
      told.failures.push(
        `kill ${kill}: began at ${began}, told were ${told.height}: ${run.errors().slice(0, 300)}`,
      )
    const paying = run.apiUrl.then((url) => (url === null ? undefined : payUntilKilled(url, seed, told)))
    // However slow the machine is, some of them live long enough to store macroblocks.
    if (kill % 2 === 0) {
      const isYoung = (): boolean => run.told() < (began ?? 0) + 2 || told.confirmed.size === 0
      while (isYoung() && run.child.exitCode === null) await pause(10)
    }
    await pause(Math.random() * 400)
    run.child.kill('SIGKILL')
    await paying
  }
  run.child.kill('SIGKILL')
  const ended = await run.ended
  if (ended !== 'SIGKILL')
    told.failures.push(`kill ${kill}: ended by itself, ${ended}: ${run.errors().slice(0, 300)}`)
  told.height = Math.max(told.height, run.told())
}

async function lost(store: ChainStore, told: Told): Promise<readonly string[]> {
  const missing: string[] = []
  for (const hash of told.confirmed) {
    const copy = await store.transaction(hash)
    if (copy?.status !== 'confirmed') missing.push(`${hash} was confirmed and is ${copy?.status ?? 'gone'}`)
  }
  return missing
}

/**
 * Starts the command over one chain again and again, and kills it at random moments while a client pays. Then
 * every stored macroblock is calculated anew: statuses, links, balances.
 */
export async function killOften(
  place: ChainPlace,
  { kills, seed }: { readonly kills: number; readonly seed: string },
): Promise<KillReport> {
  const told: Told = { height: 0, confirmed: new Set(), failures: [] }
  for (let kill = 0; kill < kills; kill++)
    await oneKill(runCommand(...flagsOf(place), '--seed', seed, '--block-time', '100ms'), kill, seed, told)
  await using store = await openChainStore(place)
  const height = await expectReplay(store, seed)
  if (height < told.height || height > told.height + 1)
    told.failures.push(`height ${height} is stored, ${told.height} was told`)
  const failures = [...told.failures, ...(await lost(store, told))]
  return { kills, height, confirmed: told.confirmed.size, failures }
}
