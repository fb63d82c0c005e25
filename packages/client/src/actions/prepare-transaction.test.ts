import { parseAddress, parseTokenId, toAmount } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { scriptedTransport } from '../../test/support/scripted-transport.ts'
import {
  type CreateClientParameters,
  createClient,
  networks,
  type PrepareTransactionParameters,
} from '../node.ts'

const from = parseAddress(`02${'ab'.repeat(32)}`)
const to = parseAddress(`03${'cd'.repeat(32)}`)
const owner = parseAddress(`02${'ef'.repeat(32)}`)
const native = parseTokenId('0'.repeat(64))
const custom = parseTokenId('c'.repeat(64))

type TokenWire = { readonly fee_type: number; readonly fee_value: number; readonly fee_min: number | null }

const token = (id: string, fee: TokenWire) =>
  JSON.stringify({
    hash: id,
    owner,
    ...fee,
    ticker: 'TKN',
    decimals: 10,
    total_supply: 1_000_000,
    caption: null,
    active: 0,
    reissuable: 0,
    minable: 1,
    max_supply: 1_000_000,
    block_reward: 1,
    min_stake: 500,
    referrer_stake: 1,
    ref_share: 100,
  })
const nativeFee: TokenWire = { fee_type: 0, fee_value: 100, fee_min: 0 }
const balance = (id: string, amount: number) =>
  `{"amount":${amount},"token":"${id}","ticker":"TKN","decimals":10,"delegated":0,"reward":0,"transit":0,"undelegated":0}`

/** A client of an API that says ten decimals for every token. */
function clientOf(settings: Partial<CreateClientParameters>) {
  const transport = scriptedTransport(({ path, query = '' }) => {
    const asked = new URLSearchParams(query.toLowerCase())
    if (path === '/balance') return balance(asked.get('token') ?? native, 100_000)
    if (path === '/native_token') return token(native, nativeFee)
    return `[${token(asked.get('hash') ?? '', nativeFee)}]`
  })
  return createClient({ apiUrl: 'http://127.0.0.1:1', transport, ...settings })
}

describe('decimals that are known', () => {
  const differ = (tokenId: string, expected: number) => ({
    code: 'DECIMALS_DIFFER',
    facts: { tokenId, expected, received: 10 },
  })

  it('win over those of the API, wherever it says them', async () => {
    const { prepareTransaction, getToken, getBalance, getMiningRules } = clientOf({
      network: { ...networks.pulse, tokenDecimals: { [custom]: 8 } },
    })
    const asked = { from, to, amount: toAmount(50_000n), tokenId: custom }
    const answers = [
      prepareTransaction(asked),
      getToken({ tokenId: custom }),
      getBalance({ address: from, tokenId: custom }),
      getMiningRules({ tokenId: custom }),
    ]
    for (const answer of answers) await expect(answer).rejects.toMatchObject(differ(custom, 8))
    expect((await prepareTransaction({ ...asked, tokenId: native })).token.decimals).toBe(10)
    // A database that compares names without regard to letter case answers in lower case.
    const upper = custom.toUpperCase()
    await expect(getToken({ tokenId: upper })).rejects.toMatchObject(differ(custom, 8))
    await expect(getBalance({ address: from, tokenId: upper })).rejects.toMatchObject(differ(custom, 8))
  })

  it('are those of the network for its native token, under any name that the API gives it', async () => {
    const network = { ...networks.pulse, nativeTokenId: custom, nativeDecimals: 8 }
    const client = clientOf({ network })
    await expect(client.getNativeToken()).rejects.toMatchObject(differ(custom, 8))
    await expect(client.getBalance({ address: from })).rejects.toMatchObject(differ(custom, 8))
    await expect(client.getToken({ tokenId: custom })).rejects.toMatchObject(differ(custom, 8))
    expect(await client.getNativeTokenId()).toBe(native)
    await expect(client.getToken({ tokenId: native })).rejects.toMatchObject(differ(native, 8))
  })
})

it('takes a native fee that the network does not say for no fee of nothing', async () => {
  let asked = 0
  const transport = scriptedTransport(({ path, query = '' }) => {
    const id = new URLSearchParams(query).get(path === '/balance' ? 'token' : 'hash') ?? ''
    if (path === '/native_token') return asked++ < 2 ? token(native, nativeFee) : ''
    return path === '/balance' ? balance(id, 100_000) : `[${token(id, nativeFee)}]`
  })
  const client = createClient({ apiUrl: 'http://127.0.0.1:1', transport })
  await expect(
    client.prepareTransaction({ from, to, amount: toAmount(50_000n), tokenId: custom }),
  ).rejects.toMatchObject({ code: 'TOKEN_UNKNOWN', facts: { tokenId: native } })
})

