import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { IndexPlace } from '@hailstone/indexer'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describePostgresByNight } from '../../../packages/local-network/test/engines.ts'
import { payloads } from '../../white-label/test/hostile-texts.ts'
import { alertRoutes } from '../src/alerts/alert-routes.ts'
import { labelRoutes } from '../src/labels/label-routes.ts'
import { peopleRoutes } from '../src/people/people-routes.ts'
import { openPeopleTables } from '../src/people/people-tables.ts'
import { createPersonStore } from '../src/people/person-store.ts'
import { includesRole, type Role, roles, tokenRoles } from '../src/people/roles.ts'
import { totpCode, totpStepOf } from '../src/people/totp.ts'
import { routes } from '../src/routes.ts'
import type { ConsoleServer } from '../src/serve-console.ts'
import {
  type Answer,
  type ConsoleFixture,
  openConsole,
  PASSWORD,
  send,
  type Visit,
} from './console-fixture.ts'

const [MINUTE, HOUR] = [60_000, 3_600_000]
const HOST = 'console.example'
/** Headers that a proxy in front sends on for a browser on another machine. */
const beyond = { host: HOST, origin: `https://${HOST}`, 'x-forwarded-for': '203.0.113.5' }

const sentence = ({ status, body }: Answer): readonly unknown[] => [status, body?.error]

/** Everything that the tables of the console hold, as one text. */
async function contentOf({ follower }: ConsoleFixture): Promise<string> {
  const tables = ['person', 'session', 'api_token', 'audit']
  const rows: unknown[] = []
  for (const table of tables)
    rows.push(
      (
        await sql`select to_jsonb(t)::text as row from ${sql.table(`hailstone_console.${table}`)} t order by id`.execute(
          follower.index.queries,
        )
      ).rows,
    )
  return JSON.stringify(rows)
}

let names = 0
/** Returns a name that nobody has, also where a test runs a second time. */
const fresh = (name: string): string => `${name} ${++names}`

/** Lets the first call of scrypt wait until a step is done. */
async function duringDerivation<Result>(
  { gate, derivations }: ConsoleFixture,
  begin: () => Promise<Result>,
  step: () => Promise<unknown>,
): Promise<Result> {
  let open: (value?: unknown) => void = () => {}
  derivations.length = 0
  gate.opens = new Promise((resolve) => {
    open = resolve
  })
  try {
    const result = begin()
    await expect.poll(() => derivations.length, { timeout: 60_000 }).toBe(1)
    await step()
    open()
    return await result
  } finally {
    open()
  }
}

/** Paths of every question with parameters that it takes. */
const address = `02${'0'.repeat(64)}`
const asked = ({ path }: { readonly path: string }): string =>
  ['/v1/explain', '/v1/answers', '/v1/miner-rewards'].includes(path) ? `${path}?address=${address}` : path

