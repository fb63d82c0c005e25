import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '@hailstone/client'
import type { ConfirmedReceiver } from '@hailstone/mining-node/amounts'
import { type Address, isAddress } from '@hailstone/protocol'
import { aboutPath } from '@hailstone/runtime/node'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'
import type { PayoutOptions } from './payout-options.ts'

async function readReceiver(path: string): Promise<ConfirmedReceiver | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  try {
    const { to, height } = JSON.parse(text) as Record<string, unknown>
    return isAddress(to) && Number.isSafeInteger(height) ? { to, height: height as number } : null
  } catch {
    // A file that cannot be read confirms nothing.
    return null
  }
}

const writeReceiver = (path: string, receiver: ConfirmedReceiver): Promise<void> =>
  aboutPath(path, async () => {
    const file = await open(`${path}.new`, 'w', 0o600)
    try {
      await file.writeFile(`${JSON.stringify(receiver)}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(`${path}.new`, path)
  })

async function ask(
  { to, above, least, most }: PayoutOptions,
  count: number,
  terminal: Terminal,
): Promise<void> {
  const lines = [
    count === 1
      ? 'Coins of this account are to be paid out by themselves:'
      : `Coins of each of these ${count} accounts are to be paid out by themselves:`,
    `to        ${to}`,
    `above     ${above} coins stay, and the minimum stake in any case`,
    `least     ${least} coins and multiples of them; fees are inside`,
    ...(most === null ? [] : [`most      ${most} coins at a time`]),
  ]
  for (const line of lines) terminal.say(line)
  if ((await terminal.ask('Is this address yours, letter by letter? Type yes: ')).trim() === 'yes') return
  throw new UsageError('The receiver was not confirmed. Without --payout-to nothing is paid out.')
}

/**
 * Returns the confirmed receivers of accounts, in their order. They are asked for once, at a terminal or by
 * `--payout-confirm`, and again when the options name another receiver or an account is new.
 *
 * @throws {UsageError} if nobody has confirmed it; what the API throws
 */
export async function confirmedReceivers(parameters: {
  readonly options: PayoutOptions
  readonly addresses: readonly Address[]
  readonly folder: string
  readonly client: Pick<Client, 'getHeight'>
  readonly terminal: Terminal
}): Promise<readonly ConfirmedReceiver[]> {
  const { options, addresses, folder, client, terminal } = parameters
  const pathOf = (address: Address): string => join(folder, `${address}.json`)
  const known: (ConfirmedReceiver | null)[] = []
  // One after another: a fleet may have more accounts than a process may have files open.
  for (const address of addresses) {
    const kept = await readReceiver(pathOf(address))
    known.push(kept?.to === options.to && !options.isConfirming ? kept : null)
  }
  const count = known.filter((receiver) => receiver === null).length
  if (count === 0) return known.flatMap((receiver) => receiver ?? [])
  if (process.stdin.isTTY === true) await ask(options, count, terminal)
  else if (!options.isConfirming)
    throw new UsageError(
      `Nobody has confirmed the address of --payout-to for ${count === 1 ? 'this account' : `${count} of these accounts`}. Start once at a terminal, or once with --payout-confirm.`,
    )
  const now = { to: options.to, height: await client.getHeight() }
  for (const [at, address] of addresses.entries())
    if (known[at] === null) await writeReceiver(pathOf(address), now)
  return known.map((receiver) => receiver ?? now)
}
