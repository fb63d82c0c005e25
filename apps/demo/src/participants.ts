import { type Client, createClient } from '@hailstone/client'
import type { LocalNetwork } from '@hailstone/local-network'
import {
  createMiningNode,
  formatAmount,
  type MiningNode,
  type MiningSnapshot,
  type Reward,
  walletFromPrivateKey,
} from '@hailstone/mining-node'
import type { ParticipantView } from './view.ts'

/** A miner of the demo, over real HTTP and a real socket like any other. */
export type Participant = {
  readonly name: 'Agent' | 'Miner'
  readonly node: MiningNode
}

export type Participants = {
  readonly agent: Participant
  readonly miner: Participant
  /** Asked by both; whoever made it closes it, after both have stopped. */
  readonly client: Client
}

/** An agent with enough stake to be one, and a miner that names it by its referral code. */
export function createParticipants(parameters: {
  readonly network: LocalNetwork
  readonly blockTimeMs: number
}): Participants {
  const { network, blockTimeMs } = parameters
  const [agentAccount, minerAccount] = network.accounts.developers
  if (agentAccount === undefined || minerAccount === undefined)
    throw new Error('The network has no developers.')
  const { apiUrl, gatewayUrl } = network
  const agentWallet = walletFromPrivateKey(agentAccount.privateKey)
  const minerWallet = walletFromPrivateKey(minerAccount.privateKey)
  const client = createClient({ apiUrl })
  const shared = { client, gatewayUrl, blockTimeMs }
  const { referralCode: referralAgent } = agentWallet
  return {
    client,
    agent: { name: 'Agent', node: createMiningNode({ ...shared, wallet: agentWallet }) },
    miner: { name: 'Miner', node: createMiningNode({ ...shared, wallet: minerWallet, referralAgent }) },
  }
}

const nativeTotal = ({ rewards, tokenId }: MiningSnapshot) =>
  rewards.find((total) => total.tokenId === tokenId)

/** Returns the part of a participant's state that the screen shows. */
export function viewOf({ name, node }: Participant): ParticipantView {
  const snapshot = node.snapshot()
  const total = nativeTotal(snapshot)
  return {
    name,
    address: snapshot.address,
    status: snapshot.state.status,
    why: snapshot.state.why,
    signed: snapshot.publications.published,
    included: snapshot.publications.included,
    balance: snapshot.balance?.amount ?? null,
    rewards: total?.own ?? 0n,
    referralRewards: total?.referral ?? 0n,
  }
}

const short = (hash: string): string => `${hash.slice(0, 12)}…`

/**
 * Returns the part of the sentence about a referral reward that says what it was paid for.
 *
 * @param nameOf name of a participant by its address; undefined for accounts that are not of the demo
 */
export function referralReason(
  { role, miner }: Pick<Reward, 'role' | 'miner'>,
  nameOf: (address: string) => string | undefined,
): string {
  if (role === 'agent') return `for inviting ${miner === null ? 'a miner' : (nameOf(miner) ?? short(miner))}`
  return role === 'referral' ? "for joining with Agent's code" : 'as the owner of the token'
}

/** One sentence for each thing that happens to a participant. */
export function narrate(parameters: {
  readonly participant: Participant
  /** Name of a participant by its address. */
  readonly nameOf: (address: string) => string | undefined
  readonly symbol: string
  readonly decimals: number
  readonly note: (line: string) => void
}): void {
  const { participant, nameOf, symbol, decimals, note } = parameters
  const { name, node } = participant
  const coins = ({ amount }: Reward): string => `${formatAmount(amount, { decimals })} ${symbol}`
  const place = ({ height }: Reward): string => `in block ${height ?? 'unknown'}`
  node.on('connected', () => note(`${name} connected to the gateway`))
  node.on('published', ({ microblockHash }) => note(`${name} signed microblock ${short(microblockHash)}`))
  node.on('included', ({ microblockHash, height }) =>
    note(`${name}: microblock ${short(microblockHash)} is in block ${height}`),
  )
  node.on('rewarded', (reward) => note(`${name} earned ${coins(reward)} ${place(reward)}`))
  node.on('referralRewarded', (reward) =>
    note(`${name} earned ${coins(reward)} ${referralReason(reward, nameOf)} ${place(reward)}`),
  )
  node.on('beaconRefused', ({ why }) => note(`${name} did not sign a beacon: ${why}`))
  node.on('disconnected', ({ why }) => note(`${name} lost the gateway: ${why}`))
  node.on('stopped', ({ reason, why }) => note(`${name} stopped${reason === 'requested' ? '' : `: ${why}`}`))
  node.on('failed', ({ error }) => note(`${name}: ${error.message}`))
}