it('takes only a server without the endpoint for one that cannot name its origin', async () => {
  const originOf = (text: string) => {
    const transport = scriptedTransport(() => ({ status: 404, text }))
    return createClient({ apiUrl: 'http://127.0.0.1:1', transport }).getOriginHash()
  }
  expect(await originOf('<html>Cannot GET</html>')).toBeUndefined()
  await expect(originOf('{"err":1,"message":"starting"}')).rejects.toMatchObject({ code: 'HTTP_STATUS' })
})

type World = {
  readonly fee?: TokenWire
  readonly balances?: Readonly<Record<string, number>>
}

function prepare(
  change: Partial<PrepareTransactionParameters>,
  { fee = nativeFee, balances = {} }: World = {},
) {
  const transport = scriptedTransport(({ path, query = '' }) => {
    const asked = new URLSearchParams(query)
    if (path === '/native_token') return token(native, nativeFee)
    if (path === '/balance') {
      const [id, tokenId] = [asked.get('id') ?? '', asked.get('token') ?? '']
      return balance(tokenId, balances[`${id.slice(2, 4)} ${tokenId[0]}`] ?? 100_000)
    }
    const id = asked.get('hash') ?? ''
    if (id === 'd'.repeat(64)) return '[]'
    return `[${token(id, id === native ? nativeFee : fee)}]`
  })
  const client = createClient({ apiUrl: 'http://127.0.0.1:1', transport })
  return client.prepareTransaction({ from, to, amount: toAmount(50_000n), ...change })
}

const kinds = async (...args: Parameters<typeof prepare>) =>
  (await prepare(...args)).warnings.map(({ kind }) => kind)

describe('prepareTransaction', () => {
  it('shows fee, net amount and balance of the very fields that are to be signed', async () => {
    const prepared = await prepare({ nonce: 5, memo: 'rent' })
    expect(prepared.fields).toStrictEqual({
      amount: 50_000n,
      data: 'rent',
      from,
      nonce: 5,
      tokenId: native,
      to,
    })
    expect(prepared).toMatchObject({
      fee: 100n,
      net: 49_900n,
      nativeFee: 0n,
      balanceAfter: 50_000n,
      warnings: [],
    })
  })

  it('tells the gross amount for a wished net amount', async () => {
    expect((await prepare({})).grossForNet(49_900n)).toBe(50_000n)
    const percent = await prepare({ tokenId: custom }, { fee: { fee_type: 1, fee_value: 100, fee_min: 20 } })
    const gross = percent.grossForNet(1_000_000n)
    const again = await prepare(
      { tokenId: custom, amount: gross },
      { fee: { fee_type: 1, fee_value: 100, fee_min: 20 } },
    )
    expect(again.net).toBe(1_000_000n)
  })

  it('warns of what the network would reject', async () => {
    expect(await kinds({ amount: toAmount(100_001n) })).toContain('balanceTooLow')
    expect(await kinds({ amount: toAmount(99n) })).toContain('feeExceedsAmount')
    const inNative: World = { fee: { fee_type: 2, fee_value: 300, fee_min: null }, balances: { 'ab 0': 299 } }
    expect(await kinds({ tokenId: custom }, inNative)).toStrictEqual(['nativeBalanceTooLow'])
    expect(await kinds({ tokenId: custom }, { balances: { 'ef 0': 99 } })).toStrictEqual([
      'ownerCannotPayFee',
    ])
  })

  it('warns of what is allowed and seldom meant', async () => {
    expect(await kinds({ amount: toAmount(100n) })).toStrictEqual(['nothingArrives'])
    expect(await kinds({ amount: toAmount(9_000n) })).toStrictEqual(['highFee'])
    expect(await kinds({ to: from })).toStrictEqual(['sentToSelf'])
    expect(await kinds({ amount: toAmount(99_600n) })).toStrictEqual(['stakeBelowMinimum'])
  })

  it('takes the fee of fee type 2 from the native balance, not from the amount', async () => {
    const world: World = { fee: { fee_type: 2, fee_value: 300, fee_min: null } }
    expect(await prepare({ tokenId: custom }, world)).toMatchObject({
      fee: 0n,
      net: 50_000n,
      nativeFee: 300n,
    })
  })

  it('refuses a token that the network does not know', async () => {
    const unknown = parseTokenId('d'.repeat(64))
    await expect(prepare({ tokenId: unknown })).rejects.toMatchObject({
      code: 'TOKEN_UNKNOWN',
      facts: { tokenId: unknown },
    })
  })
})
