import type { Client, LatestTransaction, MacroblockInfo } from '@hailstone/client'
import { isHash, type parseAddress, type TokenId } from '@hailstone/protocol'
import { askAgain } from './ask-again.ts'
import { chosenNetwork, clientOf } from './chosen-network.ts'
import { coinsOf, coinsText } from './coins.ts'
import { CommandFailure } from './command-failure.ts'
import type { Given } from './command-line.ts'
import { type Exit, exits } from './exit-codes.ts'
import { namedToken } from './named-token.ts'
import { parseCount } from './option-values.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'
import { addressOfOptions, type KeyOptions } from './wallet-of-options.ts'

/** A label and its value, as one line of the answer. */
type Row = readonly [label: string, value: string | number]

const LABEL_COLUMNS = 14

function print(terminal: Terminal, facts: object, rows: readonly Row[]): void {
  if (terminal.manner === 'json') terminal.tell(facts)
  else for (const [label, value] of rows) terminal.say(`${label.padEnd(LABEL_COLUMNS)}${value}`)
}

const timeText = (seconds: number): string => new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z')

/** Runs a question with a client that is closed afterwards. */
async function withClient<T>(
  given: Parameters<typeof chosenNetwork>[0],
  terminal: Terminal,
  ask: (client: Client) => Promise<T>,
): Promise<T> {
  const client = clientOf(chosenNetwork(given, terminal))
  try {
    return await ask(client)
  } finally {
    await client.close()
  }
}

const unknown = (what: string, nextStep: string): CommandFailure =>
  new CommandFailure(`The network knows no ${what}.`, exits.notFound, nextStep)

async function accountOf(
  given: KeyOptions & { readonly argument?: string | undefined },
  terminal: Terminal,
): Promise<ReturnType<typeof parseAddress>> {
  const address = await addressOfOptions(given, terminal)
  if (address === undefined)
    throw new UsageError('Name an account after the command, or a key with --key-file.')
  return address
}

/** `hailstone balance [ADDRESS]`: the confirmed balance of one token. */
export const balance = (given: Given<'balance'>, terminal: Terminal): Promise<Exit> =>
  withClient(given, terminal, async (client) => {
    const address = await accountOf(given, terminal)
    const tokenId = given.token === undefined ? undefined : await namedToken(client, given.token)
    const found = await client.getBalance({ address, tokenId })
    const { amount, isKnown, decimals, symbol = '', delegated } = found
    const coins = isKnown ? coinsText(amount, { decimals, symbol }) : '0 (never held this token)'
    const rows: Row[] = [
      ['address', address],
      ['balance', coins],
    ]
    if (delegated > 0n) {
      const native = await client.getNativeToken()
      const atPools = native === undefined ? `${delegated} native units` : coinsText(delegated, native)
      rows.push(['at pools', `${atPools}, which do not count as stake`])
    }
    print(terminal, { address, ...found }, rows)
    return exits.ok
  })

/** `hailstone tx HASH`: a transaction in the chain or in the pool. */
export const transaction = (given: Given<'tx'>, terminal: Terminal): Promise<Exit> =>
  withClient(given, terminal, async (client) => {
    const hash = given.argument.toLowerCase()
    if (!isHash(hash)) throw new UsageError('A transaction is named by 64 hex digits.')
    const place = await askAgain(async () => {
      const found = await client.getTransaction({ hash })
      if (found !== undefined) return { found }
      const pending = await client.getPendingTransaction({ hash })
      return pending && { pending }
    })
    if (place === undefined)
      throw unknown(
        'such transaction',
        'Check the hash and the network; a payment shows in the pool at once.',
      )
    if ('found' in place) {
      const { found } = place
      const coins = await coinsOf(client, found.tokenId)
      const { status, from, to, grossAmount, fee, netAmount, data, keyBlockHash, microblockHash } = found
      print(terminal, found, [
        ['status', status],
        ['from', from],
        ['to', to],
        ['amount', coins(grossAmount)],
        ...(fee === undefined ? [] : [['fee', `${coins(fee)}, inside the amount`] as const]),
        ...(netAmount === undefined ? [] : [['arrives', coins(netAmount)] as const]),
        ...(data === '' ? [] : [['data', data] as const]),
        ['key block', keyBlockHash],
        ['microblock', microblockHash],
      ])
      return exits.ok
    }
    const { pending } = place
    const coins = await coinsOf(client, pending.tokenId)
    print(terminal, { status: 'pending', ...pending }, [
      ['status', 'pending: it waits for a block'],
      ['from', pending.from],
      ['to', pending.to],
      ['amount', coins(pending.amount)],
    ])
    return exits.ok
  })

