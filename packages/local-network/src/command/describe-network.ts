import type { DevelopmentAccount, GenesisTokens } from '@hailstone/ledger'
import { formatAmount, type Token } from '@hailstone/protocol'
import type { Reorganisation } from '../chain/block-producer.ts'
import type { CalculatedMacroblock } from '../chain/calculated-macroblock.ts'
import type { PlayedPopulation } from '../population/play-population.ts'
import type { LocalNetwork } from '../serve.ts'

const amount = (units: bigint, token: Token): string =>
  `${formatAmount(units, { decimals: token.decimals })} ${token.symbol}`

function account(
  network: LocalNetwork,
  { name, address, privateKey }: DevelopmentAccount,
): readonly string[] {
  const { native, mineable } = network.tokens
  const held = [native, mineable]
    .map((token) => ({ token, units: network.balance(address, token.id) }))
    .filter(({ units }) => units > 0n)
    .map(({ token, units }) => amount(units, token))
  return [`  ${name}: ${held.join(', ')}`, `    address      ${address}`, `    private key  ${privateKey}`]
}

const kinds: readonly (readonly [keyof GenesisTokens, string])[] = [
  ['native', 'native coin'],
  ['mineable', 'mineable'],
  ['fixed', 'fixed supply'],
  ['reissuable', 'reissuable'],
]

/** Returns the lines with everything needed to work with the network. */
/** @param place folder or database; without a password, people copy what is shown here */
export function describeNetwork(network: LocalNetwork, place: string | undefined): string {
  const { apiUrl, docsUrl, gatewayUrl, bootNodeUrl, controlUrl, seed, accounts, tokens } = network
  return [
    'Hailstone local network',
    `  HTTP interface  ${apiUrl}`,
    `  Reference       ${docsUrl}`,
    `  Gateway         ${gatewayUrl}`,
    ...(bootNodeUrl === null ? [] : [`  Boot node       ${bootNodeUrl}`]),
    ...(controlUrl === null ? [] : [`  Control         ${controlUrl}`]),
    `  Kept in         ${place ?? 'memory'}`,
    ...(network.role() === 'alone' ? [] : [`  Role            ${network.role()}`]),
    `  Seed            ${seed}`,
    `  Height          ${network.height()}`,
    '',
    'Development accounts. Everybody knows these keys: never use them on a public network.',
    ...accounts.developers.flatMap((one) => account(network, one)),
    ...account(network, accounts.faucet),
    '',
    'Tokens',
    ...kinds.map(([name, kind]) => `  ${tokens[name].symbol.padEnd(6)} ${tokens[name].id}  ${kind}`),
    '',
  ].join('\n')
}

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

/** One line for one closed macroblock. */
export function describeMacroblock({ macroblock, closed }: CalculatedMacroblock, miners: number): string {
  const { transactions, confirmedCount } = closed.report
  return [
    `macroblock ${macroblock.keyBlock.height} closed`,
    counted(macroblock.microblocks.length, 'microblock'),
    `${counted(transactions.length, 'transaction')} (${confirmedCount} confirmed)`,
    `${counted(miners, 'miner')} connected`,
  ].join(', ')
}

/** Returns the lines about a population: its token, and people who have no reward for a reason. */
export function describePlayed({ population, counts }: PlayedPopulation): string {
  const { people, agents, campaigns, token, fates, accounts } = population
  return [
    `Population of ${people.length} people: ${agents.length} agents, ${campaigns.length} campaigns`,
    `  Token           ${token.symbol} ${token.id}`,
    `  Microblocks     ${counts.microblocks}`,
    `  Payments        ${counts.confirmed} confirmed, ${counts.rejected} rejected`,
    ...Object.entries(fates).map(([name, address]) => `  ${name.padEnd(15)} ${address}`),
    `  Treasury        ${accounts.treasury.address}`,
    `    private key   ${accounts.treasury.privateKey}`,
    '',
  ].join('\n')
}

/** One line for a chain that went back. */
export const describeReorganisation = ({ fromHeight, toHeight }: Reorganisation): string =>
  `the chain went from height ${fromHeight} back to ${toHeight}`