function claims(place: () => Promise<IndexPlace>): void {
  let fixture: ConsoleFixture
  let server: ConsoleServer
  let owner: Visit
  const signIn = (name: string, more: object = {}): Promise<Answer> =>
    fixture.signIn(server, { name, password: PASSWORD, ...more })
  const visitAs = async (name: string): Promise<Visit> => fixture.visit(server.url, await signIn(name))
  const add = async (name: string, role: Role): Promise<number> => {
    const answer = await owner.send('/v1/people', {
      method: 'POST',
      body: { name, role, password: PASSWORD },
    })
    expect(sentence(answer)).toStrictEqual([200, undefined])
    return answer.body.id
  }
  /** Lets wrong tries of tests before be forgotten. */
  const later = (ms = 16 * MINUTE): void => {
    fixture.clock.now += ms
  }

  beforeAll(async () => {
    fixture = await openConsole(await place())
    server = await fixture.serve()
    await fixture.people.add({ name: 'ada', role: 'owner', password: PASSWORD }, null)
    for (const role of roles) await fixture.people.add({ name: `a ${role}`, role, password: PASSWORD }, null)
  })
  afterAll(() => fixture?.[Symbol.asyncDispose]())
  // Before each try of a test: what another one left in the clock and the limits is over.
  beforeEach(async () => {
    later()
    owner = await visitAs('ada')
  })

  it('leaves the sessions of another console of the same host alone', async () => {
    await using fixture = await openConsole()
    const [one, other] = [await fixture.serve(), await fixture.serve()]
    const visits = [await fixture.openLink(one), await fixture.openLink(other)]
    // A browser sends the cookies of a host to all its ports, and keeps one of each name.
    const names = visits.map(({ cookie }) => cookie.split('=')[0])
    const ports = [one, other].map(({ url }) => `hailstone-console-${new URL(url).port}`)
    expect(names).toStrictEqual(ports)
    const cookie = visits.map((visit) => visit.cookie).join('; ')
    const asked = [one, other].map(({ url }) => send(`${url}/v1/session`, { headers: { cookie } }))
    expect((await Promise.all(asked)).map(({ status }) => status)).toStrictEqual([200, 200])
    // An address that a proxy reaches, with a port of its own.
    await fixture.people.add({ name: 'ada', role: 'owner', password: PASSWORD }, null)
    await fixture.people.add({ name: 'vera', role: 'viewer', password: PASSWORD }, null)
    const beyond = await fixture.serve({ allowedHosts: ['console.example'] })
    const headers = { host: 'console.example:8443' }
    const answer = await fixture.signIn(beyond, { name: 'vera', password: PASSWORD }, headers)
    expect(answer.headers['set-cookie']).toStrictEqual([
      expect.stringMatching(/^__Host-hailstone-console-8443=[\w-]{43}; Secure; /),
    ])
    const visit = await fixture.visit(beyond.url, answer, headers)
    expect((await visit.send('/v1/overview')).status).toBe(200)
    expect((await visit.send('/v1/overview', { headers: { host: 'console.example' } })).status).toBe(401)
  })

  it('opens by a link as long as nobody is added, and by name alone from then on', async () => {
    await using fixture = await openConsole(await place())
    const server = await fixture.serve()
    const opened = await send(server.signInUrl())
    expect(opened.status).toBe(303)
    expect(opened.headers['set-cookie']).toStrictEqual([
      expect.stringMatching(/^hailstone-console-\d+=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/),
    ])
    const link = await fixture.visit(server.url, opened)
    for (const route of routes)
      expect([route.path, (await link.send(asked(route))).status]).toStrictEqual([route.path, 200])
    expect((await link.send('/v1/session')).body).toMatchObject({ person: null, role: 'owner' })
    const refused = await fixture.signIn(server, { name: 'ada', password: PASSWORD })
    expect(sentence(refused)).toStrictEqual([401, 'The name or the password is wrong.'])
    const first = { name: 'ada', password: PASSWORD }
    const asViewer = await link.send('/v1/people', { method: 'POST', body: { ...first, role: 'viewer' } })
    expect(sentence(asViewer)).toStrictEqual([409, 'The first person is an owner, who can add others.'])
    const unopened = server.signInUrl()
    expect(
      (await link.send('/v1/people', { method: 'POST', body: { ...first, role: 'owner' } })).status,
    ).toBe(200)
    expect(sentence(await link.send('/v1/overview'))).toStrictEqual([401, 'Not signed in.'])
    for (const url of [unopened, server.signInUrl()]) {
      const answer = await send(url)
      expect([answer.status, answer.headers.location, answer.headers['set-cookie']]).toStrictEqual([
        303,
        '/',
        undefined,
      ])
    }
    const ada = await fixture.visit(server.url, await fixture.signIn(server, first))
    expect((await ada.send('/v1/session')).body).toStrictEqual({
      ...{ person: { name: 'ada', hasTotp: false }, role: 'owner', csrf: ada.csrf },
    })
  })

  it('gives each role its own questions, and those of the roles before it', async () => {
    const reading = peopleRoutes.filter(({ method, role }) => method === 'GET' && role !== 'anyone')
    const questions: readonly (readonly [path: string, needed: Role])[] = [
      ...routes.map((route) => [asked(route), route.role] as const),
      ...routes
        .filter(({ isFigure }) => isFigure)
        .map((route) => {
          const role = includesRole(route.role, 'analyst') ? route.role : 'analyst'
          return [asked(route).replace(/^([^?]+)/, '$1.csv'), role] as const
        }),
      ...reading.map(({ path, role }) => [path, role as Role] as const),
    ]
    expect(questions.length).toBeGreaterThan(25)
    for (const role of roles) {
      const visit = await visitAs(`a ${role}`)
      for (const [path, needed] of questions)
        expect([role, path, (await visit.send(path)).status]).toStrictEqual([
          ...[role, path, includesRole(role, needed) ? 200 : 403],
        ])
    }
    const support = await visitAs('a support')
    expect((await support.send(`/v1/explain?address=${address}`)).status).toBe(200)
    expect(sentence(await support.send('/v1/miners'))).toStrictEqual([
      ...[403, 'This needs the role analyst; yours is support.'],
    ])
  })

  it('changes nothing for a role below owner', async () => {
    const visit = await visitAs('a admin')
    const id = (await fixture.people.findByName('a viewer'))?.id
    const before = await contentOf(fixture)
    for (const { method, path, role } of peopleRoutes.filter(
      (one) => one.method !== 'GET' && one.role === 'owner',
    )) {
      const answer = await visit.send(path.replace('{id}', String(id)), { method, body: { role: 'owner' } })
      expect([role, path, answer.status]).toStrictEqual([role, path, 403])
    }
    expect(await contentOf(fixture)).toBe(before)
  })

  it('asks nobody in under another spelling of a path', async () => {
    for (const path of ['/%761/overview', '/v1/%6fverview', '/v1/overview/', '//v1/overview', '/V1/overview'])
      expect([path, [401, 404].includes((await send(`${server.url}${path}`)).status)]).toStrictEqual([
        path,
        true,
      ])
  })

  it('does the same work for a name that nobody has, and says the same', async () => {
    fixture.derivations.length = 0
    const known = await signIn('ada', { password: 'wrong horse battery' })
    const ofKnown = fixture.derivations.splice(0)
    const unknown = await signIn('nobody', { password: 'wrong horse battery' })
    const ofUnknown = fixture.derivations.splice(0)
    expect(ofKnown).toStrictEqual([{ N: 16, length: 32 }])
    expect(ofUnknown).toStrictEqual(ofKnown)
    expect([unknown.status, unknown.text]).toStrictEqual([known.status, known.text])
    expect(Object.keys(unknown.headers)).toStrictEqual(Object.keys(known.headers))
    later()
  })

  it.each(['a viewer', 'nobody at all'])(
    'lets %j be tried five times in 15 minutes by one address, all at once too',
    async (name) => {
      fixture.derivations.length = 0
      const tries = await Promise.all(
        Array.from({ length: 12 }, () => signIn(name, { password: 'wrong horse battery' })),
      )
      expect(tries.map(({ status }) => status).sort()).toStrictEqual([
        ...Array(5).fill(401),
        ...Array(7).fill(429),
      ])
      const right = await signIn(name)
      expect(sentence(right)).toStrictEqual([429, 'Too many wrong tries. Try again in 15 minutes.'])
      expect(right.headers['retry-after']).toBe('900')
      expect(fixture.derivations.length).toBe(5)
      // Capitals and another form of a letter are the same name.
      expect((await signIn(name.toUpperCase())).status).toBe(429)
      later()
      expect((await signIn(name)).status).toBe(name === 'a viewer' ? 204 : 401)
      later()
    },
  )

  it('lets an address try twenty times in 15 minutes, whatever the names are', async () => {
    fixture.derivations.length = 0
    for (let number = 0; number < 20; number++) expect((await signIn(`name ${number}`)).status).toBe(401)
    expect((await signIn('ada')).status).toBe(429)
    expect(fixture.derivations.length).toBe(20)
    later()
    expect((await signIn('ada')).status).toBe(204)
  })

  it('keeps the tries of a name over a restart, whatever names strangers invent meanwhile', async () => {
    const { queries } = fixture.people
    const wrong = { name: 'a viewer', password: 'wrong horse battery' }
    const another = await fixture.serve()
    for (const one of [server, server, server, another, another])
      expect((await fixture.signIn(one, wrong)).status).toBe(401)
    // Each try of an invented name has rows like these.
    await sql`insert into ${sql.table('hailstone_console.sign_in_try')} (key, most, times)
      select sha256(n::text::bytea), 5, array[${new Date(fixture.clock.now)}::timestamptz]
      from generate_series(1, 20000) n`.execute(queries)
    await another.stop()
    const restarted = await fixture.serve()
    for (const one of [server, restarted])
      expect((await fixture.signIn(one, { ...wrong, password: PASSWORD })).status).toBe(429)
    // Who comes again at once is refused without a statement.
    const rename = (from: string, to: string) =>
      sql`alter table ${sql.table(`hailstone_console.${from}`)} rename to ${sql.ref(to)}`.execute(queries)
    await rename('sign_in_try', 'away')
    const again = await fixture.signIn(server, wrong)
    await rename('away', 'sign_in_try')
    expect(sentence(again)).toStrictEqual([429, 'Too many wrong tries. Try again in 15 minutes.'])
    // Hashes alone: who mistypes may write a password as a name.
    const kept = await queries.selectFrom('sign_in_try').select('key').execute()
    expect(new Set(kept.map(({ key }) => key.length))).toStrictEqual(new Set([32]))
    later()
    expect((await fixture.signIn(restarted, { ...wrong, password: PASSWORD })).status).toBe(204)
    // The one of this machine, from which people still sign in.
    expect((await queries.selectFrom('sign_in_try').select('most').execute()).length).toBe(1)
  })

  it('counts no right password as a try', async () => {
    for (let number = 0; number < 25; number++) expect((await signIn('ada')).status).toBe(204)
    owner = await visitAs('ada')
    expect(
      (await owner.send('/v1/sessions')).body.filter(({ name }: { name: string }) => name === 'ada').length,
    ).toBe(20)
  })

  it('takes no cookie after sign-out, a new password, another role, the end of the session or of the person', async () => {
    const eve = fresh('Eve')
    const id = await add(eve, 'analyst')
    const change = (body: object) => owner.send(`/v1/people/${id}`, { method: 'PATCH', body })
    const ends: readonly (readonly [name: string, end: (visit: Visit) => Promise<Answer>])[] = [
      ['sign-out', (visit) => visit.send('/v1/sign-out', { method: 'POST' })],
      ['password', () => change({ password: PASSWORD })],
      ['role', () => change({ role: 'support' })],
      [
        'own session ended',
        async (visit) => {
          const [own] = (await visit.send('/v1/sessions')).body.filter((one: { isOwn: boolean }) => one.isOwn)
          return visit.send(`/v1/sessions/${own.id}`, { method: 'DELETE' })
        },
      ],
      [
        'ended by the owner',
        async () => {
          const all = (await owner.send('/v1/sessions')).body as readonly { id: number; name: string }[]
          const of = all.find(({ name }) => name === eve)
          return owner.send(`/v1/sessions/${of?.id}`, { method: 'DELETE' })
        },
      ],
      ['removed', () => owner.send(`/v1/people/${id}`, { method: 'DELETE' })],
    ]
    for (const [name, end] of ends) {
      const visit = await visitAs(eve)
      expect([name, (await visit.send('/v1/overview')).status]).toStrictEqual([name, 200])
      expect([name, (await end(visit)).status < 300]).toStrictEqual([name, true])
      expect([name, (await visit.send('/v1/overview')).status]).toStrictEqual([name, 401])
    }
  })

  it('ends other sessions with a new own password, and needs the old one', async () => {
    const name = fresh('Ina')
    await add(name, 'analyst')
    const [stolen, own] = [await visitAs(name), await visitAs(name)]
    const changeTo = (password: string, newPassword: string) =>
      own.send('/v1/password', { method: 'POST', body: { password, newPassword } })
    expect((await changeTo('wrong horse battery', 'another horse battery')).status).toBe(401)
    expect(sentence(await changeTo(PASSWORD, 'short'))).toStrictEqual([
      400,
      'A password has 12 to 128 characters.',
    ])
    const changed = await changeTo(PASSWORD, 'another horse battery')
    expect(changed.status).toBe(204)
    expect([
      (await stolen.send('/v1/overview')).status,
      (await own.send('/v1/overview')).status,
    ]).toStrictEqual([401, 401])
    const next = await fixture.visit(server.url, changed)
    expect((await next.send('/v1/overview')).status).toBe(200)
    expect((await signIn(name)).status).toBe(401)
    expect((await signIn(name, { password: 'another horse battery' })).status).toBe(204)
  })

  it('takes no judgement of a password for a person who was changed before its end', async () => {
    // Another process over the same tables, as the command is.
    const { queries } = fixture.people
    const command = createPersonStore({ queries, cost: { log2N: 4, r: 8, p: 1 } })
    const reset = 'the third horse battery'
    const changes: readonly (readonly [what: string, change: (id: number) => Promise<unknown>])[] = [
      ['password', (id) => command.change(id, { password: reset }, null)],
      ['second factor', (id) => command.setTotp(id, null)],
      ['role', (id) => command.change(id, { role: 'admin' }, null)],
      ['removed', (id) => command.remove(id, null)],
    ]
    for (const [what, change] of changes) {
      const name = fresh('Ira')
      const id = await add(name, 'viewer')
      const answer = await duringDerivation(
        fixture,
        () => signIn(name),
        () => change(id),
      )
      expect([what, answer.headers['set-cookie'], ...sentence(answer)]).toStrictEqual([
        ...[what, undefined, 401, 'This person was changed meanwhile. Sign in again.'],
      ])
      const sessions = await queries.selectFrom('session').selectAll().where('person', '=', id).execute()
      expect([what, sessions]).toStrictEqual([what, []])
    }
    // A thief of a session and a password does not set a password after the reset either.
    const name = fresh('Ira')
    const id = await add(name, 'viewer')
    const thief = await visitAs(name)
    const answer = await duringDerivation(
      fixture,
      () =>
        thief.send('/v1/password', {
          method: 'POST',
          body: { password: PASSWORD, newPassword: 'another horse battery' },
        }),
      () => command.change(id, { password: reset }, null),
    )
    expect([answer.status, answer.headers['set-cookie']]).toStrictEqual([401, undefined])
    expect((await signIn(name, { password: reset })).status).toBe(204)
    // Nor a second factor that was begun before it.
    const secret = await command.beginTotp(id)
    await command.change(id, { password: reset }, null)
    await expect(command.confirmTotp({ id, name }, totpCode(secret, totpStepOf(Date.now())))).rejects.toThrow(
      'Ask for a new secret first.',
    )
  })

  it('ends a session after 12 idle hours and after 7 days', async () => {
    const idle = await visitAs('a viewer')
    later(12 * HOUR + 1)
    expect((await idle.send('/v1/overview')).status).toBe(401)
    const used = await visitAs('a viewer')
    for (let hours = 0; hours < 7 * 24; hours += 8) {
      expect([hours, (await used.send('/v1/overview')).status]).toStrictEqual([hours, 200])
      later(8 * HOUR)
    }
    later(1)
    expect((await used.send('/v1/overview')).status).toBe(401)
  })

  it('takes a code of the second factor once', async () => {
    const tove = fresh('Tove')
    await add(tove, 'admin')
    const visit = await visitAs(tove)
    const other = await visitAs(tove)
    const begin = (password: string) => visit.send('/v1/totp', { method: 'POST', body: { password } })
    expect((await begin('wrong horse battery')).status).toBe(401)
    const { body } = await begin(PASSWORD)
    expect(body.uri).toMatch(/^otpauth:\/\/totp\/.+\?secret=[A-Z2-7]{32}&issuer=/)
    const row = await fixture.people.queries
      .selectFrom('person')
      .select('totp_pending')
      .where('name', '=', tove)
      .executeTakeFirstOrThrow()
    const secret = row.totp_pending as Uint8Array
    const code = (steps = 0): string => totpCode(secret, totpStepOf(fixture.clock.now) + steps)
    const confirm = (text: string) => visit.send('/v1/totp/confirm', { method: 'POST', body: { code: text } })
    expect((await confirm(code(5))).status).toBe(400)
    // Not asked for before it was confirmed: a person who went away is not locked out.
    expect((await signIn(tove)).status).toBe(204)
    expect((await confirm(code())).status).toBe(204)
    expect((await other.send('/v1/overview')).status).toBe(401)
    expect((await visit.send('/v1/session')).body.person).toStrictEqual({ name: tove, hasTotp: true })
    expect((await signIn(tove)).body).toMatchObject({ needsCode: true })
    // The code that confirmed is used as well.
    expect((await signIn(tove, { code: code() })).body.error).toBe('The code is wrong, or was used.')
    later(30_000)
    expect((await signIn(tove, { code: code() })).status).toBe(204)
    expect((await signIn(tove, { code: code() })).status).toBe(401)
    expect((await signIn(tove, { code: code(-1) })).status).toBe(401)
    later(90_000)
    const both = await Promise.all([1, 2, 3].map(() => signIn(tove, { code: code() })))
    expect(both.map(({ status }) => status).sort()).toStrictEqual([204, 401, 401])
    // Two wrong ones before were forgotten with the right one; the limit of codes is that of passwords.
    for (let number = 0; number < 8; number++) await signIn(tove, { code: '000000' })
    later(MINUTE)
    expect((await signIn(tove, { code: code() })).status).toBe(429)
    later()
    expect((await signIn(tove, { code: code(), password: 'wrong horse battery' })).body).toStrictEqual({
      error: 'The name or the password is wrong.',
    })
    expect((await signIn(tove, { code: code() })).status).toBe(204)
    later()
  })

  it('does nothing that a form of another page asks for', async () => {
    const viewer = await visitAs('a viewer')
    const id = (await fixture.people.findByName('a viewer'))?.id
    const before = await contentOf(fixture)
    const sites: readonly Readonly<Record<string, string>>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'http://evil.example' },
      { origin: 'null' },
      { origin: server.url.replace(/\d+$/, '1') },
    ]
    const types = [
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/plain',
    ]
    const changes = peopleRoutes.filter(({ method }) => method !== 'GET')
    expect(changes.length).toBeGreaterThan(10)
    for (const { method, path, role } of changes)
      for (const type of types) {
        const body = JSON.stringify({
          name: 'mallory',
          role: 'owner',
          password: PASSWORD,
          label: 'x',
          days: 1,
        })
        const ask = (headers: Readonly<Record<string, string>>) =>
          send(`${server.url}${path.replace('{id}', String(id))}`, {
            ...{ method, body },
            headers: { 'content-type': type, ...headers },
          })
        for (const site of sites) {
          const { status } = await ask({ cookie: owner.cookie, 'hailstone-csrf': owner.csrf, ...site })
          expect([path, type, site, status]).toStrictEqual([path, type, site, 403])
        }
        // A form on another port of this host sends no token; the token of another session does not count.
        if (role === 'anyone') continue
        for (const csrf of [{}, { 'hailstone-csrf': viewer.csrf }, { 'hailstone-csrf': '' }])
          expect((await ask({ cookie: owner.cookie, ...csrf })).status).toBe(403)
      }
    const forgedSignIn = await send(`${server.url}/v1/sign-in`, {
      ...{ method: 'POST', body: 'name=ada', headers: { 'content-type': 'text/plain' } },
    })
    expect(forgedSignIn.status).toBe(415)
    expect(await contentOf(fixture)).toBe(before)
    expect((await owner.send('/v1/overview')).status).toBe(200)
  })

  it('shows and ends no session of another person', async () => {
    const [viewer, support] = [await visitAs('a viewer'), await visitAs('a support')]
    const list = async (visit: Visit) =>
      (await visit.send('/v1/sessions')).body as readonly { id: number; name: string; isOwn: boolean }[]
    expect(new Set((await list(viewer)).map(({ name }) => name))).toStrictEqual(new Set(['a viewer']))
    const [other] = (await list(support)).filter(({ isOwn }) => isOwn)
    const ended = await viewer.send(`/v1/sessions/${other?.id}`, { method: 'DELETE' })
    expect(sentence(ended)).toStrictEqual([404, 'There is no such session.'])
    expect((await support.send('/v1/overview')).status).toBe(200)
    for (const path of ['/v1/people/1', '/v1/people/x', '/v1/sessions/0', '/v1/sessions/1e1'])
      expect([path, (await viewer.send(path)).status]).toStrictEqual([path, 404])
    for (const text of [owner, viewer].map(({ csrf }) => csrf))
      expect((await support.send('/v1/sessions')).text).not.toContain(text)
  })

  it('lets a token read what its role may, and change nothing', async () => {
    const name = fresh('Otto')
    await add(name, 'owner')
    const otto = await visitAs(name)
    const make = async (by: Visit, role: string) => {
      const body = { label: `for ${role}`, role, days: 30 }
      return (await by.send('/v1/tokens', { method: 'POST', body })).body as { id: number; secret: string }
    }
    const ask = (secret: string, path: string, method = 'GET') =>
      send(`${server.url}${path}`, { method, headers: { authorization: `Bearer ${secret}` } })
    const [viewer, analyst] = [await make(owner, 'viewer'), await make(otto, 'analyst')]
    expect(analyst.secret).toMatch(/^hsc_[\w-]{43}$/)
    expect([
      (await ask(viewer.secret, '/v1/overview')).status,
      (await ask(viewer.secret, '/v1/miners')).status,
    ]).toStrictEqual([200, 403])
    expect((await ask(analyst.secret, '/v1/miners.csv')).status).toBe(200)
    for (const { method, path, role } of [...peopleRoutes, ...alertRoutes, ...labelRoutes]) {
      if (role === 'anyone') continue
      if (method === 'GET' && role === 'viewer') continue
      const isOfAlerts = path.startsWith('/v1/alerts') || path.startsWith('/v1/receivers')
      const id = path.startsWith('/v1/labels') ? address : isOfAlerts ? '0123456789ab' : '1'
      expect([path, (await ask(analyst.secret, path.replace('{id}', id), method)).status]).toStrictEqual([
        path,
        403,
      ])
    }
    expect((await ask(analyst.secret, '/v1/sessions')).status).toBe(403)
    for (const wrong of [
      'hsc_',
      `hsc_${'a'.repeat(43)}`,
      viewer.secret.slice(0, -1),
      owner.cookie.split('=')[1] ?? '',
    ])
      expect((await ask(wrong, '/v1/overview')).status).toBe(401)
    // A wrong token is refused even with a cookie beside it, and a secret of a token is no session.
    const beside = await owner.send('/v1/overview', { headers: { authorization: 'Bearer hsc_' } })
    expect(beside.status).toBe(401)
    const cookie = `${owner.cookie.split('=')[0]}=${viewer.secret}`
    expect((await send(`${server.url}/v1/overview`, { headers: { cookie } })).status).toBe(401)
    const notMade = await owner.send('/v1/tokens', {
      method: 'POST',
      body: { label: 'x', role: 'admin', days: 1 },
    })
    expect(notMade.status).toBe(400)
    // Shown once: neither the tables nor any list has it.
    const shown = (await owner.send('/v1/tokens')).text + (await owner.send('/v1/audit')).text
    for (const { secret } of [viewer, analyst]) {
      expect(shown).not.toContain(secret)
      expect(await contentOf(fixture)).not.toContain(secret)
    }
    later(MINUTE)
    for (let number = 0; number < 60; number++)
      expect((await ask(viewer.secret, '/v1/session')).status).toBe(200)
    const tooMany = await ask(viewer.secret, '/v1/session')
    expect([tooMany.status, tooMany.headers['retry-after']]).toStrictEqual([429, '60'])
    later(MINUTE)
    expect((await ask(viewer.secret, '/v1/session')).status).toBe(200)
    expect((await owner.send(`/v1/tokens/${viewer.id}`, { method: 'DELETE' })).status).toBe(204)
    expect((await ask(viewer.secret, '/v1/session')).status).toBe(401)
    const id = (await fixture.people.findByName(name))?.id
    expect((await owner.send(`/v1/people/${id}`, { method: 'DELETE' })).status).toBe(204)
    expect((await ask(analyst.secret, '/v1/session')).status).toBe(401)
    const short = await make(owner, 'viewer')
    later(30 * 24 * HOUR)
    expect((await ask(short.secret, '/v1/session')).status).toBe(401)
  })

  it('ends tokens above a role with the role', async () => {
    const name = fresh('Otto')
    const id = await add(name, 'owner')
    const otto = await visitAs(name)
    const secrets: string[] = []
    for (const role of tokenRoles) {
      const body = { label: `for ${role}`, role, days: 30 }
      secrets.push((await otto.send('/v1/tokens', { method: 'POST', body })).body.secret)
    }
    const statuses = () =>
      Promise.all(
        secrets.map(
          async (secret) =>
            (await send(`${server.url}/v1/session`, { headers: { authorization: `Bearer ${secret}` } }))
              .status,
        ),
      )
    const changeTo = async (role: Role) => {
      const { status } = await owner.send(`/v1/people/${id}`, { method: 'PATCH', body: { role } })
      expect([role, status]).toStrictEqual([role, 200])
      return (await owner.send('/v1/audit')).body[0].action
    }
    const expected: readonly (readonly [role: Role, action: string, statuses: readonly number[]])[] = [
      ['admin', 'person changed: role admin', [200, 200, 200]],
      ['support', 'person changed: role support, 1 token removed', [200, 200, 401]],
      ['viewer', 'person changed: role viewer, 1 token removed', [200, 401, 401]],
      ['owner', 'person changed: role owner', [200, 401, 401]],
    ]
    for (const [role, action, after] of expected)
      expect([role, await changeTo(role), await statuses()]).toStrictEqual([role, action, after])
    expect((await owner.send(`/v1/people/${id}`, { method: 'DELETE' })).status).toBe(204)
    expect(await statuses()).toStrictEqual([401, 401, 401])
  })

  it('takes 200 hostile texts as texts: in names, labels, passwords and at sign-in', async () => {
    let shown = 0
    for (const [number, text] of payloads.entries()) {
      const name = text.slice(0, 200)
      const answer = await fixture.signIn(server, { name, password: text.slice(0, 256) })
      expect([name, ...sentence(answer)]).toStrictEqual([name, 401, 'The name or the password is wrong.'])
      if (number % 4 === 3) later()
      const added = await owner.send('/v1/people', {
        method: 'POST',
        body: { name, role: 'viewer', password: PASSWORD },
      })
      // Names of people are letters and digits; of the texts, a few have no other characters than names have.
      expect([name, [200, 400].includes(added.status)]).toStrictEqual([name, true])
      if (added.status === 400) expect(added.text).not.toContain('globalThis')
      else await owner.send(`/v1/people/${added.body.id}`, { method: 'DELETE' })
      const token = await owner.send('/v1/tokens', {
        method: 'POST',
        body: { label: text, role: 'viewer', days: 1 },
      })
      expect([text, [200, 400].includes(token.status)]).toStrictEqual([text, true])
      if (token.status !== 200) continue
      shown++
      const tokens = (await owner.send('/v1/tokens')).body as readonly { id: number; label: string }[]
      expect(tokens.find(({ id }) => id === token.body.id)?.label).toBe(text.trim())
      expect((await owner.send(`/v1/tokens/${token.body.id}`, { method: 'DELETE' })).status).toBe(204)
      if (number % 20 === 19) owner = await visitAs('ada')
    }
    expect(shown).toBeGreaterThan(100)
    later()
  })

  it('keeps no password and no secret as it is, and writes down what was done', async () => {
    const content = await contentOf(fixture)
    const secret = owner.cookie.split('=')[1] ?? ''
    expect(secret.length).toBe(43)
    for (const text of [PASSWORD, secret, owner.csrf]) expect(content).not.toContain(text)
    const audit = (await owner.send('/v1/audit')).body as readonly {
      person: string
      action: string
      subject: string
    }[]
    expect(audit.find(({ person }) => person === 'ada')).toBeDefined()
    const lea = fresh('Lea')
    await add(lea, 'viewer')
    const [newest] = (await owner.send('/v1/audit')).body
    expect(newest).toMatchObject({ person: 'ada', action: 'person added as viewer', subject: lea })
  })

  it('keeps an owner, of two that remove each other at once too', async () => {
    await using fixture = await openConsole(await place())
    const server = await fixture.serve()
    const { id: ada } = await fixture.people.add({ name: 'ada', role: 'owner', password: PASSWORD }, null)
    const owner = await fixture.visit(
      server.url,
      await fixture.signIn(server, { name: 'ada', password: PASSWORD }),
    )
    const only = 'This is the only owner. Make another person an owner first.'
    const change = { method: 'PATCH', body: { role: 'admin' } }
    expect(sentence(await owner.send(`/v1/people/${ada}`, { method: 'DELETE' }))).toStrictEqual([409, only])
    expect(sentence(await owner.send(`/v1/people/${ada}`, change))).toStrictEqual([409, only])
    // Several times: the first two do not meet where one has to connect first.
    for (let round = 0; round < 10; round++) {
      const [last] = (await fixture.people.list()).filter(({ role }) => role === 'owner')
      const bea = await fixture.people.add({ name: fresh('Bea'), role: 'owner', password: PASSWORD }, null)
      const results = await Promise.allSettled(
        [last?.id ?? 0, bea.id].map((id) => fixture.people.remove(id, null)),
      )
      expect(results.map(({ status }) => status).sort()).toStrictEqual(['fulfilled', 'rejected'])
    }
    expect((await fixture.people.list()).filter(({ role }) => role === 'owner').length).toBe(1)
  })
}

