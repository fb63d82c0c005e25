import type { ContentsEntry } from './page-data.ts'

/** Content of the form. */
export type Call = {
  /** Parameters by their name on the wire; empty ones are left out. */
  readonly values: Readonly<Record<string, string>>
  readonly body: string | undefined
}

const given = (values: Call['values']): readonly (readonly [string, string])[] =>
  Object.entries(values).filter(([, value]) => value !== '')

/** The address that is asked, with the parameters that were given. */
export function urlOf({ path }: ContentsEntry, { values }: Call): string {
  const query = given(values).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `${location.origin}${path}${query.length === 0 ? '' : `?${query.join('&')}`}`
}

/** A text in single quotes, as a POSIX shell reads it. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

export function curlOf(entry: ContentsEntry, call: Call): string {
  const url = quoted(urlOf(entry, call))
  if (entry.method === 'GET') return `curl ${url}`
  return `curl ${url} -H 'content-type: application/json' -d ${quoted(call.body ?? '{}')}`
}

/** Arguments of an action; each takes what its parameter says on the wire. */
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

const client = (apiUrl: string): string => `const client = createClient({ apiUrl: '${apiUrl}' })`

/** A single-quoted text cannot end early: values come from the form. */
const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')

function actionCode([name, parameters = {}]: Action, apiUrl: string, { values }: Call): string {
  const list = Object.entries(parameters).flatMap(([wireName, member]) => {
    const value = values[wireName] ?? ''
    return value === '' ? [] : [members[member](escaped(value))]
  })
  const parsers = ['parseAddress', 'parseHash', 'parseTokenId', 'toAmount'].filter((parser) =>
    list.some((text) => text.includes(`${parser}(`)),
  )
  return [
    importOf(['createClient'], '@hailstone/client'),
    ...(parsers.length === 0 ? [] : [importOf(parsers, '@hailstone/protocol')]),
    '',
    client(apiUrl),
    `console.log(await client.${name}(${list.length === 0 ? '' : `{ ${list.join(', ')} }`}))`,
    'await client.close()',
  ].join('\n')
}

function memberOf(body: string | undefined, pick: (value: never) => unknown): string {
  try {
    return String(pick(JSON.parse(body ?? '') as never))
  } catch {
    return ''
  }
}

/** The client signs by itself; the key of a development account stands in what the network printed. */
const payCode = (apiUrl: string, { body }: Call): string =>
  [
    importOf(['createClient', 'walletFromPrivateKey'], '@hailstone/client'),
    importOf(['parseAddress', 'parseAmount'], '@hailstone/protocol'),
    '',
    client(apiUrl),
    "const wallet = walletFromPrivateKey(process.env.KEY ?? '') // one that `hailstone-network` printed",
    `const to = parseAddress('${escaped(memberOf(body, ([one]: [{ to: string }]) => one.to))}')`,
    "const amount = parseAmount('1.1', { decimals: 10 }) // the fee inside",
    'const { hash } = await client.sendTransaction({ wallet, to, amount })',
    'console.log(await client.waitForTransaction({ hash }))',
    'await client.close()',
  ].join('\n')

const faucetCode = (apiUrl: string, { body }: Call): string =>
  [
    importOf(['createClient'], '@hailstone/client'),
    importOf(['parseAddress'], '@hailstone/protocol'),
    '',
    client(apiUrl),
    `const address = parseAddress('${escaped(memberOf(body, ({ pubkey }: { pubkey: string }) => pubkey))}')`,
    'console.log(await client.requestTestCoins({ address }))',
    'await client.close()',
  ].join('\n')

const posted = (body: string): string =>
  [
    ', {',
    "  method: 'POST',",
    "  headers: { 'content-type': 'application/json' },",
    `  body: '${escaped(body)}',`,
    '}',
  ].join('\n')

/** For what the client has no action for. */
function fetchCode(entry: ContentsEntry, call: Call, isText: boolean): string {
  const options = entry.method === 'GET' ? '' : posted(call.body ?? '{}')
  const request = `const response = await fetch('${escaped(urlOf(entry, call))}'${options})`
  if (isText) return [request, 'console.log(await response.text())'].join('\n')
  return [
    importOf(['parseJson'], '@hailstone/protocol'),
    '',
    request,
    'const text = await response.text()',
    '// Units can be larger than a double holds; parseJson keeps them as bigint. An empty body means "nothing".',
    "console.log(text === '' ? undefined : parseJson(text))",
  ].join('\n')
}

/** The call in TypeScript: the action of the client where there is one, else fetch. */
export function typeScriptOf(entry: ContentsEntry, call: Call, isText: boolean): string {
  const apiUrl = `${location.origin}/api/v1`
  if (entry.id === 'postTx') return payCode(apiUrl, call)
  if (entry.id === 'postFaucet') return faucetCode(apiUrl, call)
  const action = actions[entry.id]
  return action === undefined ? fetchCode(entry, call, isText) : actionCode(action, apiUrl, call)
}
