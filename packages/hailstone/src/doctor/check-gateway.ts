import { probeGateway } from '@hailstone/mining-node/health'
import type { DoctorContext } from './doctor-context.ts'
import { type Finding, failure, ok, skipped, warning } from './finding.ts'

/**
 * Opens a socket to each gateway and boot node and closes it again. It does not introduce itself: a gateway keeps one session for
 * each key, and a miner that runs would lose its own.
 */
export async function checkGateways({ chosen }: DoctorContext): Promise<Finding> {
  const check = 'gateway'
  const { gatewayUrls, bootNodeUrls } = chosen
  const places = [
    ...gatewayUrls.map((url) => ({ url, isBootNode: false })),
    ...bootNodeUrls.map((url) => ({ url, isBootNode: true })),
  ]
  if (places.length === 0) return skipped(check, 'No gateway was named.')
  const faults = await Promise.all(
    places.map(async ({ url, isBootNode }) => ({ url, fault: await probeGateway(url, { isBootNode }) })),
  )
  const broken = faults.filter(({ fault }) => fault !== null)
  const what = broken.map(({ url, fault }) => `${url}: ${fault}`).join('; ')
  if (broken.length === places.length) {
    return failure({ check, exit: 'gatewayUnreachable', what: `No gateway can be reached. ${what}.` })
  }
  if (broken.length > 0)
    return warning({ check, exit: 'gatewayUnreachable', what: `Not every gateway can be reached. ${what}.` })
  return ok(check, `${places.map(({ url }) => url).join(', ')} takes connections.`)
}
