import type { Balance, Client } from '@hailstone/client'
import { readStakeFacts, type StakeFacts } from '@hailstone/mining-node/health'
import { type Address, formatAmount, type TokenId } from '@hailstone/protocol'
import { askAgain } from '../ask-again.ts'
import type { DoctorContext } from './doctor-context.ts'
import { type Finding, failure, ok, unchecked, warning } from './finding.ts'

export type KnownToken = NonNullable<StakeFacts['token']>

const coins = ({ symbol, decimals }: Pick<KnownToken, 'symbol' | 'decimals'>, units: bigint): string =>
  `${formatAmount(units, { decimals })} ${symbol}`

/** Reads the network's requirements for miners of this token. That it knows no such token is asked again. */
export async function stakeFacts(
  { referralAgent, signal }: DoctorContext,
  client: Client,
  tokenId: TokenId,
): Promise<StakeFacts> {
  const read = () => readStakeFacts(client, { tokenId, referralAgent }, signal)
  const known = await askAgain(() => read().then((facts) => (facts.token === null ? undefined : facts)))
  return known ?? read()
}

export function checkToken({ token }: StakeFacts, tokenId: TokenId): Finding {
  const check = 'token'
  if (token === null)
    return failure({ check, exit: 'tokenUnknown', what: `The network knows no token ${tokenId}.` })
  if (!token.isMineable)
    return failure({ check, exit: 'tokenNotMineable', what: `${token.symbol} cannot be mined.` })
  return ok(check, `${token.symbol} can be mined; the least stake is ${coins(token, token.minimumStake)}.`)
}

/** Checks that the balance reaches the minimum stake. Coins at a stake pool do not count (PROTOCOL 5.8). */
export function checkStake(token: KnownToken, balance: Balance | null): Finding {
  const check = 'stake'
  if (balance === null)
    return unchecked({
      check,
      exit: 'configuration',
      what: 'No account was named, so its stake was not looked at.',
      nextStep: 'Give --address, or the key.',
    })
  const stake = coins(token, balance.amount)
  if (balance.amount >= token.minimumStake) return ok(check, `The balance of ${stake} counts as stake.`)
  const missing = coins(token, token.minimumStake - balance.amount)
  const elsewhere = balance.delegated > 0n ? ' Coins at a stake pool do not count.' : ''
  return failure({
    check,
    exit: 'stakeTooLow',
    what: `The balance of ${stake} is below the least stake of ${coins(token, token.minimumStake)}.${elsewhere}`,
    nextStep: `Top up ${missing}; it stays yours.`,
  })
}

/** Addresses that a finding lists. */
const LISTED = 3
/** Balances that are read at a time. */
const READ_AT_ONCE = 8

/**
 * Like {@link checkStake}, for every account of a fleet. If only some are below the minimum, the others keep mining.
 */
export async function checkStakes(
  { fleet = [], signal }: DoctorContext,
  client: Client,
  token: KnownToken,
  tokenId: TokenId,
): Promise<Finding> {
  const check = 'stake'
  if (fleet.length === 0) return unchecked({ check, exit: 'key', what: 'The file holds no key.' })
  const low = new Set<Address>()
  const waiting = fleet.values()
  const readOn = async (): Promise<void> => {
    for (const address of waiting) {
      const { amount } = await client.getBalance({ address, tokenId, signal })
      if (amount < token.minimumStake) low.add(address)
    }
  }
  await Promise.all(Array.from({ length: READ_AT_ONCE }, readOn))
  const least = coins(token, token.minimumStake)
  if (low.size === 0) return ok(check, `Each of ${fleet.length} accounts holds at least ${least}.`)
  const listed = fleet.filter((address) => low.has(address)).slice(0, LISTED)
  const more = low.size > LISTED ? ` and ${low.size - LISTED} more` : ''
  return (low.size === fleet.length ? failure : warning)({
    check,
    exit: 'stakeTooLow',
    what: `${low.size} of ${fleet.length} accounts hold less than the least stake of ${least}: ${listed.join(', ')}${more}.`,
    nextStep: 'Top them up; it stays yours.',
  })
}

/** The owner of a custom token pays the native fee of every transfer of it (PROTOCOL 2.9). */
export async function checkOwner(
  client: Client,
  tokenId: TokenId,
  { signal }: DoctorContext,
): Promise<Finding> {
  const check = 'owner'
  const [native, token] = await Promise.all([
    client.getNativeToken({ signal }),
    client.getToken({ tokenId, signal }),
  ])
  if (native === undefined || token === undefined)
    return unchecked({ check, exit: 'apiUnreachable', what: 'The API does not show the tokens.' })
  if (native.id === token.id) return ok(check, 'The native token needs no owner that pays.')
  const { amount } = await client.getBalance({ address: token.owner, tokenId: native.id, signal })
  const has = coins(native, amount)
  if (amount >= native.feeValue)
    return ok(check, `The owner of ${token.symbol} holds ${has} to pay fees with.`)
  return failure({
    check,
    exit: 'ownerWithoutCoins',
    what: `The owner of ${token.symbol} holds ${has}; each transfer costs it ${coins(native, native.feeValue)}, so none is executed.`,
  })
}

/** The three cases of PROTOCOL 6.4. */
export function checkAgent(token: KnownToken, agent: StakeFacts['agent']): Finding {
  const check = 'agent'
  if (agent === null) return ok(check, 'No referral agent was named; mining needs none.')
  if (!agent.isKnown) {
    const what = `The agent never held ${token.symbol}: neither of you gets a referral reward.`
    return failure({ check, exit: 'agentUnqualified', what })
  }
  const { referrerStake } = token
  if (referrerStake === null || agent.amount >= referrerStake) {
    return ok(check, `The agent holds ${coins(token, agent.amount)} and gets its share.`)
  }
  const what = `The agent holds ${coins(token, agent.amount)}, less than ${coins(token, referrerStake)}: you get your share, the agent does not.`
  return warning({ check, exit: 'agentUnqualified', what })
}
