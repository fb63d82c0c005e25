import { afterEach, expect, test } from 'vitest'
import type { Logger } from '../src/logger.ts'
import { type LocalNetwork, startLocalNetwork } from '../src/serve.ts'
import { describePostgres } from './engines.ts'
import { payment, postTransaction } from './payments.ts'
import { queryDatabase } from './postgres-server.ts'
import { mountSmallDisk, smallDiskMissing } from './small-disk.ts'
import { until } from './until.ts'

const COIN = 10n ** 10n
/** Attempts to store a macroblock, at least 300 ms apart: more than the ten seconds after which a lead is given back. */
const ATTEMPTS = 40
const leftOut = smallDiskMissing === null ? '' : ` – left out: ${smallDiskMissing}`

describePostgres('a database whose disk is full', (server) => {
  const open: { readonly stop: () => Promise<void> }[] = []
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.stop()
  })

  const health = async (network: LocalNetwork) => {
    const response = await fetch(`${new URL(network.apiUrl).origin}/health`)
    const { reason } = (await response.json()) as { readonly reason: string | null }
    return { status: response.status, reason: reason ?? '' }
  }

  async function post(network: LocalNetwork) {
    const [from, to] = network.accounts.developers
    if (from === undefined || to === undefined) throw new Error('there are five developers')
    const { transaction } = payment(network, { from, to: to.address, amount: COIN })
    const response = await postTransaction(network.apiUrl, transaction)
    return { status: response.status, ...((await response.json()) as { readonly message?: string }) }
  }

  async function endTablespace(database: string): Promise<void> {
    const name = new URL(database).pathname.slice(1)
    const url = database.replace(/[^/]*$/, 'postgres')
    await queryDatabase(url, `drop database ${name} with (force)`)
    await queryDatabase(url, `drop tablespace ${name}`)
  }

  test.runIf(smallDiskMissing === null)(
    `A-17: is told by health and posts, changes no leader, and goes on when there is room${leftOut}`,
    async () => {
      const disk = await mountSmallDisk(64)
      open.push(disk)
      const database = await server().createDatabaseIn(disk.folder)
      open.push({ stop: () => endTablespace(database) })
      const errors: string[] = []
      const logger: Logger = {
        debug: () => {},
        info: () => {},
        warn: () => {},
        error: (_, fields) => void errors.push(String(fields?.reason)),
      }
      const start = async (): Promise<LocalNetwork> => {
        const network = await startLocalNetwork({ blockTimeMs: 300, seed: 'full', database, logger })
        open.push(network)
        return network
      }
      const leader = await start()
      const both = [leader, await start()] as const
      await until(() => both.every((network) => network.height() >= 2))
      const roles: string[] = []
      for (const network of both) network.on('roleChanged', (role) => roles.push(role))

      await disk.fill()
      await until(async () => (await health(leader)).reason.includes('disk of the database is full'))
      expect((await health(leader)).status).toBe(503)
      await until(async () => {
        const { status, message } = await post(both[1])
        return status === 503 && message === 'The store has no room at the moment.'
      })
      await until(() => errors.filter((reason) => reason.includes('disk of the database')).length >= ATTEMPTS)
      expect((await fetch(`${leader.apiUrl}/height`)).status).toBe(200)
      expect([roles, leader.role()]).toEqual([[], 'leader'])

      const full = leader.height()
      await disk.makeRoom()
      await until(() => both.every((network) => network.height() >= full + 3))
      await until(async () => (await health(leader)).status === 200 && (await health(both[1])).status === 200)
      await until(async () => (await post(both[1])).status === 200)
      expect(leader.role()).toBe('leader')
    },
  )
})
