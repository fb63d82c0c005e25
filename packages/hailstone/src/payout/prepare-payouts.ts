import type { Client, Wallet } from '@hailstone/client'
import { dataFolder, folderIn } from '../data-folder.ts'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'
import { confirmedReceivers } from './confirmed-receiver.ts'
import type { PayoutOptions } from './payout-options.ts'
import { type PayoutAccount, watchPayouts } from './watch-payouts.ts'

/** Blocks between two looks at whether payouts are due. */
const BLOCKS = 4

/**
 * Has the receiver of payouts confirmed before anything begins, and returns what starts them; null without payouts.
 *
 * @throws {UsageError} without an API, or if nobody confirms the receiver
 */
export async function preparePayouts(parameters: {
  readonly options: PayoutOptions | null
  readonly given: Parameters<typeof dataFolder>[0]
  /** All of the process. */
  readonly wallets: readonly Wallet[]
  readonly client: Client | undefined
  readonly terminal: Terminal
}) {
  const { options, given, wallets, client, terminal } = parameters
  if (options === null) return null
  if (client === undefined) throw new UsageError('--payout-to needs an API: name one with --api.')
  const data = dataFolder(given, terminal)
  const [receivers, folder] = [await folderIn(data, 'payouts'), await folderIn(data, 'payments')]
  const addresses = wallets.map(({ address }) => address)
  const confirmed = await confirmedReceivers({ options, addresses, folder: receivers, client, terminal })
  return ({
    blockTimeMs,
    say,
    readOf,
  }: {
    readonly blockTimeMs: number
    readonly say: (line: string) => void
    /** Reads what the miner knows of an account. */
    readonly readOf: (address: Wallet['address']) => ReturnType<PayoutAccount['read']>
  }) => {
    const accounts = wallets.flatMap((wallet, at) => {
      const receiver = confirmed[at]
      const read = () => readOf(wallet.address)
      return receiver === undefined ? [] : [{ wallet, confirmed: receiver, read }]
    })
    const pauseMs = BLOCKS * blockTimeMs
    return watchPayouts({ options, accounts, client, folder, terminal, say, pauseMs })
  }
}
