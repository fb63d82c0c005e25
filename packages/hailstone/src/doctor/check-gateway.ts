import { probeBootNode, probeGateway } from '@hailstone/mining-node/health'
import { plainText } from '@hailstone/protocol'
import { canParseUrl } from '@hailstone/runtime'
import type { ChosenNetwork } from '../chosen-network.ts'
import type { DoctorContext } from './doctor-context.ts'
import { type Finding, failure, ok, unchecked, warning } from './finding.ts'

type Place = { readonly isUp: boolean; readonly what: string }

/** Says why a miner would refuse an address, which a socket alone may still reach; null if it takes it. */
function refusalOf(url: string): Place | null {
  const { protocol = '', username = '', password = '' } = canParseUrl(url) ? new URL(url) : {}
  if (username + password !== '') return { isUp: false, what: 'An address with credentials is not used' }
  return /^wss?:$/.test(protocol)
    ? null
    : { isUp: false, what: `${plainText(url)} is no address of a gateway: that begins with ws:// or wss://` }
}

async function gatewayAt(url: string, name = url): Promise<Place> {
  const fault = await probeGateway(url)
  return fault === null
    ? { isUp: true, what: `${name} takes connections` }
    : { isUp: false, what: `${name} cannot be reached: ${fault}` }
}

async function bootNodeAt(url: string, { requireEncryption }: ChosenNetwork): Promise<Place> {
  const probe = await probeBootNode(url, { requireEncryption })
  if ('fault' in probe) return { isUp: false, what: `${url} (boot node): ${probe.fault}` }
  return gatewayAt(probe.gatewayUrl, `${url} (boot node) names ${probe.gatewayUrl}, which`)
}

/**
 * Opens a socket to each gateway and boot node, and to the gateways that are named there, and closes it within a second.
 * It does not introduce itself: a gateway keeps one session for each key, and a miner that runs would lose its own.
 */
export async function checkGateways({ chosen }: DoctorContext): Promise<Finding> {
  const check = 'gateway'
  const { gatewayUrls, bootNodeUrls } = chosen
  const places = await Promise.all([
    ...gatewayUrls.map((url) => refusalOf(url) ?? gatewayAt(url)),
    ...bootNodeUrls.map((url) => refusalOf(url) ?? bootNodeAt(url, chosen)),
  ])
  if (places.length === 0)
    return unchecked({
      check,
      exit: 'configuration',
      what: 'No gateway was named, so none was looked at.',
      nextStep: 'Name one with --gateway, or a network with --network.',
    })
  const broken = places.filter(({ isUp }) => !isUp)
  const list = (some: readonly Place[]): string => some.map(({ what }) => what).join('; ')
  if (broken.length === places.length) {
    const what = `No gateway can be reached. ${list(broken)}.`
    return failure({ check, exit: 'gatewayUnreachable', what })
  }
  if (broken.length > 0) {
    const what = `Not every gateway can be reached. ${list(broken)}.`
    return warning({ check, exit: 'gatewayUnreachable', what })
  }
  return ok(check, `${list(places)}.`)
}
