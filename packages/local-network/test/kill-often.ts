import { createGenesis } from '@hailstone/ledger'
import { type ChainStore, openChainStore } from '../src/store/index.ts'
import type { ChainPlace } from '../src/store/open-chain-store.ts'
import { type Run, runCommand } from './command-run.ts'
import { nativeToken } from './native-token.ts'
import { payment } from './payments.ts'
import { expectReplay } from './replay.ts'

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

export type KillReport = {
  readonly kills: number
  /** Of the open key block, at the end. */
  readonly height: number
  /** Transactions that a client was told are confirmed. */
  readonly confirmed: number
  /** Violations found; otherwise empty. */
  readonly failures: readonly string[]
}

const flagsOf = ({ folder, database }: ChainPlace): readonly string[] =>
  database === undefined ? ['--data', String(folder)] : ['--database', database]

/** State known to clients: the height answered last, transactions reported as confirmed. */
type Reported = { height: number; readonly confirmed: Set<string>; readonly failures: string[] }

function signedPayment(seed: string): { readonly hash: string; readonly body: string } {
  const genesis = createGenesis({ seed, time: 0, nativeTokenId: nativeToken() })
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
async function payUntilKilled(apiUrl: string, seed: string, reported: Reported): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  try {
    for (;;) {
      const { hash, body } = signedPayment(seed)
      await (await fetch(`${apiUrl}/tx`, { method: 'POST', headers, body })).text()
      for (let asked = 0; asked < 400; asked++) {
        const text = await (await fetch(`${apiUrl}/tx?hash=${hash}`)).text()
        if (/"status":3/.test(text)) {
          reported.confirmed.add(hash)
          break
        }
        await pause(20)
      }
    }
  } catch {
    // It was killed.
  }
}

async function oneKill(run: Run, kill: number, seed: string, reported: Reported): Promise<void> {
  // Some die while they start.
  if (kill % 4 === 3) await pause(Math.random() * 900)
  else {
    const began = await run.began
    if (began === null || began < reported.height || began > reported.height + 1)
      reported.failures.push(
        `kill ${kill}: began at ${began}, reported were ${reported.height}: ${run.errors().slice(0, 300)}`,
      )
    const paying = run.apiUrl.then((url) => (url === null ? undefined : payUntilKilled(url, seed, reported)))
    // However slow the machine is, some of them live long enough to store macroblocks.
    if (kill % 2 === 0) {
      const isYoung = (): boolean => run.reported() < (began ?? 0) + 2 || reported.confirmed.size === 0
      while (isYoung() && run.child.exitCode === null) await pause(10)
    }
    await pause(Math.random() * 400)
    run.child.kill('SIGKILL')
    await paying
  }
  run.child.kill('SIGKILL')
  const ended = await run.ended
  if (ended !== 'SIGKILL')
    reported.failures.push(`kill ${kill}: ended by itself, ${ended}: ${run.errors().slice(0, 300)}`)
  reported.height = Math.max(reported.height, run.reported())
}

async function lost(store: ChainStore, reported: Reported): Promise<readonly string[]> {
  const missing: string[] = []
  for (const hash of reported.confirmed) {
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
  const reported: Reported = { height: 0, confirmed: new Set(), failures: [] }
  for (let kill = 0; kill < kills; kill++)
    await oneKill(
      runCommand(...flagsOf(place), '--seed', seed, '--block-time', '100ms'),
      kill,
      seed,
      reported,
    )
  await using store = await openChainStore(place)
  const height = await expectReplay(store, seed)
  if (height < reported.height || height > reported.height + 1)
    reported.failures.push(`height ${height} is stored, ${reported.height} was reported`)
  const failures = [...reported.failures, ...(await lost(store, reported))]
  return { kills, height, confirmed: reported.confirmed.size, failures }
}
