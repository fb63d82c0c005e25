import type { Client, Wallet } from '@hailstone/client'
import { createMiningNode, type MiningNode, type MiningSnapshot } from '@hailstone/mining-node'
import { payoutReadings } from '@hailstone/mining-node/amounts'
import {
  type HealthSource,
  type HealthWatch,
  metricsText,
  nodeMetrics,
  watchNodeHealth,
} from '@hailstone/mining-node/health'
import { RUNNING, systemFaultOf } from '@hailstone/runtime/node'
import { assertGateway, type ChosenNetwork, chosenNetwork, clientOf } from './chosen-network.ts'
import type { Given } from './command-line.ts'
import type { LoadedConfig } from './config/load-config.ts'
import { reloadOnHangup } from './config/reload-on-hangup.ts'
import { dataFolder, folderIn } from './data-folder.ts'
import { type Exit, exitOfStop, exits } from './exit-codes.ts'
import { healthSettings, servedHealth } from './health-options.ts'
import { lockKey } from './miner-record.ts'
import { parseDuration, parseWord } from './option-values.ts'
import { outputMetrics } from './output-metrics.ts'
import { payoutOptions } from './payout/payout-options.ts'
import { preparePayouts } from './payout/prepare-payouts.ts'
import type { PayoutAccount } from './payout/watch-payouts.ts'
import { showMining } from './show-mining.ts'
import { watchSignals } from './signals.ts'
import { lostLines, type Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'
import { walletOfOptions } from './wallet-of-options.ts'
import { warnOfOpenGateways } from './warn-of-open-gateways.ts'
import { openWebhooks, type Webhooks, webhookMetrics } from './webhook/open-webhooks.ts'
import { reportMining } from './webhook/report-mining.ts'
import { withEndings } from './with-endings.ts'

type MineSettings = {
  readonly blockTimeMs: number
  readonly onDuplicateKey: 'stop' | 'wait'
  readonly requireLeaderSignature: boolean
}

const BLOCK_TIME = '15s'
/** Time for the last webhooks; what is left is delivered by the next process. */
export const LAST_DELIVERIES_MS = 1_000

/** The settings of whoever mines, one key or many. */
export function mineSettings(given: {
  readonly blockTime?: string | undefined
  readonly onDuplicateKey?: string | undefined
  readonly leader?: string | undefined
}): MineSettings {
  return {
    blockTimeMs: parseDuration('--block-time', given.blockTime ?? BLOCK_TIME),
    onDuplicateKey: parseWord('--on-duplicate-key', given.onDuplicateKey ?? 'wait', ['stop', 'wait']),
    requireLeaderSignature: given.leader === 'require',
  }
}

/** @throws {UsageError} when nobody can say which token is mined */
export function assertTokenKnown(
  { token }: { readonly token?: string | undefined },
  { network, apiUrls }: ChosenNetwork,
): void {
  if (token !== undefined || network !== undefined || apiUrls.length > 0) return
  throw new UsageError(
    'Without an API nobody says which token is native: name it with --token, or give --api.',
  )
}

/** Mines until a signal comes or the session ends for good. */
export async function mine(loaded: LoadedConfig<Given<'mine'>>, terminal: Terminal): Promise<Exit> {
  const { given } = loaded
  const settings = mineSettings(given)
  const options = payoutOptions(given)
  const chosen = chosenNetwork(given, terminal)
  warnOfOpenGateways([...chosen.gatewayUrls, ...chosen.bootNodeUrls], terminal)
  assertGateway(chosen)
  assertTokenKnown(given, chosen)
  const healthAt = await healthSettings(given, terminal)
  const wallet = await walletOfOptions(given, terminal)
  return withEndings(async (atEnd) => {
    const interruption = watchSignals()
    atEnd(interruption.release)
    const folder = await folderIn(dataFolder(given, terminal), RUNNING)
    const lock = await lockKey(folder, wallet.address)
    atEnd(lock.release)
    const client = chosen.apiUrls.length === 0 ? undefined : clientOf(chosen)
    if (client !== undefined) atEnd(client.close)
    const { address } = wallet
    const payouts = { options, given, wallets: [wallet], client, terminal }
    const startPayouts = await preparePayouts(payouts)
    const { webhook: target } = loaded
    const isOnScreen = terminal.manner === 'live'
    const webhooks =
      target() === null ? null : await openWebhooks({ owner: address, given, terminal, target, isOnScreen })
    if (webhooks !== null) atEnd(webhooks.delivery.stop)
    const node = nodeOf({ given, wallet, chosen, settings, client })
    atEnd(node.stop)
    const health = watchNodeHealth({ node, windowMs: settings.blockTimeMs })
    const reports = webhooks && (await reportMining({ ...webhooks, node, health, client, address }))
    const served = await servedHealth(sourceOf({ node, health, webhooks }), healthAt, atEnd)
    if (served !== null)
      await lock.announce(served.statusUrl).catch((error: unknown) => {
        terminal.warn(
          `\`hailstone status\` does not find this miner. ${systemFaultOf(error) ?? String(error)}`,
        )
      })
    const shown = showMining({ node, health, terminal, served, webhooks })
    atEnd(shown.stop)
    const { warn } = shown
    if (startPayouts !== null) {
      const say = terminal.manner === 'live' ? warn : terminal.say
      const readOf = () => payoutFactsOf(node.snapshot())
      atEnd(startPayouts({ blockTimeMs: settings.blockTimeMs, say, readOf }).stop)
    }
    const onTaken = webhooks?.delivery.wake
    atEnd(reloadOnHangup({ loaded, health: healthAt, terminal: { ...terminal, warn }, onTaken }))
    const ended = new Promise<Exit>((resolve) => {
      node.on('stopped', ({ reason }) => resolve(exits[exitOfStop[reason]]))
    })
    await node.start()
    const exit = await Promise.race([ended, interruption.happened.then(() => exits.ok)])
    await node.stop()
    await reports?.stop()
    await webhooks?.delivery.flush(LAST_DELIVERIES_MS)
    return exit
  })
}

/** Selects what a payout needs from what the miner has read; null until the token is known. */
function payoutFactsOf(snapshot: MiningSnapshot): ReturnType<PayoutAccount['read']> {
  const { tokenId, stakes } = snapshot
  const coin = stakes?.token ?? null
  return coin && { tokenId, coin, readings: payoutReadings(snapshot) }
}

function nodeOf(parameters: {
  readonly given: Given<'mine'>
  readonly wallet: Wallet
  readonly chosen: ReturnType<typeof chosenNetwork>
  readonly settings: MineSettings
  readonly client: Client | undefined
}): MiningNode {
  const { given, wallet, chosen, settings, client } = parameters
  const { gatewayUrls, bootNodeUrls, network, requireEncryption } = chosen
  const { blockTimeMs, onDuplicateKey, requireLeaderSignature } = settings
  const { token: tokenId, agent: referralAgent } = given
  return createMiningNode({
    wallet,
    client,
    network,
    gatewayUrls,
    bootNodeUrls,
    requireEncryption,
    blockTimeMs,
    onDuplicateKey,
    requireLeaderSignature,
    tokenId,
    referralAgent,
    mineBelowStake: given.mineBelowStake === true,
  })
}

const sourceOf = ({
  node,
  health,
  webhooks,
}: {
  readonly node: MiningNode
  readonly health: HealthWatch
  readonly webhooks: Webhooks | null
}): HealthSource => ({
  health: health.read,
  status: () => ({
    processId: process.pid,
    uptimeMs: Math.round(health.uptimeMs()),
    health: health.read(),
    ...node.snapshot(),
    lostLines: lostLines().lines,
    ...(webhooks === null ? {} : { webhooks: webhooks.report() }),
  }),
  metrics: () => {
    const [snapshot, uptimeMs] = [node.snapshot(), health.uptimeMs()]
    const ofNode = nodeMetrics({ snapshot, health: health.read(), uptimeMs })
    return metricsText([
      ...ofNode,
      ...(webhooks === null ? [] : webhookMetrics(webhooks.delivery)),
      ...outputMetrics(),
    ])
  },
})
