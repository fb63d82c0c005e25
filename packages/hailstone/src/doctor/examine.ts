import type { Client } from '@hailstone/client'
import { isNodeError, reportError, type TokenId } from '@hailstone/protocol'
import { type ExitName, exitOf, exits } from '../exit-codes.ts'
import { checkEarnings, checkMiner } from './check-earnings.ts'
import { checkGateways } from './check-gateway.ts'
import { checkApi, checkChain, checkClock, checkLeaders } from './check-network.ts'
import { checkAgent, checkOwner, checkStake, checkToken, stakeFacts } from './check-stake.ts'
import { type Finding, failure, skipped } from './finding.ts'
import type { Patient } from './patient.ts'

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

/** Why is nothing earned? Every check in the order in which its trouble would stop the next; each as it is done. */
export async function* examine(patient: Patient): AsyncGenerator<Finding> {
  const api = await guarded('api', () => checkApi(patient))
  yield api
  const { client } = patient
  const isApiUp = client !== null && api.verdict === 'ok'
  if (isApiUp) {
    yield await guarded('network', () => checkChain(patient))
    yield await guarded('clock', () => checkClock(patient))
  }
  yield await guarded('gateway', () => checkGateways(patient))
  yield checkLeaders(patient)
  if (isApiUp) yield* examineAccount(patient, client)
  else yield skipped('account', 'Token, stake, agent and rewards can be looked at once the API answers.')
  yield await checkMiner(patient)
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

async function* examineAccount(patient: Patient, client: Client): AsyncGenerator<Finding> {
  const { address, signal } = patient
  try {
    const tokenId: TokenId = patient.tokenId ?? (await nativeToken(client, signal))
    const facts = await stakeFacts(patient, client, tokenId)
    yield checkToken(facts, tokenId)
    if (facts.token !== null) {
      const balance = address === undefined ? null : await client.getBalance({ address, tokenId, signal })
      yield checkStake(facts.token, balance)
      yield await checkOwner(client, tokenId, patient)
      yield checkAgent(facts.token, facts.agent)
    }
    yield await checkEarnings(patient)
  } catch (error) {
    if (!isNodeError(error)) throw error
    yield failure({ check: 'account', exit: nameOf(error), what: error.message })
  }
}
