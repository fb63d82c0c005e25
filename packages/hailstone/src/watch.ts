import type { Client } from '@hailstone/client'
import { type Reward, watchBalance, watchRewards } from '@hailstone/mining-node'
import { type Address, type NodeError, parseTokenId, type TokenId } from '@hailstone/protocol'
import { isDetached } from '@hailstone/runtime/node'
import { chosenNetwork, clientOf } from './chosen-network.ts'
import { stampText } from './clock-text.ts'
import { coinsOf, coinsText } from './coins.ts'
import type { Given } from './command-line.ts'
import { holdHangups } from './config/hold-hangups.ts'
import { type Exit, exits } from './exit-codes.ts'
import { parseCount } from './option-values.ts'
import { watchSignals } from './signals.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'
import { addressOfOptions } from './wallet-of-options.ts'
import { rewardEventName } from './webhook/report-rewards.ts'
import { type AtEnd, withEndings } from './with-endings.ts'

type Scene = { readonly client: Client; readonly address: Address; readonly terminal: Terminal }

/** Watches until a signal arrives. Failures of the API are printed, and the request is retried. */
async function watching(
  given: Given<'watch balance'> | Given<'watch rewards'>,
  terminal: Terminal,
  begin: (scene: Scene, atEnd: AtEnd) => void,
): Promise<Exit> {
  const chosen = chosenNetwork(given, terminal)
  const address = await addressOfOptions(given, terminal)
  if (address === undefined)
    throw new UsageError('Name an account after the command, or a key with --key-file.')
  if (isDetached(process.env)) holdHangups()
  return withEndings(async (atEnd) => {
    const interruption = watchSignals()
    atEnd(interruption.release)
    const client = clientOf(chosen)
    atEnd(client.close)
    begin({ client, address, terminal }, atEnd)
    await interruption.happened
    return exits.ok
  })
}

const failed =
  (terminal: Terminal) =>
  (error: NodeError): void => {
    if (terminal.manner === 'json') terminal.tell({ event: 'failed', error })
    else terminal.warn(`${stampText()}  ${error.code}: ${error.message}`)
  }

/** Every change of a balance, with the height and the time it was read at. */
export const watchBalanceCommand = (given: Given<'watch balance'>, terminal: Terminal): Promise<Exit> =>
  watching(given, terminal, ({ client, address }, atEnd) => {
    const watch = watchBalance({
      client,
      address,
      tokenId: given.token === undefined ? undefined : parseTokenId(given.token),
      onError: failed(terminal),
      onChange: (balance) => {
        if (terminal.manner === 'json') terminal.tell({ event: 'balanceChanged', address, ...balance })
        else {
          const { amount, decimals, symbol, isKnown, height } = balance
          const text = isKnown ? coinsText(amount, { decimals, symbol }) : 'never held this token'
          terminal.say(`${stampText()}  ${text}${height === null ? '' : `  at height ${height}`}`)
        }
      },
    })
    atEnd(watch.stop)
  })

const FIRST = -1

/** A running number that was seen before, or a word. */
function rewardsFrom(text: string | undefined): 'now' | number {
  if (text === undefined || text === 'now') return 'now'
  return text === 'first' ? FIRST : parseCount('--from', text, 0)
}

/** Every reward once and in order; `--from first` begins with the very first. */
export const watchRewardsCommand = (given: Given<'watch rewards'>, terminal: Terminal): Promise<Exit> =>
  watching(given, terminal, ({ client, address }, atEnd) => {
    const from = rewardsFrom(given.from)
    const writers = new Map<TokenId | null, (units: bigint) => string>()
    // If the decimals of the token cannot be read, the same reward is delivered again.
    const tell =
      (isReverted: boolean) =>
      async (reward: Reward): Promise<void> => {
        const { tokenId } = reward
        const coins = writers.get(tokenId) ?? (await coinsOf(client, tokenId))
        writers.set(tokenId, coins)
        tellReward(reward, { isReverted, coins, terminal })
      }
    const onError = failed(terminal)
    const watch = watchRewards({
      client,
      address,
      from,
      onError,
      onReward: tell(false),
      onReverted: tell(true),
    })
    atEnd(watch.stop)
  })

function tellReward(
  reward: Reward,
  {
    isReverted,
    coins,
    terminal,
  }: {
    readonly isReverted: boolean
    readonly coins: (units: bigint) => string
    readonly terminal: Terminal
  },
): void {
  if (terminal.manner === 'json') {
    terminal.tell({ event: isReverted ? 'reverted' : rewardEventName(reward), ...reward })
    return
  }
  const { index, role, amount, height, recordHash } = reward
  const block = height === null ? '' : `block ${height}  `
  terminal.say(
    `#${index}  ${isReverted ? 'taken back  ' : ''}${role}  ${coins(amount)}  ${block}${recordHash}`,
  )
}