const folders: string[] = []
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

describe('people of a console (embedded)', () =>
  claims(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hailstone-people-'))
    folders.push(folder)
    return { folder }
  }))

describePostgresByNight('people of a console (PostgreSQL)', (server) =>
  claims(async () => ({ database: await server().createDatabase() })),
)

describePostgresByNight('a log of sign-ins (PostgreSQL)', (server) =>
  logClaims(async () => ({ database: await server().createDatabase() })),
)

describe('a log of sign-ins (embedded)', () => logClaims(async () => ({})))

function logClaims(place: () => Promise<IndexPlace>): void {
  it('keeps changes for a year, whatever strangers do, and the newest 10,000 sign-ins', async () => {
    await using fixture = await openConsole(await place())
    const { people, clock } = fixture
    const server = await fixture.serve()
    await people.add({ name: 'ada', role: 'owner', password: PASSWORD }, null)
    const sign = (name: string, password: string) => fixture.signIn(server, { name, password })
    const owner = await fixture.visit(server.url, await sign('ada', PASSWORD))
    await sql`insert into ${sql.table('hailstone_console.audit')} (at, action, kind)
      select now(), 'sign-in refused', 'sign-in' from generate_series(1, 10100)`.execute(
      fixture.follower.index.queries,
    )
    const count = async () =>
      Number(
        (
          await people.queries
            .selectFrom('audit')
            .select(({ fn }) => fn.countAll().as('count'))
            .executeTakeFirstOrThrow()
        ).count,
      )
    expect((await sign('nobody', PASSWORD)).status).toBe(401)
    await people.writeNotes()
    // The change that added ada stands beside them.
    expect(await count()).toBe(10_001)
    const shown = (await owner.send('/v1/audit')).body as readonly { kind: string; action: string }[]
    expect(shown.length).toBe(201)
    expect(shown[0]).toMatchObject({ kind: 'sign-in', action: 'sign-in refused' })
    expect(shown.at(-1)).toMatchObject({ kind: 'change', action: 'person added as owner' })
    clock.now += 366 * 24 * HOUR
    await people.add({ name: 'Vera', role: 'viewer', password: PASSWORD }, null)
    expect(await count()).toBe(10_002)
    clock.now += 1
    await people.add({ name: 'Lea', role: 'viewer', password: PASSWORD }, null)
    expect(await count()).toBe(10_002)
  })

  it('tells sign-ins from changes in the tables of a version before', async () => {
    await using fixture = await openConsole(await place())
    const { index } = fixture.follower
    const audit = sql.table('hailstone_console.audit')
    await sql`alter table ${audit} drop column kind`.execute(index.queries)
    await sql`delete from ${sql.table('hailstone_console.people_migration')} where version = 2`.execute(
      index.queries,
    )
    for (const action of ['signed in', 'sign-in refused', 'sign-in refused: code', 'person removed'])
      await sql`insert into ${audit} (at, action) values (now(), ${action})`.execute(index.queries)
    const queries = await openPeopleTables(index)
    const rows = await queries.selectFrom('audit').select('kind').orderBy('id').execute()
    expect(rows.map(({ kind }) => kind)).toStrictEqual(['sign-in', 'sign-in', 'sign-in', 'change'])
  })

  it('answers a refused sign-in whether or not the log takes it, and loses none', async () => {
    await using fixture = await openConsole(await place())
    const { people } = fixture
    const server = await fixture.serve()
    await people.add({ name: 'ada', role: 'owner', password: PASSWORD }, null)
    const rename = (from: string, to: string) =>
      sql`alter table ${sql.table(`hailstone_console.${from}`)} rename to ${sql.ref(to)}`.execute(
        fixture.follower.index.queries,
      )
    const refuse = async (name: string) =>
      expect(sentence(await fixture.signIn(server, { name, password: 'wrong horse battery' }))).toStrictEqual(
        [401, 'The name or the password is wrong.'],
      )
    const subjects = (rows: readonly { readonly action: string; readonly subject: string | null }[]) =>
      rows.filter(({ action }) => action === 'sign-in refused').map(({ subject }) => subject)
    await rename('audit', 'audit_away')
    await refuse('nobody')
    await refuse('ada')
    await expect(people.audit()).rejects.toThrow()
    await rename('audit_away', 'audit')
    expect(subjects(await people.audit())).toStrictEqual(['ada', null])
    fixture.clock.now += MINUTE
    await rename('audit', 'audit_away')
    await refuse('ada')
    await rename('audit_away', 'audit')
    await server.stop()
    const rows = await people.queries.selectFrom('audit').selectAll().orderBy('id', 'desc').execute()
    expect(subjects(rows)).toStrictEqual(['ada', 'ada', null])
  })

  it('has a sign-in or a refused one of a person once a minute', async () => {
    await using fixture = await openConsole(await place())
    const server = await fixture.serve()
    for (const name of ['ada', 'Bea'])
      await fixture.people.add({ name, role: 'owner', password: PASSWORD }, null)
    const sign = (name: string, password: string) => fixture.signIn(server, { name, password })
    const entries = async () =>
      (await fixture.people.audit())
        .filter(({ kind }) => kind === 'sign-in')
        .map(({ person, action, subject }) => [person, action, subject])
        .reverse()
    for (let number = 0; number < 3; number++)
      for (const name of ['ada', 'Bea', `nobody ${number}`]) {
        await sign(name, PASSWORD)
        await sign(name, 'wrong horse battery')
      }
    const minute = [
      ['ada', 'signed in', null],
      [null, 'sign-in refused', 'ada'],
      ['Bea', 'signed in', null],
      [null, 'sign-in refused', 'Bea'],
      [null, 'sign-in refused', null],
    ]
    expect(await entries()).toStrictEqual(minute)
    fixture.clock.now += MINUTE
    await sign('ada', PASSWORD)
    await sign('ada', PASSWORD)
    expect(await entries()).toStrictEqual([...minute, ['ada', 'signed in', null]])
  })
}

