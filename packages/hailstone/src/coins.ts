import type { Client } from '@hailstone/client'
import type { MiningSnapshot } from '@hailstone/mining-node'
import { amountText, formatAmount, type TokenId } from '@hailstone/protocol'

/** Decimals and symbol that amounts are printed with. */
type Denomination = { readonly decimals: number; readonly symbol?: string | undefined }

/** Writes units as an amount in coins with its symbol. */
export const coinsText = (units: bigint, { decimals, symbol = '' }: Denomination): string =>
  `${formatAmount(units, { decimals })} ${symbol}`.trimEnd()

/** Writes units for a view or a report: grouped, and cut after six digits. */
export const shortCoins = (units: bigint, { decimals, symbol = '' }: Denomination): string =>
  `${amountText(units, { language: 'en', decimals })} ${symbol}`.trimEnd()

/** Writes units of a token of which nothing is known: nobody can say how many coins they are. */
const unitsText = (units: bigint): string => `${units} units of an unknown token`

/** Asks the network about a token and returns what writes its units as coins. */
export async function coinsOf(client: Client, tokenId: TokenId | null): Promise<(units: bigint) => string> {
  const token = tokenId === null ? undefined : await client.getToken({ tokenId })
  return token === undefined ? unitsText : (units) => coinsText(units, token)
}

/** Returns the denomination that a miner's snapshot has: from the balance, or from the requirements for miners. */
function denominationIn(snapshot: MiningSnapshot, tokenId: TokenId | null): Denomination | null {
  if (tokenId !== snapshot.tokenId) return null
  const { balance, stakes } = snapshot
  return balance?.isKnown === true ? balance : (stakes?.token ?? null)
}

/** Writes units as coins, for a view or a report, with what a node knows at this moment. */
export function coinsIn(snapshot: MiningSnapshot, units: bigint, tokenId: TokenId | null): string {
  const denomination = denominationIn(snapshot, tokenId)
  return denomination === null ? unitsText(units) : shortCoins(units, denomination)
}
