import { createHash } from 'node:crypto'
import { encryptWallet, type KeyDerivation, walletFromPrivateKey } from '@hailstone/client'
import { parsePrivateKey, sha256Hex } from '@hailstone/protocol'
import { holdContest } from '../contest.ts'
import { outcomeOf } from '../outcome.ts'
import { cpuPressure, isQuiet, quietMachine } from '../pressure.ts'
import type { Suite } from '../suite.ts'

const PUBLIC_WALLETS = 'public wallets, 10,000 SHA-256'
const ONE_MS = '1 ms'

const wallet = walletFromPrivateKey(parsePrivateKey(sha256Hex('vault')))
const derivations: readonly { readonly name: string; readonly derivation: KeyDerivation }[] = [
  {
    name: 'scrypt, the default on Node',
    derivation: { name: 'scrypt', cost: 131_072, blockSize: 8, parallelism: 1 },
  },
  {
    name: 'PBKDF2, the default in browsers',
    derivation: { name: 'pbkdf2-sha256', iterations: 1_500_000 },
  },
]

const encrypt = (derivation: KeyDerivation): Promise<string> =>
  encryptWallet({ wallet, password: 'correct horse', derivation })

/** A password hashed with a salt that all users share. */
function publicWalletsGuess(): string {
  let digest = 'correct horse'
  for (let round = 0; round < 10_000; round++) digest = createHash('sha256').update(digest).digest('hex')
  return digest
}

/** Wall-clock time of opening or closing a vault once, in ms. */
async function waitMs(derivation: KeyDerivation): Promise<number> {
  const startedAt = performance.now()
  await encrypt(derivation)
  return performance.now() - startedAt
}

export const vault: Suite = {
  name: 'vault',
  what: 'S-5, S-6: what a guess at a password costs, and how long its owner waits',
  run: async ({ settings, tell }) => {
    const ours = derivations.map(({ name, derivation }) => ({
      name,
      run: async (times: number) => {
        for (let time = 0; time < times; time++) await encrypt(derivation)
      },
      check: async () => JSON.parse(await encrypt(derivation)).derivation.name === derivation.name,
    }))
    const theirs = {
      name: PUBLIC_WALLETS,
      run: (times: number) => {
        for (let time = 0; time < times; time++) publicWalletsGuess()
      },
      check: () => publicWalletsGuess().length === 64,
    }
    const { samples, pressures, wasQuiet } = await holdContest({
      settings,
      contestants: [...ours, theirs],
      onRound: (round) => tell(`S-6 round ${round + 1} of ${settings.rounds}`),
    })
    const cost = outcomeOf({
      id: 'S-6',
      title: 'One guess at a password',
      unit: 'guesses per CPU second',
      isMoreBetter: false,
      scores: [...ours, theirs].map(({ name }) => ({ name, samples: samples.get(name) ?? [] })),
      goals: ours.map(({ name }) => ({
        what: `${name}: the public wallets compute 25 guesses meanwhile`,
        over: PUBLIC_WALLETS,
        under: name,
        atLeast: 25,
      })),
      pressures,
      wasQuiet,
    })

    const waits = new Map(derivations.map(({ name }) => [name, [] as number[]]))
    const waitPressures: (number | null)[] = []
    let wasQuietToo = await quietMachine(settings)
    for (let round = 0; round < settings.rounds; round++) {
      waitPressures.push(cpuPressure())
      for (const { name, derivation } of derivations) waits.get(name)?.push(await waitMs(derivation))
      waitPressures.push(cpuPressure())
      wasQuietToo &&= waitPressures.slice(-2).every(isQuiet)
      tell(`S-5 round ${round + 1} of ${settings.rounds}`)
    }
    const wait = outcomeOf({
      id: 'S-5',
      title: 'The owner opens a vault',
      unit: 'ms',
      isMoreBetter: false,
      scores: [
        ...derivations.map(({ name }) => ({ name, samples: waits.get(name) ?? [] })),
        { name: ONE_MS, samples: [1] },
      ],
      goals: derivations.map(({ name }) => ({
        what: `${name}: within 1.5 s`,
        over: name,
        under: ONE_MS,
        atMost: 1_500,
      })),
      pressures: waitPressures,
      wasQuiet: wasQuietToo,
    })
    return [cost, wait]
  },
}
