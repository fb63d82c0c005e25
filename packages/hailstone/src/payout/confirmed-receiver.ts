import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '@hailstone/client'
import { type Address, isAddress } from '@hailstone/protocol'
import { aboutPath } from '@hailstone/runtime/node'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'
import type { PayoutOptions } from './payout-options.ts'

/** A receiver that a person has confirmed for the payouts of one account. */
export type ConfirmedReceiver = {
  readonly to: Address
  /** Height of the chain at that moment: the person knows of the payments below it. */
  readonly height: number
}

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

async function ask({ to, above, least }: PayoutOptions, terminal: Terminal): Promise<void> {
  const lines = [
    'Coins of this account are to be paid out by themselves:',
    `to        ${to}`,
    `above     ${above} coins stay, and the minimum stake in any case`,
    `least     ${least} coins and multiples of them; fees are inside`,
  ]
  for (const line of lines) terminal.say(line)
  if ((await terminal.ask('Is this address yours, letter by letter? Type yes: ')).trim() === 'yes') return
  throw new UsageError('The receiver was not confirmed. Without --payout-to nothing is paid out.')
}

/**
 * Returns the confirmed receiver of an account. It is asked for once, at a terminal or by `--payout-confirm`, and again when
 * the options name another one.
 *
 * @throws {UsageError} if nobody has confirmed it; what the API throws
 */
export async function confirmedReceiver(parameters: {
  readonly options: PayoutOptions
  readonly address: Address
  readonly folder: string
  readonly client: Pick<Client, 'getHeight'>
  readonly terminal: Terminal
}): Promise<ConfirmedReceiver> {
  const { options, address, folder, client, terminal } = parameters
  const path = join(folder, `${address}.json`)
  const kept = await readReceiver(path)
  if (kept?.to === options.to && !options.isConfirming) return kept
  if (process.stdin.isTTY === true) await ask(options, terminal)
  else if (!options.isConfirming)
    throw new UsageError(
      'Nobody has confirmed the address of --payout-to for this account. Start once at a terminal, or once with --payout-confirm.',
    )
  const receiver = { to: options.to, height: await client.getHeight() }
  await writeReceiver(path, receiver)
  return receiver
}
