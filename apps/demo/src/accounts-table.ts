import { formatAmount } from '@hailstone/mining-node'

export type ShownAccount = {
  readonly name: string
  readonly address: string
  readonly privateKey: string
  /** Native units. */
  readonly balance: bigint
  /** Participant of the demo that mines with this account; null for an account that nobody mines with. */
  readonly usedBy: string | null
}

/** The funded accounts with their keys, to be pasted into the sample app or a script. */
export function accountsTable(parameters: {
  readonly accounts: readonly ShownAccount[]
  readonly symbol: string
  readonly decimals: number
}): string {
  const { accounts, symbol, decimals } = parameters
  const lines = accounts.flatMap(({ name, address, privateKey, balance, usedBy }) => [
    `  ${name}  ${formatAmount(balance, { decimals })} ${symbol}${usedBy === null ? '' : `  (${usedBy})`}`,
    `    address ${address}`,
    `    key     ${privateKey}`,
  ])
  return [
    'Funded development accounts. Everybody knows these keys: never use them on a public network.',
    ...lines,
    'Mine with one that nobody uses here: two devices with one key push each other out.',
  ].join('\n')
}
