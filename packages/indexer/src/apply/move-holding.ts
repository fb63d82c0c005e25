import type { BlockState } from './block-state.ts'
import { EMPTY_BAND, stakeBand } from './stake-band.ts'

type Bands = Pick<BlockState, 'rows' | 'tokens'>

/** Adds units to a balance; the row is created if needed, also by zero units. */
export function moveHolding(state: Bands, token: number, account: number, units: bigint): void {
  const { rows } = state
  const before = rows.get('holding', token, account)
  const amount = (before?.amount ?? 0n) + units
  if (before?.amount === amount) return
  rows.put('holding', { token, account, amount })
  const minimum = state.tokens.get(token)?.mining?.minimumStake
  if (minimum === undefined) return
  const miner = rows.get('miner', token, account)
  const isMiner = miner !== undefined ? 1 : 0
  if (miner !== undefined && miner.is_below !== amount < minimum)
    rows.put('miner', { ...miner, is_below: amount < minimum })
  const from = before === undefined ? undefined : stakeBand(before.amount, minimum)
  const to = stakeBand(amount, minimum)
  if (from === to) return
  if (from !== undefined) changeBand(state, token, from, { holders: -1, miners: -isMiner })
  else if (isMiner === 1) changeBand(state, token, EMPTY_BAND, { holders: 0, miners: -1 })
  changeBand(state, token, to, { holders: 1, miners: isMiner })
}

/** Counts an account that has mined for the first time. */
export function addMinerToBand(state: Bands, token: number, account: number): void {
  const minimum = state.tokens.get(token)?.mining?.minimumStake
  if (minimum === undefined) return
  const held = state.rows.get('holding', token, account)?.amount ?? 0n
  changeBand(state, token, stakeBand(held, minimum), { holders: 0, miners: 1 })
}

function changeBand(
  { rows }: Bands,
  token: number,
  band: number,
  change: { readonly holders: number; readonly miners: number },
): void {
  const { holders, miners } = rows.get('stake_band', token, band) ?? { holders: 0, miners: 0 }
  rows.put('stake_band', {
    token,
    band,
    holders: holders + change.holders,
    miners: miners + change.miners,
  })
}
