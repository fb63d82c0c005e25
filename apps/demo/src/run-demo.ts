import { once } from 'node:events'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { formatAmount, type Reward } from '@hailstone/mining-node'
import { type FirstRewards, firstRewards } from './first-rewards.ts'
import type { DemoOptions } from './options.ts'
import { createParticipants, narrate, type Participant, viewOf } from './participants.ts'
import { createScreen } from './screen.ts'
import { serveApp } from './serve-app.ts'
import { serveSample } from './serve-sample.ts'
import { timedStep } from './timed-step.ts'
import type { DemoView } from './view.ts'

const symbol = 'DEV'
const decimals = 10

/** Whoever asks first ends the demo: a signal, or the rewards when they were asked for. */
const untilSignal = (): Promise<'signal'> =>
  Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]).then(() => 'signal' as const)

/** Stops what was started, the last first, however far the start came. */
async function stopAll(stops: readonly (() => Promise<void>)[]): Promise<void> {
  for (const stop of [...stops].reverse()) await stop()
}

/** The sample app looks for the usual ports by itself. */
function sampleUrlOf(url: string, { apiUrl, gatewayUrl }: LocalNetwork): string {
  if (new URL(apiUrl).port === '4410' && new URL(gatewayUrl).port === '4411') return url
  return `${url}?api=${encodeURIComponent(apiUrl)}&gateway=${encodeURIComponent(gatewayUrl)}`
}

/** Runs network, agent, miner and sample app until a signal or the rewards; gives the exit code. */
export async function runDemo(options: DemoOptions): Promise<number> {
  const stops: (() => Promise<void>)[] = []
  try {
    const { blockTimeMs, apiPort, gatewayPort, dataDirectory, reset, seed } = options
    const network = await timedStep('starting the network', () =>
      startLocalNetwork({ blockTimeMs, apiPort, gatewayPort, dataDirectory, reset, seed }),
    )
    stops.push(network.stop)
    const sample = await serveSample({ port: options.samplePort })
    stops.push(sample.stop)
    const app = await serveApp({ network, options })
    stops.push(app.stop)
    const participants = createParticipants({ network, blockTimeMs })
    const urls = [
      ['API', network.apiUrl],
      ['Reference', network.docsUrl],
      ['Gateway', network.gatewayUrl],
      ['Sample app', sampleUrlOf(sample.url, network)],
      ['Mining app', app.url],
    ] as const
    return await watchDemo({ network, participants, urls, options, stops })
  } finally {
    await stopAll(stops)
  }
}

async function watchDemo(parameters: {
  readonly network: LocalNetwork
  readonly participants: readonly Participant[]
  readonly urls: DemoView['urls']
  readonly options: DemoOptions
  readonly stops: (() => Promise<void>)[]
}): Promise<number> {
  const { network, participants, urls, options, stops } = parameters
  const { blockTimeMs, exitAfterReward, timeLimitMs } = options
  const log: string[] = []
  let lastBlockAtMs: number | null = null
  const read = (): DemoView => ({
    height: network.height(),
    blockTimeMs,
    blockAgeMs: lastBlockAtMs === null ? null : Date.now() - lastBlockAtMs,
    symbol,
    decimals,
    urls,
    participants: participants.map(viewOf),
    log,
  })
  network.on('macroblockClosed', () => {
    lastBlockAtMs = Date.now()
  })
  const startedAt = performance.now()
  const screen = createScreen(read, log)
  let isOver = false
  const note = (line: string): void => {
    if (!isOver) screen.note(line)
  }
  stops.push(async () => screen.stop())
  for (const participant of participants) narrate({ participant, symbol, decimals, note })
  const signal = untilSignal()
  const rewards = exitAfterReward ? waitForRewards(participants, timeLimitMs) : null
  for (const { node, client } of participants) {
    stops.push(() => client.close(), node.stop)
    await node.start()
  }
  const ending = await Promise.race(rewards === null ? [signal] : [signal, rewards])
  isOver = true
  if (ending === 'signal') return exitAfterReward ? 130 : 0
  screen.stop()
  console.log(`  ✓ mining to both rewards — ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  printRewards(ending)
  return 0
}

function waitForRewards(participants: readonly Participant[], timeLimitMs: number): Promise<FirstRewards> {
  const [agent, miner] = participants
  if (agent === undefined || miner === undefined) throw new Error('The demo needs an agent and a miner.')
  return firstRewards({ agent, miner, timeLimitMs })
}

function printRewards({ reward, referralReward }: FirstRewards): void {
  const line = ({ amount, height, blockHash }: Reward): string =>
    `${formatAmount(amount, { decimals })} ${symbol} in block ${height} for microblock ${blockHash}`
  console.log(`\nFirst reward of the miner:           ${line(reward)}`)
  console.log(`First referral reward of the agent:  ${line(referralReward)}`)
}
