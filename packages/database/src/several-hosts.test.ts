import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { openPostgres } from './open-postgres.ts'

/** A port at which nobody listens. */
async function emptyPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

test('an address with several hosts that are away is refused with what each of them answered', async () => {
  const hosts: string[] = []
  for (let count = 0; count < 4; count++) hosts.push(`127.0.0.1:${await emptyPort()}`)
  const opening = openPostgres({
    ...{
      url: `postgres://user@${hosts.join(',')}/database`,
      applicationName: 'test',
      migrations: [{ version: 1, statements: 'select 1' }],
    },
  })
  const error = await opening.then(
    () => new Error('it opened'),
    (cause: Error) => cause,
  )
  for (const host of hosts) expect(error.message).toContain(`${host}: connect ECONNREFUSED ${host}`)
})