/** `hailstone token [ID or SYMBOL]`: a token, the native one by default. */
export const token = (given: Given<'token'>, terminal: Terminal): Promise<Exit> =>
  withClient(given, terminal, async (client) => {
    const tokenId =
      given.argument === undefined
        ? await client.getNativeTokenId()
        : await namedToken(client, given.argument)
    const found = await askAgain(() => client.getToken({ tokenId }))
    if (found === undefined) throw unknown('such token', 'Check the token id and the network.')
    const rules = await client.getMiningRules({ tokenId })
    const coins = (units: bigint): string => coinsText(units, found)
    print(terminal, { ...found, rules }, [
      ['symbol', found.symbol],
      ['name', found.caption ?? ''],
      ['id', found.id],
      ['decimals', found.decimals],
      ['supply', coins(found.totalSupply)],
      ['owner', found.owner],
      ...(rules?.minimumStake == null ? [] : [['least stake', coins(rules.minimumStake)] as const]),
      ...(rules?.referrerStake == null ? [] : [['of an agent', coins(rules.referrerStake)] as const]),
    ])
    return exits.ok
  })

/** `hailstone block HEIGHT` or `HASH`: a macroblock. */
export const block = (given: Given<'block'>, terminal: Terminal): Promise<Exit> =>
  withClient(given, terminal, async (client) => {
    const name = given.argument.toLowerCase()
    if (!isHash(name) && !/^\d{1,9}$/.test(name))
      throw new UsageError(
        'A macroblock is named by its height, a whole number from 0 on, or by the 64 hex digits of its hash.',
      )
    const found = await askAgain<MacroblockInfo | undefined>(() =>
      isHash(name)
        ? client.getMacroblockByHash({ hash: name })
        : client.getMacroblock({ height: parseCount('The height', name, 0) }),
    )
    if (found === undefined)
      throw unknown('such macroblock', 'Check the height; `hailstone latest` shows the newest.')
    const { keyBlock, microblocks, statBlocks, isCalculated } = found
    print(terminal, found, [
      ['height', keyBlock.height],
      ['hash', keyBlock.hash],
      ['time', timeText(keyBlock.time)],
      ['publisher', keyBlock.publisher],
      ['microblocks', isCalculated ? microblocks.length : 'not calculated yet'],
      ['statblocks', statBlocks.length],
    ])
    return exits.ok
  })

const DEFAULT_LIMIT = 10
const LARGEST_LIMIT = 10_000

/** `hailstone latest`: the newest transactions of the chain, newest first. */
export const latest = (given: Given<'latest'>, terminal: Terminal): Promise<Exit> =>
  withClient(given, terminal, async (client) => {
    const limit = given.limit === undefined ? DEFAULT_LIMIT : parseCount('--limit', given.limit, 1)
    if (limit > LARGEST_LIMIT) throw new UsageError(`--limit should be at most ${LARGEST_LIMIT}.`)
    const formats = new Map<TokenId, (units: bigint) => string>()
    let count = 0
    for await (const one of client.latestTransactions()) {
      const coins = formats.get(one.tokenId) ?? (await coinsOf(client, one.tokenId))
      formats.set(one.tokenId, coins)
      if (terminal.manner === 'json') terminal.tell(one)
      else terminal.say(lineOf(one, coins))
      if (++count >= limit) break
    }
    if (count === 0 && terminal.manner !== 'json') terminal.say('The chain has no transaction yet.')
    return exits.ok
  })

const lineOf = (one: LatestTransaction, coins: (units: bigint) => string): string =>
  `${one.height}  ${timeText(one.timeMs / 1_000)}  ${one.status.padEnd(9)}  ${one.hash}  ${coins(one.amount)}`

/** `hailstone pool`: the number of waiting transactions. */
export const pool = (given: Given<'pool'>, terminal: Terminal): Promise<Exit> =>
  withClient(given, terminal, async (client) => {
    const count = await client.getPoolSize()
    print(terminal, { count }, [['waiting', count]])
    return exits.ok
  })

/** `hailstone faucet [ADDRESS]`: the stake of a miner or an agent as test coins. */
export const faucet = (given: Given<'faucet'>, terminal: Terminal): Promise<Exit> =>
  withClient(given, terminal, async (client) => {
    const address = await accountOf(given, terminal)
    const tokenId = given.token === undefined ? undefined : await namedToken(client, given.token)
    const as = given.as === 'agent' ? given.as : undefined
    const isGranted = await client.requestTestCoins({ address, tokenId, as })
    if (!isGranted) {
      const nextStep = 'It serves an account once in a while; try again in a minute, or ask its operator.'
      throw new CommandFailure('The faucet gave nothing.', exits.faucetRefused, nextStep)
    }
    print(terminal, { address, isGranted }, [
      ['address', address],
      ['faucet', 'test coins arrive with the next block'],
    ])
    return exits.ok
  })
