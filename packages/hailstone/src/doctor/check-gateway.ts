import { probeGateway } from '@hailstone/mining-node/health'
import { type Finding, failure, ok, skipped, warning } from './finding.ts'
import type { Patient } from './patient.ts'

/**
 * Opens a socket to each gateway and closes it again. It does not introduce itself: a gateway keeps one session for
 * each key, and a miner that runs would lose its own.
 */
export async function checkGateways({ chosen }: Patient): Promise<Finding> {
  const check = 'gateway'
  const { gatewayUrls } = chosen
  if (gatewayUrls.length === 0) return skipped(check, 'No gateway was named.')
  const faults = await Promise.all(gatewayUrls.map(async (url) => ({ url, fault: await probeGateway(url) })))
  const broken = faults.filter(({ fault }) => fault !== null)
  const what = broken.map(({ url, fault }) => `${url}: ${fault}`).join('; ')
  if (broken.length === gatewayUrls.length) {
    return failure({ check, exit: 'gatewayUnreachable', what: `No gateway can be reached. ${what}.` })
  }
  if (broken.length > 0)
    return warning({ check, exit: 'gatewayUnreachable', what: `Not every gateway can be reached. ${what}.` })
  return ok(check, `${gatewayUrls.join(', ')} takes connections.`)
}
