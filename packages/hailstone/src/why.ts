import {
  type Answers,
  isUnmet,
  readAnswers,
  referralSentence,
  seenSentence,
  shareSentence,
} from '@hailstone/mining-node/why'
import { type Address, plainText, type TokenId } from '@hailstone/protocol'
import { runningProcesses } from '@hailstone/runtime/node'
import { agentOf } from './agent-option.ts'
import { askRecorded } from './ask-health.ts'
import { chosenNetwork, clientOf } from './chosen-network.ts'
import type { Given } from './command-line.ts'
import { processesFolder } from './data-folder.ts'
import { type Exit, exits } from './exit-codes.ts'
import { healthTokenOf } from './health-options.ts'
import { runningMiners } from './miner-record.ts'
import { namedToken } from './named-token.ts'
import { reportedWork, unknownWork, type Work } from './reported-work.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'
import { addressOfOptions } from './wallet-of-options.ts'

/** Reads what only the miner knows from its health port on this machine. */
async function workHere(
  given: Given<'why'>,
  terminal: Terminal,
  asked: { readonly address: Address; readonly tokenId: TokenId },
): Promise<Work> {
  const folder = processesFolder(given, terminal)
  const miners = await runningMiners(folder).catch(() => null)
  if (miners === null) return unknownWork(`${folder} cannot be read`)
  const miner = miners.find((record) => record.address === asked.address)
  if (miner === undefined) return workInFleets(folder, await healthTokenOf(given, terminal), asked)
  if (miner.healthUrl === null)
    return unknownWork('the miner that runs here has no health port; start it with --health-port')
  const answer = await askRecorded(miner.healthUrl, await healthTokenOf(given, terminal))
  if (answer?.status === 401)
    return unknownWork('its health port wants a token; name it with --health-token-file')
  if (answer?.status !== 200)
    return unknownWork('the miner that runs here does not answer on its health port')
  return reportedWork(answer.text, { ...asked, nowMs: Date.now() })
}

/** Reads the work of an account from the fleets of this machine. A fleet without the account answers 404. */
async function workInFleets(
  folder: string,
  token: string | undefined,
  asked: { readonly address: Address; readonly tokenId: TokenId },
): Promise<Work> {
  const fleets = (await runningProcesses(folder)).filter(({ program }) => program === 'fleet')
  const answers = await Promise.all(
    fleets.map(async ({ healthUrl }) =>
      healthUrl === null ? null : askRecorded(`${healthUrl}?address=${asked.address}`, token),
    ),
  )
  const found = answers.find((answer) => answer?.status === 200)
  if (found) return reportedWork(found.text, { ...asked, nowMs: Date.now() })
  if (answers.some((answer) => answer?.status === 401))
    return unknownWork(
      'a fleet runs here, and its health port wants a token; name it with --health-token-file',
    )
  if (answers.some((answer) => answer?.status !== 404))
    return unknownWork(
      'a fleet runs here and has no health port, or none that answers; it may have the account',
    )
  return unknownWork(
    'no miner of this account runs on this machine; accounts of a fleet are found where it has --health-port',
  )
}

function show({ token, seen, share, referral }: Answers, terminal: Terminal): void {
  const of = token ?? { symbol: 'the token', decimals: 0 }
  const questions: readonly (readonly [string, readonly string[]])[] = [
    ['Is it seen by the network?', [seenSentence(seen)]],
    ['What decides how much it earns?', share.map((part) => shareSentence(part, of))],
    [
      'Who is its referrer, and is a referral reward paid?',
      referral.map((part) => referralSentence(part, of)),
    ],
  ]
  for (const [question, sentences] of questions) {
    terminal.say(question)
    for (const sentence of sentences) terminal.say(`  ${plainText(sentence)}`)
  }
}

/** `hailstone why [ADDRESS]`: what decides how much an account earns, with the figures. */
export async function why(given: Given<'why'>, terminal: Terminal): Promise<Exit> {
  const client = clientOf(chosenNetwork(given, terminal))
  try {
    const address = await addressOfOptions(given, terminal)
    if (address === undefined)
      throw new UsageError('Name an account after the command, or a key with --key-file.')
    const tokenId =
      given.token === undefined ? await client.getNativeTokenId() : await namedToken(client, given.token)
    const work = await workHere(given, terminal, { address, tokenId })
    const answers = await readAnswers(client, { address, tokenId, agent: agentOf(given.agent), ...work })
    if (terminal.manner === 'json')
      terminal.tell({ address, ...answers, unmet: answers.referral.filter(isUnmet) })
    else show(answers, terminal)
    return exits.ok
  } finally {
    await client.close()
  }
}