describe('beyond this machine', () => {
  const ada = { name: 'ada', role: 'owner', password: PASSWORD } as const

  it('the console listens for nobody before a person can sign in, and needs a name', async () => {
    await using fixture = await openConsole()
    await expect(fixture.serve({ host: '0.0.0.0' })).rejects.toThrow(
      'Beyond this machine the console needs a person who can sign in. Add one with the same --data or --database: npm run console -- people add NAME --role owner',
    )
    await expect(fixture.serve({ allowedHosts: [HOST] })).rejects.toThrow('people add')
    await fixture.people.add(ada, null)
    await expect(fixture.serve({ host: '0.0.0.0' })).rejects.toThrow('needs --allow-host NAME')
  })

  it('an owner needs a second factor there, others do not', async () => {
    await using fixture = await openConsole()
    await fixture.people.add(ada, null)
    const server = await fixture.serve({ allowedHosts: ['Console.example'] })
    // Programs of this machine read the metrics; whoever comes from elsewhere needs a token.
    const metrics = `${server.url}/metrics`
    expect((await send(metrics)).status).toBe(200)
    expect((await send(metrics, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403)
    expect((await send(metrics, { headers: { host: 'console.example' } })).status).toBe(401)
    await fixture.people.add({ name: 'Vera', role: 'viewer', password: PASSWORD }, null)
    const viewer = await fixture.signIn(server, { name: 'Vera', password: PASSWORD }, beyond)
    expect(viewer.headers['set-cookie']).toStrictEqual([
      expect.stringMatching(
        /^__Host-hailstone-console=[\w-]{43}; Secure; HttpOnly; SameSite=Strict; Path=\/$/,
      ),
    ])
    const visit = await fixture.visit(server.url, viewer, beyond)
    expect((await visit.send('/v1/overview')).status).toBe(200)
    // The name that counts here is not that of the cookie there.
    expect(
      (
        await visit.send('/v1/overview', {
          headers: { host: '127.0.0.1', origin: 'http://127.0.0.1', 'x-forwarded-for': '' },
        })
      ).status,
    ).toBe(401)
    const owner = await fixture.signIn(server, { name: 'ada', password: PASSWORD }, beyond)
    expect([owner.status, owner.headers['set-cookie'], owner.body.error]).toStrictEqual([
      ...[403, undefined, expect.stringContaining('an owner needs a second factor')],
    ])
    expect((await fixture.signIn(server, { name: 'ada', password: PASSWORD })).status).toBe(204)
    const id = (await fixture.people.findByName('ada'))?.id ?? 0
    const secret = await fixture.people.setTotp(id, null)
    const code = totpCode(secret, totpStepOf(fixture.clock.now))
    expect((await fixture.signIn(server, { name: 'ada', password: PASSWORD, code }, beyond)).status).toBe(204)
  })

  it('no other name is answered, and none over plain http', async () => {
    await using fixture = await openConsole()
    await fixture.people.add(ada, null)
    const server = await fixture.serve({ allowedHosts: [HOST] })
    const ask = async (headers: Readonly<Record<string, string>>) =>
      (await send(`${server.url}/v1/session`, { headers })).status
    for (const host of [
      'evil.example',
      `${HOST}.evil.example`,
      `evil-${HOST}`,
      `${HOST}:80.evil.example`,
      '192.0.2.1',
      'localhost.evil.example',
    ])
      expect([host, await ask({ host })]).toStrictEqual([host, 403])
    // Whoever comes through the proxy is not on this machine, whatever the request says.
    for (const host of ['127.0.0.1', 'localhost', '[::1]'])
      expect([host, await ask({ host, 'x-forwarded-for': '203.0.113.5' })]).toStrictEqual([host, 403])
    expect(await ask({ host: HOST, origin: `http://${HOST}` })).toBe(403)
    for (const host of [HOST, HOST.toUpperCase(), `${HOST}:443`, 'localhost', '127.0.0.1:80'])
      expect([host, await ask({ host })]).toStrictEqual([host, 401])
  })

  it('each address behind the proxy has tries of its own, and nobody writes another address', async () => {
    await using fixture = await openConsole()
    await fixture.people.add(ada, null)
    const server = await fixture.serve({ allowedHosts: [HOST] })
    const wrong = async (from: string, name: string) =>
      (
        await fixture.signIn(
          server,
          { name, password: 'wrong horse battery' },
          { ...beyond, 'x-forwarded-for': from },
        )
      ).status
    for (let number = 0; number < 20; number++)
      expect(await wrong(`198.51.100.${number}, 203.0.113.9`, `name ${number}`)).toBe(401)
    expect(await wrong('198.51.100.77, 203.0.113.9', 'other')).toBe(429)
    expect(await wrong('203.0.113.10', 'other')).toBe(401)
  })

  it('no stranger closes a name for other addresses, and many together not for this machine', async () => {
    await using fixture = await openConsole()
    await fixture.people.add(ada, null)
    await fixture.people.add({ name: 'Vera', role: 'viewer', password: PASSWORD }, null)
    const server = await fixture.serve({ allowedHosts: [HOST] })
    const from = async (address: string, name: string, password = 'wrong horse battery') =>
      (await fixture.signIn(server, { name, password }, { ...beyond, 'x-forwarded-for': address })).status
    for (let number = 0; number < 5; number++) expect(await from('198.51.100.1', 'Vera')).toBe(401)
    expect(await from('198.51.100.1', 'Vera', PASSWORD)).toBe(429)
    expect(await from('203.0.113.9', 'Vera', PASSWORD)).toBe(204)
    // A right password elsewhere gives a stranger no further tries.
    expect(await from('198.51.100.1', 'Vera')).toBe(429)
    fixture.derivations.length = 0
    for (let number = 0; number < 100; number++)
      expect([number, await from(`192.0.2.${number}`, 'ada')]).toStrictEqual([number, 401])
    expect(await from('203.0.113.9', 'ada')).toBe(429)
    expect(fixture.derivations.length).toBe(100)
    expect((await fixture.signIn(server, { name: 'ada', password: PASSWORD })).status).toBe(204)
    // A proxy that passes no address on does not close this machine.
    for (let number = 0; number < 20; number++) expect(await from('127.0.0.1', `name ${number}`)).toBe(401)
    expect(await from('127.0.0.1', 'other')).toBe(429)
    expect((await fixture.signIn(server, { name: 'ada', password: PASSWORD })).status).toBe(204)
  })

  it('one person has ten streams, with all sessions and tokens', async () => {
    await using fixture = await openConsole()
    await fixture.people.add(ada, null)
    await fixture.people.add({ name: 'Vera', role: 'viewer', password: PASSWORD }, null)
    const server = await fixture.serve()
    const sessionOf = async (name: string) =>
      fixture.visit(server.url, await fixture.signIn(server, { name, password: PASSWORD }))
    const open = async (headers: Record<string, string>): Promise<number> =>
      (await fetch(`${server.url}/v1/live`, { headers })).status
    const statuses: number[] = []
    for (let count = 0; count < 10; count++) {
      const { cookie } = await sessionOf('Vera')
      for (let stream = 0; stream < 2; stream++) statuses.push(await open({ cookie }))
    }
    expect(statuses).toStrictEqual([...Array(10).fill(200), ...Array(10).fill(429)])
    const owner = await sessionOf('ada')
    expect(await open({ cookie: owner.cookie })).toBe(200)
    const ofTokens: number[] = []
    for (let count = 0; count < 3; count++) {
      const body = { label: `program ${count}`, role: 'viewer', days: 1 }
      const { secret } = (await owner.send('/v1/tokens', { method: 'POST', body })).body
      for (let stream = 0; stream < 4; stream++)
        ofTokens.push(await open({ authorization: `Bearer ${secret}` }))
    }
    expect(ofTokens).toStrictEqual([...Array(9).fill(200), ...Array(3).fill(429)])
  })

  it('a site of IPv6 has a hundred tries, whatever its networks are', async () => {
    await using fixture = await openConsole()
    await fixture.people.add(ada, null)
    const server = await fixture.serve({ allowedHosts: [HOST] })
    const from = async (address: string, name: string) => {
      const headers = { ...beyond, 'x-forwarded-for': address }
      return (await fixture.signIn(server, { name, password: PASSWORD }, headers)).status
    }
    for (let number = 0; number < 100; number++)
      expect(await from(`2001:db8:1:${number}::1`, `name ${number}`)).toBe(401)
    expect(await from('2001:db8:1:ffff::1', 'other')).toBe(429)
    expect(await from('2001:db8:2::1', 'other')).toBe(401)
  })
})

describe('the description of the API', () => {
  it('has every question and every change, with the ways to sign in, and a public linter finds nothing to say', async () => {
    await using fixture = await openConsole()
    const server = await fixture.serve()
    const { body, text } = await send(`${server.url}/openapi.json`)
    const all = [
      ...routes.map(({ path }) => `get ${path}`),
      ...[...peopleRoutes, ...alertRoutes, ...labelRoutes].map(
        ({ method, path }) => `${method.toLowerCase()} ${path}`,
      ),
    ]
    const described = Object.entries(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method} ${path}`),
    )
    expect(described.sort()).toStrictEqual(all.sort())
    expect(Object.keys(body.components.securitySchemes)).toStrictEqual(['session', 'token'])
    expect(body.paths['/v1/sign-in'].post.security).toStrictEqual([])
    expect(body.paths['/v1/people'].get.security).toStrictEqual([{ session: [] }])
    expect(body.paths['/v1/miners'].get.security).toStrictEqual([{ session: [] }, { token: [] }])
    const config = await createConfig({
      extends: ['recommended'],
      rules: { 'info-license': 'off', 'no-empty-servers': 'off' },
    })
    const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config })
    expect(
      problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`),
    ).toStrictEqual([])
  })
})
