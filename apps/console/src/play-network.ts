import {
  type LocalNetwork,
  type Population,
  playPopulation,
  startLocalNetwork,
} from '@hailstone/local-network'

const SECONDS_PER_DAY = 86_400

export type PlayedNetwork = AsyncDisposable & {
  readonly apiUrl: string
  readonly tokenId: string
  readonly population: Population
  readonly controlUrl: LocalNetwork['controlUrl']
}

/** Starts a network of this machine, with a population up to the last midnight. */
export async function playNetwork({
  days,
  say,
}: {
  readonly days: number
  /** Called with each line of progress. */
  readonly say: (text: string) => void
}): Promise<PlayedNetwork> {
  say(`Playing ${days} days of a population …`)
  const midnight = Math.floor(Date.now() / 1000 / SECONDS_PER_DAY) * SECONDS_PER_DAY
  const { dump, population } = await playPopulation({
    ...{ days, startTime: midnight - days * SECONDS_PER_DAY },
    onDay: (day) => {
      if ((day + 1) % 30 === 0) say(`  day ${day + 1} of ${days}`)
    },
  })
  const network = await startLocalNetwork({ load: dump, control: true })
  const { apiUrl, controlUrl } = network
  return {
    ...{ apiUrl, controlUrl, tokenId: population.token.id, population },
    [Symbol.asyncDispose]: () => network.stop(),
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
