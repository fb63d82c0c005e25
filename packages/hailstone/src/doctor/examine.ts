import type { Client } from '@hailstone/client'
import { isNodeError, reportError, type TokenId } from '@hailstone/protocol'
import { type ExitName, exitOf, exits } from '../exit-codes.ts'
import { checkEarnings, checkMiner, checkSeen } from './check-earnings.ts'
import { checkGateways } from './check-gateway.ts'
import { checkApi, checkChain, checkClock, checkLeaders } from './check-network.ts'
import { checkAgent, checkOwner, checkStake, checkStakes, checkToken, stakeFacts } from './check-stake.ts'
import type { DoctorContext } from './doctor-context.ts'
import { type Finding, failure, skipped } from './finding.ts'

/** Runs a check; what it throws is its finding. */
async function guarded(check: string, run: () => Promise<Finding>): Promise<Finding> {
  try {
    return await run()
  } catch (error) {
    if (!isNodeError(error)) throw error
    return failure({ check, exit: nameOf(error), what: error.message })
  }
}

const nameOf = (error: unknown): ExitName =>
  (Object.keys(exits) as ExitName[]).find((name) => exits[name] === exitOf(error)) ?? 'unexpected'

/**
 * Runs every check, in the order in which a failure of one would break the next, and yields each finding when it is
 * done.
 */
export async function* examine(context: DoctorContext): AsyncGenerator<Finding> {
  const api = await guarded('api', () => checkApi(context))
  yield api
  const { client } = context
  const isApiUp = client !== null && api.verdict === 'ok'
  if (isApiUp) {
    yield await guarded('network', () => checkChain(context))
    yield await guarded('clock', () => checkClock(context))
  }
  yield await guarded('gateway', () => checkGateways(context))
  yield await guarded('leaders', () => checkLeaders(isApiUp ? context : { ...context, client: null }))
  if (isApiUp) yield* examineAccount(context, client)
  else yield skipped('account', 'Token, stake, agent and rewards can be looked at once the API answers.')
  if (isApiUp) yield await guarded('seen', () => checkSeen(context))
  yield await checkMiner(context)
}

/** A miner waits until the API says it, too. */
async function nativeToken(client: Client, signal: AbortSignal): Promise<TokenId> {
  try {
    return await client.getNativeTokenId({ signal })
  } catch (error) {
    if (isNodeError(error)) throw reportError('NATIVE_TOKEN_UNKNOWN', { reason: error.message })
    throw error
  }
}

async function* examineAccount(context: DoctorContext, client: Client): AsyncGenerator<Finding> {
  const { address, signal } = context
  try {
    const tokenId: TokenId = context.tokenId ?? (await nativeToken(client, signal))
    const facts = await stakeFacts(context, client, tokenId)
    yield checkToken(facts, tokenId)
    if (facts.token !== null) {
      if (context.fleet !== undefined) yield await checkStakes(context, client, facts.token, tokenId)
      else {
        const balance = address === undefined ? null : await client.getBalance({ address, tokenId, signal })
        yield checkStake(facts.token, balance)
      }
      yield await checkOwner(client, tokenId, context)
      yield checkAgent(facts.token, facts.agent)
    }
    yield await checkEarnings(context)
  } catch (error) {
    if (!isNodeError(error)) throw error
    yield failure({ check: 'account', exit: nameOf(error), what: error.message })
  }
}
