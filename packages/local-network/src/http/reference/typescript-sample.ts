import type { OpenApiDocument } from '@hailstone/protocol/reference'
import { API_PREFIX } from '../route.ts'
import type { OperationExample } from './chain-examples.ts'

/** Arguments of an action; each takes the text that its parameter has on the wire. */
const members = {
  address: (value: string) => `address: parseAddress('${value}')`,
  hash: (value: string) => `hash: parseHash('${value}')`,
  tokenId: (value: string) => `tokenId: parseTokenId('${value}')`,
  stake: (value: string) => `stake: toAmount(${value}n)`,
  height: (value: string) => `height: ${value}`,
  page: (value: string) => `page: ${value}`,
} as const

/** Action of the client, and which of its members takes which parameter. */
type Action = readonly [name: string, members?: Readonly<Record<string, keyof typeof members>>]

const ofAddress = { id: 'address' } as const
const ofHash = { hash: 'hash' } as const
const ofPage = { id: 'address', page: 'page' } as const

const actions: Readonly<Record<string, Action>> = {
  getHeight: ['getHeight'],
  getMacroblockByHeight: ['getMacroblock', { height: 'height' }],
  getMacroblock: ['getMacroblockByHash', ofHash],
  getMblock: ['getMicroblock', ofHash],
  getLastblocks: ['getLastBlocks'],
  getTx: ['getTransaction', ofHash],
  getPendingSize: ['getPoolSize'],
  getPendingTxHash: ['getPendingTransaction', ofHash],
  getBalance: ['getBalance', { id: 'address', token: 'tokenId' }],
  getBalanceAllUnfiltered: ['getHoldings', ofAddress],
  getAccountRewards: ['getRewards', ofPage],
  getAccountTransactions: ['getTransactions', ofPage],
  getAccountRefreward: ['getReferralRewards', ofPage],
  getAccountMreward: ['getMiningRewards', ofPage],
  getEindexByHash: ['getRecordsOfHash', ofHash],
  getStatAgentInfo: ['getAgentInfo', ofAddress],
  getTokenInfo: ['getToken', { hash: 'tokenId' }],
  getNativeToken: ['getNativeToken'],
  getGetTickersAll: ['getTokenNames'],
  getNetworkInfo: ['getNetworkInfo'],
  getStats: ['getStats'],
  getReferrerStake: ['getReferrerStake'],
  getGetStakeLimits: ['getStakeLimits'],
  getRoiByStake: ['getExpectedReturn', { stake: 'stake', hash: 'tokenId' }],
  getPoaNodesOnline: ['getMinersOnline'],
  getContractPricelist: ['getContractPrices'],
}

const importOf = (names: readonly string[], from: string): string =>
  `import { ${names.join(', ')} } from '${from}'`

/** A program with the client of this network; imports of the parsers that its lines use are added. */
function program(lines: readonly string[], apiUrl: string, others: readonly string[] = []): string {
  const parsers = ['parseAddress', 'parseAmount', 'parseHash', 'parseTokenId', 'toAmount'].filter((parser) =>
    lines.some((line) => line.includes(`${parser}(`)),
  )
  return [
    importOf(['createClient', ...others], '@hailstone/client'),
    ...(parsers.length === 0 ? [] : [importOf(parsers, '@hailstone/protocol')]),
    '',
    `const client = createClient({ apiUrl: '${apiUrl}' })`,
    ...lines,
    'await client.close()',
  ].join('\n')
}

function actionCode(
  [name, parameters = {}]: Action,
  values: OperationExample['values'],
  apiUrl: string,
): string {
  const list = Object.entries(parameters).flatMap(([wireName, member]) => {
    const value = values[wireName]
    return value === undefined ? [] : [members[member](value)]
  })
  const argument = list.length === 0 ? '' : `{ ${list.join(', ')} }`
  return program([`const answer = await client.${name}(${argument})`], apiUrl)
}

/** The client signs by itself; the key of a development account stands in what the network printed. */
const payCode = (body: string, apiUrl: string): string =>
  program(
    [
      "const wallet = walletFromPrivateKey(process.env.KEY ?? '') // one that `hailstone-network` printed",
      `const to = parseAddress('${(JSON.parse(body) as [{ to: string }])[0].to}')`,
      "const amount = parseAmount('1.1', { decimals: 10 }) // the fee inside",
      'const { hash } = await client.sendTransaction({ wallet, to, amount })',
      'const transaction = await client.waitForTransaction({ hash })',
    ],
    apiUrl,
    ['walletFromPrivateKey'],
  )

const faucetCode = (body: string, apiUrl: string): string =>
  program(
    [
      `const address = parseAddress('${(JSON.parse(body) as { pubkey: string }).pubkey}')`,
      'const answer = await client.requestTestCoins({ address })',
    ],
    apiUrl,
  )

/** For what the client has no action for. */
function fetchCode(url: URL, isPosted: boolean, body = '{}'): string {
  const text = body.replaceAll('\\', '\\\\').replaceAll("'", "\\'")
  const headers = "headers: { 'content-type': 'application/json' }"
  const options = isPosted ? `, {\n  method: 'POST',\n  ${headers},\n  body: '${text}',\n}` : ''
  return [
    importOf(['parseJson'], '@hailstone/protocol'),
    '',
    `const response = await fetch('${url}'${options})`,
    'const text = await response.text()',
    '// Units can be larger than a double holds; parseJson keeps them as bigint. An empty body means "nothing".',
    "const answer = text === '' ? undefined : parseJson(text)",
  ].join('\n')
}

export type SampleParameters = Pick<OperationExample, 'values' | 'body'> & {
  readonly operation: OpenApiDocument['paths'][string][string]
  /** With the parameters. */
  readonly url: URL
}

/** Returns the call in TypeScript: the action of the client where there is one, else fetch. */
export function typeScriptSample({ operation, url, values, body }: SampleParameters) {
  const { operationId, requestBody } = operation
  const apiUrl = `${url.origin}${API_PREFIX}`
  const action = actions[operationId]
  const code = (): string => {
    if (operationId === 'postTx' && body !== undefined) return payCode(body, apiUrl)
    if (operationId === 'postFaucet' && body !== undefined) return faucetCode(body, apiUrl)
    if (action !== undefined) return actionCode(action, values, apiUrl)
    return fetchCode(url, requestBody !== undefined, body)
  }
  return { lang: 'TypeScript', label: 'TypeScript', source: code() }
}
