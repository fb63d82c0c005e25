import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { formatAmount, type Reward } from '@hailstone/mining-node'
import { accountsTable } from './accounts-table.ts'
import type { Ending } from './ending.ts'
import { type FirstRewards, firstRewards } from './first-rewards.ts'
import type { DemoOptions } from './options.mjs'
import { createParticipants, narrate, type Participants, viewOf } from './participants.ts'
import { createScreen, type Screen } from './screen.ts'
import { serveApp } from './serve-app.ts'
import { serveSample } from './serve-sample.ts'
import { type Trouble, tellTrouble } from './tell-trouble.ts'
import { timedStep } from './timed-step.ts'
import type { DemoView } from './view.ts'

const symbol = 'DEV'
const decimals = 10

/** 130 is that of a program that a signal kept from what it was asked for. */
const interruptedCode = ({ exitAfterReward }: DemoOptions): number => (exitAfterReward ? 130 : 0)

type Stops = (() => Promise<void>)[]

/** Stops what was started, the last first, however far the start came. */
async function stopAll(stops: Stops): Promise<void> {
  for (const stop of stops.reverse()) await stop()
}

/**
 * Runs network, agent, miner and sample app until somebody asks for the end, or until the rewards; gives the exit
 * code.
 *
 * @throws {NodeError} as `startLocalNetwork`
 */
export async function runDemo(options: DemoOptions, ending: Ending): Promise<number> {
  const stops: Stops = []
  try {
    const { blockTimeMs, apiPort, gatewayPort, dataDirectory, reset, seed } = options
    const trouble = tellTrouble()
    const { logger } = trouble
    const network = await timedStep('starting the network', () =>
      startLocalNetwork({ blockTimeMs, apiPort, gatewayPort, dataDirectory, reset, seed, logger }),
    )
    stops.push(network.stop)
    const sample = await serveSample({ port: options.samplePort, network })
    stops.push(sample.stop)
    const app = await serveApp({ network, options })
    stops.push(app.stop)
    if (ending.reason() !== null) return interruptedCode(options)
    const participants = createParticipants({ network, blockTimeMs })
    stops.push(participants.client.close)
    const accounts = tableOf(network, participants)
    console.log(`\n${accounts}\n`)
    const urls = [
      ['Explorer', new URL('/', network.apiUrl).href],
      ['API', network.apiUrl],
      ['Reference', network.docsUrl],
      ['Gateway', network.gatewayUrl],
      ['Sample app', sample.url],
      ['Mining app', app.url],
    ] as const
    return await mine({ network, trouble, participants, accounts, urls, options, ending, stops })
  } finally {
    await stopAll(stops)
  }
}

function tableOf(network: LocalNetwork, { agent, miner }: Participants): string {
  const accounts = network.accounts.developers.map((account) => ({
    ...account,
    balance: network.balance(account.address),
    usedBy: [agent, miner].find(({ node }) => node.address === account.address)?.name ?? null,
  }))
  return accountsTable({ accounts, symbol, decimals })
}

type Running = {
  readonly network: LocalNetwork
  readonly trouble: Trouble
  readonly participants: Participants
  /** Table of the funded accounts with their keys. */
  readonly accounts: string
  readonly urls: DemoView['urls']
  readonly options: DemoOptions
  readonly ending: Ending
  readonly stops: Stops
}

async function mine(running: Running): Promise<number> {
  const { participants, options, ending, stops } = running
  const startedAt = performance.now()
  const screen = openScreen(running)
  const over = new AbortController()
  try {
    const rewards = options.exitAfterReward ? waitForRewards(running, over.signal) : null
    for (const { node } of [participants.agent, participants.miner]) {
      stops.push(node.close)
      await node.start()
    }
    const outcome = await Promise.race(rewards === null ? [ending.asked] : [ending.asked, rewards])
    if (typeof outcome === 'string') return interruptedCode(options)
    screen.stop()
    console.log(`  ✓ mining to both rewards — ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
    printRewards(outcome)
    return 0
  } finally {
    over.abort()
    screen.stop()
  }
}

const waitForRewards = (
  { participants: { agent, miner }, options: { timeLimitMs } }: Running,
  signal: AbortSignal,
): Promise<FirstRewards> => firstRewards({ agent, miner, timeLimitMs, signal })

/** Starts the live screen. Stop it before anything else is stopped. */
function openScreen({ network, trouble, participants, accounts, urls, options }: Running): Screen {
  const { agent, miner } = participants
  const { blockTimeMs } = options
  let lastBlockAtMs: number | null = null
  network.on('macroblockClosed', () => {
    lastBlockAtMs = performance.now()
    trouble.isOver()
  })
  const screen = createScreen(
    () => ({
      height: network.height(),
      blockTimeMs,
      blockAgeMs: lastBlockAtMs === null ? null : performance.now() - lastBlockAtMs,
      symbol,
      decimals,
      urls,
      participants: [agent, miner].map(viewOf),
    }),
    accounts,
  )
  let isOver = false
  const stop = (): void => {
    isOver = true
    screen.stop()
  }
  const note = (line: string): void => {
    if (!isOver) screen.note(line)
  }
  trouble.tellTo(note)
  const nameOf = (address: string): string | undefined =>
    [agent, miner].find(({ node }) => node.address === address)?.name
  for (const participant of [agent, miner]) narrate({ participant, nameOf, symbol, decimals, note })
  return { note, stop }
}

function printRewards({ reward, referralReward }: FirstRewards): void {
  const line = ({ amount, height, microblockHash }: Reward): string =>
    `${formatAmount(amount, { decimals })} ${symbol} in block ${height} for microblock ${microblockHash}`
  console.log(`\nFirst reward of the miner:           ${line(reward)}`)
  console.log(`First referral reward of the agent:  ${line(referralReward)}`)
}
