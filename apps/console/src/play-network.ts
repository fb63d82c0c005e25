import { type Client, createClient } from '@hailstone/client'
import {
  type LocalNetwork,
  type Person,
  type Population,
  playPopulation,
  startLocalNetwork,
} from '@hailstone/local-network'
import { createMiningNode, walletFromPrivateKey } from '@hailstone/mining-node'

const SECONDS_PER_DAY = 86_400
const SECONDS_PER_HOUR = 3600
/** Each whole hour of a figure has a macroblock. */
const MACROBLOCKS_PER_DAY = 24
/** Seconds between the last macroblock that is played and now. */
const LAST_AGE = 60
/** People who go on mining while the network runs. */
const MINERS = 20
/** Coins that a miner of the population's token has to hold. */
const LEAST_STAKE = 100

export type PlayedNetwork = AsyncDisposable & {
  readonly apiUrl: string
  readonly tokenId: string
  readonly population: Population
  readonly controlUrl: LocalNetwork['controlUrl']
}

/** Returns people who are there at the end, hold the stake and are no example of a missing reward. */
function whoMinesOn({ people, fates, days }: Population): readonly Person[] {
  const examples = new Set<string>(Object.values(fates))
  const stays = ({ account, spells, stakeCoins, leavesWithCoins }: Person): boolean =>
    spells.at(-1)?.to === days &&
    stakeCoins >= LEAST_STAKE &&
    leavesWithCoins === null &&
    !examples.has(account.address)
  return people.filter(stays).slice(0, MINERS)
}

/** Lets people of the population mine, each in a session of its own. Resolves when all have begun. */
async function mineOn(
  { gatewayUrl }: LocalNetwork,
  { client, population }: { readonly client: Client; readonly population: Population },
): Promise<AsyncDisposable> {
  const nodes = whoMinesOn(population).map(({ account }) =>
    createMiningNode({
      ...{ client, gatewayUrl, tokenId: population.token.id },
      wallet: walletFromPrivateKey(account.privateKey),
    }),
  )
  await Promise.all(nodes.map((node) => node.start()))
  return {
    [Symbol.asyncDispose]: async () => {
      await Promise.all(nodes.map((node) => node.close()))
    },
  }
}

/** Starts a network of this machine with a population, whose people mine on from the present minute. */
export async function playNetwork({
  days,
  say,
}: {
  readonly days: number
  /** Called with each line of progress. */
  readonly say: (text: string) => void
}): Promise<PlayedNetwork> {
  say(`Playing ${days} days of a population …`)
  const endTime = Math.floor(Date.now() / 1000) - LAST_AGE + SECONDS_PER_HOUR
  const { dump, population } = await playPopulation({
    ...{ days, startTime: endTime - days * SECONDS_PER_DAY, macroblocksPerDay: MACROBLOCKS_PER_DAY },
    onDay: (day) => {
      if ((day + 1) % 30 === 0) say(`  day ${day + 1} of ${days}`)
    },
  })
  const undo: (() => PromiseLike<unknown>)[] = []
  const end = async (): Promise<void> => {
    for (const one of undo.reverse()) await one()
  }
  try {
    const network = await startLocalNetwork({ load: dump, control: true })
    undo.push(() => network.stop())
    const { apiUrl, controlUrl } = network
    const client = createClient({ apiUrl })
    undo.push(client.close)
    const miners = await mineOn(network, { client, population })
    undo.push(() => miners[Symbol.asyncDispose]())
    return { apiUrl, controlUrl, tokenId: population.token.id, population, [Symbol.asyncDispose]: end }
  } catch (error) {
    await end()
    throw error
  }
}

/** Returns the lines that say whom to look at, and how the network is moved. */
export const describePlayed = ({
  population: { fates, accounts, token },
  controlUrl,
}: Pick<PlayedNetwork, 'population' | 'controlUrl'>): string =>
  [
    '',
    'People whose reward did not come, for the page "One account":',
    ...Object.entries(fates).map(([name, address]) => `  ${name.padEnd(16)} ${address}`),
    '',
    `To send somebody ${token.symbol}, pay with the treasury of this network:`,
    `  address          ${accounts.treasury.address}`,
    `  private key      ${accounts.treasury.privateKey}`,
    `To move its clock or its chain, ask ${controlUrl}.`,
  ].join('\n')
