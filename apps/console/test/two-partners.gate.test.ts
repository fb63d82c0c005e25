import { createClient } from '@hailstone/client'
import { type IndexPlace, openIndex } from '@hailstone/indexer'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { addressNamed, closeRandom, peopleOf } from '../../../packages/indexer/test/population.ts'
import { randomOf } from '../../../packages/indexer/test/random.ts'
import { openTestChain } from '../../../packages/indexer/test/test-chain.ts'
import { describeEngines } from '../../../packages/local-network/test/engines.ts'
import { openLabelTables } from '../src/labels/label-tables.ts'
import { openFollower } from '../src/open-follower.ts'
import { createApiTokens } from '../src/people/api-tokens.ts'
import { openPeopleTables } from '../src/people/people-tables.ts'
import { createPersonStore } from '../src/people/person-store.ts'
import { serveConsole } from '../src/serve-console.ts'
import { PASSWORD, send } from './console-fixture.ts'

const paths = [
  '/v1/miners',
  '/v1/agents',
  '/v1/below',
  '/v1/payouts',
  '/v1/labels',
  '/v1/people',
  '/v1/tokens',
  '/v1/audit',
]

/** The console of a partner over a chain and token of its own, with one person, one API token and labels. */
async function openPartner(name: string, seed: number, place: IndexPlace) {
  const undo: (() => PromiseLike<void>)[] = []
  const opened = <T extends AsyncDisposable>(one: T): T => {
    undo.push(() => one[Symbol.asyncDispose]())
    return one
  }
  const chain = opened(await openTestChain(name))
  const random = randomOf(seed)
  for (let left = 12; left > 0; left--) await closeRandom(chain, random)
  const index = opened(await openIndex(place))
  await openLabelTables(index)
  for (const [at, address] of peopleOf(chain).entries())
    await sql`insert into hailstone_console.label values (${address}, ${`${name} ${at}`}, 'payer')`.execute(
      index.queries,
    )
  const client = opened(createClient({ apiUrl: chain.apiUrl }))
  const follower = opened(await openFollower({ index, client, tokenId: chain.token.id }))
  await follower.catchUp()
  const queries = await openPeopleTables(index)
  const people = createPersonStore({ queries, cost: { log2N: 4, r: 8, p: 1 } })
  const person = await people.add({ name: `owner of ${name}`, role: 'owner', password: PASSWORD }, null)
  const token = await createApiTokens(people).add(
    { label: `token of ${name}`, role: 'analyst', days: 3 },
    person,
  )
  const server = opened(await serveConsole({ follower, people }))
  const signIn = { method: 'POST', body: { name: person.name, password: PASSWORD } }
  const signed = await send(`${server.url}/v1/sign-in`, signIn)
  const cookie = signed.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
  return {
    ...{ name, chain, url: server.url, signIn, cookie, bearer: `Bearer ${token.secret}` },
    async [Symbol.asyncDispose]() {
      for (const end of undo.reverse()) await end()
    },
  }
}

describeEngines('two partners with two tokens', (engine) => {
  it('see nothing of each other, and open nothing at each other', async () => {
    await using one = await openPartner('Alder', 41, await engine.newPlace())
    await using other = await openPartner('Birch', 42, await engine.newPlace())
    expect(one.chain.token.id).not.toBe(other.chain.token.id)
    // Both chains have these accounts, and each partner a label for them.
    expect(
      peopleOf(one.chain).includes(addressNamed('a')) && peopleOf(other.chain).includes(addressNamed('a')),
    ).toBe(true)
    for (const [own, foreign] of [
      [one, other],
      [other, one],
    ] as const) {
      let shown = ''
      // Under the name that this console reads: its port is in it.
      const foreignCookie = `${own.cookie.split('=')[0]}=${foreign.cookie.split('=')[1]}`
      for (const path of paths) {
        const { status, text } = await send(`${own.url}${path}`, { headers: { cookie: own.cookie } })
        expect([path, status]).toEqual([path, 200])
        shown += text
        for (const headers of [{ cookie: foreignCookie }, { authorization: foreign.bearer }])
          expect([path, (await send(`${own.url}${path}`, { headers })).status]).toEqual([path, 401])
      }
      expect([shown.includes(own.name), shown.includes(foreign.name)]).toEqual([true, false])
      expect((await send(`${own.url}/v1/sign-in`, foreign.signIn)).status).toBe(401)
    }
  })

  it('do not share tables: those of one are refused for the token of the other', async () => {
    const place = await engine.newPlace()
    {
      await using _ = await openPartner('Alder', 43, place)
    }
    await using chain = await openTestChain('Birch')
    await using client = createClient({ apiUrl: chain.apiUrl })
    await using index = await openIndex(place)
    await expect(openFollower({ index, client, tokenId: chain.token.id })).rejects.toMatchObject({
      code: 'CONFIGURATION_INVALID',
      facts: { path: 'tokenIds' },
    })
  })
})
