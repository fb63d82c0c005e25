import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type OpenIdSettings, readOpenIdSettings } from '../src/people/open-id-client.ts'
import type { Role } from '../src/people/roles.ts'
import { totpCode, totpStepOf } from '../src/people/totp.ts'
import type { ConsoleServer } from '../src/serve-console.ts'
import { type Answer, type ConsoleFixture, openConsole, PASSWORD, send } from './console-fixture.ts'
import { clientOf, type OpenIdProvider, openProvider } from './open-id-provider.ts'

const HOST = 'console.example'

/** A browser that keeps the cookies it is given. */
function openBrowser({ url }: ConsoleServer, more: Readonly<Record<string, string>> = {}) {
  const cookies = new Map<string, string>()
  const ask = async (path: string, question: { method?: string; body?: unknown; csrf?: string } = {}) => {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
    const csrf = question.csrf === undefined ? {} : { 'hailstone-csrf': question.csrf }
    const answer = await send(`${url}${path}`, { ...question, headers: { ...more, ...csrf, cookie } })
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [name = '', value = ''] = line.split(';')[0]?.split('=') ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }
  const session = () => ask('/v1/session')
  return {
    ...{ cookies, ask, session },
    begin: async (): Promise<string> => (await ask('/v1/oidc/start', { method: 'POST' })).body.url,
    /** Follows the address that the provider sends back to. */
    comeBack: (href: string): Promise<Answer> => {
      const { pathname, search } = new URL(href)
      return ask(`${pathname}${search}`)
    },
  }
}

describe('Sign-in at a provider of OpenID Connect', () => {
  let fixture: ConsoleFixture
  let provider: OpenIdProvider
  let server: ConsoleServer
  const add = (name: string, role: Role) => fixture.people.add({ name, role, password: PASSWORD }, null)
  const serve = (more: Partial<OpenIdSettings> = {}, allowedHosts: readonly string[] = []) =>
    fixture.serve({ allowedHosts, openId: { ...clientOf(provider), ...more } })

  beforeEach(async () => {
    fixture = await openConsole()
    provider = await openProvider()
    await add('boss', 'owner')
    await add('Ada@Example.com', 'analyst')
    server = await serve()
  })
  afterEach(async () => {
    await fixture[Symbol.asyncDispose]()
    await provider[Symbol.asyncDispose]()
  })

  /** Signs in at the provider, and returns the browser with its session. */
  async function visit(browser = openBrowser(server)) {
    const answer = await browser.comeBack(provider.visit(await browser.begin()))
    expect([answer.status, answer.headers.location]).toStrictEqual([303, '/'])
    return { browser, session: await browser.session() }
  }

  it('opens a session of the person with the verified address, with the role that this person has here', async () => {
    const { browser, session } = await visit()
    expect(session.body).toMatchObject({ person: { name: 'Ada@Example.com' }, role: 'analyst' })
    // The address may go to somebody else; the subject stays.
    provider.lies.claims = { email: 'new@example.com' }
    expect((await visit()).session.body).toMatchObject({ person: { name: 'Ada@Example.com' } })
    const { csrf } = session.body
    const out = await browser.ask('/v1/sign-out', { method: 'POST', csrf })
    const end = new URL(out.body.next)
    expect(`${end.origin}${end.pathname}`).toBe(`${provider.issuer}/end`)
    expect(end.searchParams.get('post_logout_redirect_uri')).toBe(`${server.url}/`)
    expect((await browser.session()).status).toBe(401)
  })

  it('asks for code with PKCE, state, nonce and scopes, and takes an address of the user info', async () => {
    const browser = openBrowser(server)
    const asked = new URL(await browser.begin()).searchParams
    expect(Object.fromEntries(asked)).toMatchObject({
      ...{ response_type: 'code', scope: 'openid email', code_challenge_method: 'S256' },
      ...{ client_id: 'console', redirect_uri: `${server.url}/v1/oidc/callback` },
    })
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked.get(name)).toMatch(/^[\w-]{43}$/)
    provider.lies.claims = { email: undefined, email_verified: undefined }
    provider.lies.userInfo = { email: 'ada@example.com', email_verified: true }
    expect((await visit()).session.status).toBe(200)
  })

  const claims = (of: Record<string, unknown>) => ({ claims: of })
  const attacks: Record<string, Partial<OpenIdProvider['lies']>> = {
    'another issuer in the token': claims({ iss: 'https://other.example' }),
    'another issuer in the answer of the browser': { responseIssuer: 'https://other.example' },
    'another audience': claims({ aud: 'somebody else' }),
    'another nonce': claims({ nonce: 'n'.repeat(43) }),
    'no nonce': claims({ nonce: undefined }),
    'a token that is too old': claims({ exp: 1_700_000_000 }),
    'no signature': { header: { alg: 'none' }, signature: 'none' },
    'no signature under the name of one': { signature: 'none' },
    'a signature of another key': { signature: 'other key' },
    'a signature by the secret of the client': { header: { alg: 'HS256' } },
    'an address that nobody verified': claims({ email_verified: false }),
    'an address of which nothing is said': claims({ email_verified: undefined }),
    'a text in place of true': claims({ email_verified: 'true' }),
    'an address that only looks like the one of a person': claims({ email: 'ａda@example.com' }),
    'a person whom nobody added': claims({ email: 'eve@example.com' }),
    'no subject': claims({ sub: undefined }),
  }
  it('opens nothing for what is not proved, says so, and adds nobody', async () => {
    const honest = { ...provider.lies }
    for (const [name, lies] of Object.entries(attacks)) {
      for (const key of ['responseIssuer', 'signature'] as const) delete provider.lies[key]
      Object.assign(provider.lies, honest, lies)
      const { session } = await visit()
      expect([name, session.status, session.body.provider]).toStrictEqual([name, 401, 'Example'])
      expect(session.body.failure).toMatch(/^(?:Example|Nobody here) .*\.$/)
    }
    expect(await fixture.people.list()).toHaveLength(2)
    const byName = await fixture.signIn(server, { name: 'Ada@Example.com', password: PASSWORD })
    expect(byName.status).toBe(204)
  })

  it('gives a person to the first subject alone, until an owner sets a new password', async () => {
    await visit()
    provider.lies.claims = { sub: 'subject 2' }
    expect((await visit()).session.body.failure).toMatch(/somebody else at Example has it/)
    const ada = await fixture.people.findByName('ada@example.com')
    await fixture.people.change(ada?.id ?? 0, { password: 'another long password' }, null)
    expect((await visit()).session.status).toBe(200)
  })

  it('takes an answer once, in the browser that began, with its state, and goes to the page alone', async () => {
    const [browser, other] = [openBrowser(server), openBrowser(server)]
    const back = provider.visit(await browser.begin())
    await other.begin()
    // Of another browser: it has a visit of its own.
    await other.comeBack(back)
    expect((await other.session()).status).toBe(401)
    // Of a browser that began nothing.
    const stranger = openBrowser(server)
    expect((await stranger.comeBack(back)).headers.location).toBe('/')
    expect((await stranger.session()).status).toBe(401)
    const wrong = new URL(back)
    wrong.searchParams.set('next', '//evil.example')
    wrong.searchParams.set('redirect_uri', 'https://evil.example')
    const cookies = new Map(browser.cookies)
    expect((await browser.comeBack(wrong.href)).headers.location).toBe('/')
    expect((await browser.session()).status).toBe(200)
    const tokens = provider.tokens()
    const replay = openBrowser(server)
    for (const [name, value] of cookies) replay.cookies.set(name, value)
    await replay.comeBack(back)
    expect((await replay.session()).status).toBe(401)
    expect(provider.tokens()).toBe(tokens)
    const stale = openBrowser(server)
    const late = provider.visit(await stale.begin())
    fixture.clock.now += 11 * 60_000
    await stale.comeBack(late)
    expect((await stale.session()).status).toBe(401)
  })

  it('lets no other page begin, and no other host be the address to come back to', async () => {
    const headers = { origin: 'https://evil.example' }
    const begun = await send(`${server.url}/v1/oidc/start`, { method: 'POST', headers })
    expect(begun.status).toBe(403)
    const named = await send(`${server.url}/v1/oidc/start`, {
      method: 'POST',
      headers: { host: 'evil.example' },
    })
    expect(named.status).toBe(403)
  })

  it('asks for the second factor of the console, unless the settings say that the provider does', async () => {
    const ada = await fixture.people.findByName('ada@example.com')
    const secret = await fixture.people.setTotp(ada?.id ?? 0, null)
    const { browser, session } = await visit()
    expect([session.status, session.body.needsCode]).toStrictEqual([401, true])
    const give = (code: string) => browser.ask('/v1/oidc/code', { method: 'POST', body: { code } })
    expect((await give('000000')).status).toBe(401)
    const code = totpCode(secret, totpStepOf(fixture.clock.now))
    expect((await give(code)).status).toBe(204)
    expect((await browser.session()).body.role).toBe('analyst')
    // Neither the code nor the proof is good a second time.
    expect((await give(totpCode(secret, totpStepOf(fixture.clock.now) + 1))).status).toBe(401)
    const again = await visit()
    const used = await again.browser.ask('/v1/oidc/code', { method: 'POST', body: { code } })
    expect(used.status).toBe(401)
    const wrong = Array.from({ length: 6 }, () =>
      again.browser.ask('/v1/oidc/code', { method: 'POST', body: { code: '000000' } }),
    )
    expect((await Promise.all(wrong)).map(({ status }) => status)).toContain(429)
    server = await serve({ hasSecondFactor: true })
    expect((await visit()).session.status).toBe(200)
  })

  it('links a person to a subject once the second factor was given, and not before', async () => {
    const ada = await fixture.people.findByName('ada@example.com')
    const secret = await fixture.people.setTotp(ada?.id ?? 0, null)
    const give = ({ ask }: ReturnType<typeof openBrowser>) => {
      const code = totpCode(secret, totpStepOf(fixture.clock.now))
      return ask('/v1/oidc/code', { method: 'POST', body: { code } })
    }
    const first = await visit()
    provider.lies.claims = { sub: 'subject 2' }
    const second = await visit()
    expect([first, second].map(({ session }) => session.body.needsCode)).toStrictEqual([true, true])
    expect((await give(second.browser)).status).toBe(204)
    fixture.clock.now += 30_000
    expect(await give(first.browser)).toMatchObject({
      status: 403,
      body: { error: expect.stringMatching(/somebody else at Example has it/) },
    })
    expect((await first.browser.session()).status).toBe(401)
  })

  it('ends a session 12 hours after the sign-in at the provider, however much it is used', async () => {
    const { browser } = await visit()
    for (const hours of [6, 5]) {
      fixture.clock.now += hours * 3_600_000
      expect((await browser.session()).status).toBe(200)
    }
    fixture.clock.now += 3_600_001
    expect((await browser.session()).status).toBe(401)
  })

  it('takes no answer of the provider above 262,144 bytes', async () => {
    const padding = 'x'.repeat(262_144)
    const browser = openBrowser(server)
    provider.lies.metadata = { padding }
    expect(await browser.ask('/v1/oidc/start', { method: 'POST' })).toMatchObject({
      status: 503,
      body: { error: expect.stringMatching(/ANSWER_TOO_LONG/) },
    })
    provider.lies.metadata = {}
    provider.lies.claims = { email: undefined }
    provider.lies.userInfo = { email: 'ada@example.com', email_verified: true, padding }
    expect((await visit()).session.body.failure).toMatch(/ANSWER_TOO_LONG/)
  })

  it('opens nothing of an owner without a second factor from another machine', async () => {
    await add('own@example.com', 'owner')
    provider.lies.claims = { email: 'own@example.com' }
    const headers = { host: HOST, origin: `https://${HOST}`, 'x-forwarded-for': '203.0.113.5' }
    const open = async () => (await visit(openBrowser(server, headers))).session
    server = await serve({}, [HOST])
    expect((await open()).body.failure).toMatch(/needs a second factor/)
    server = await serve({ hasSecondFactor: true }, [HOST])
    expect((await open()).body.role).toBe('owner')
  })

  it('says that the provider is away or is another one, and lets people in by name; it is found when it is back', async () => {
    const start = () => openBrowser(server).ask('/v1/oidc/start', { method: 'POST' })
    provider.lies.isAway = true
    expect(await start()).toMatchObject({
      status: 503,
      body: { error: expect.stringMatching(/^Example does not answer/) },
    })
    expect((await fixture.signIn(server, { name: 'boss', password: PASSWORD })).status).toBe(204)
    provider.lies.isAway = false
    provider.lies.metadata = { issuer: 'https://other.example' }
    expect((await start()).status).toBe(503)
    provider.lies.metadata = {}
    const browser = openBrowser(server)
    const back = provider.visit(await browser.begin())
    provider.lies.isAway = true
    await browser.comeBack(back)
    expect((await browser.session()).body.failure).toMatch(/^Example does not answer/)
  })

  it('does not blame the provider for tables of the console that are away', async () => {
    const browser = openBrowser(server)
    const back = provider.visit(await browser.begin())
    const { queries } = fixture.people
    const rename = (from: string, to: string) =>
      sql`alter table hailstone_console.${sql.id(from)} rename to ${sql.id(to)}`.execute(queries)
    await rename('person', 'elsewhere')
    await browser.comeBack(back)
    await rename('elsewhere', 'person')
    expect((await browser.session()).body.failure).toMatch(/^The console could not finish the sign-in/)
    expect((await visit(browser)).session.status).toBe(200)
  })

  it('has no provider and offers none without the setting, and lets one address begin 30 times', async () => {
    const plain = await fixture.serve()
    expect((await send(`${plain.url}/v1/oidc/start`, { method: 'POST' })).status).toBe(404)
    expect((await send(`${plain.url}/v1/oidc/callback`)).status).toBe(404)
    expect((await send(`${plain.url}/v1/session`)).body.provider).toBeUndefined()
    for (let left = 30; left > 0; left--) await openBrowser(server).begin()
    expect((await openBrowser(server).ask('/v1/oidc/start', { method: 'POST' })).status).toBe(429)
  })

  it('reads the file of the settings, and refuses one that is not right', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hailstone-oidc-'))
    const file = join(folder, 'provider.json')
    const warnings: string[] = []
    const readFrom = (path: string) => readOpenIdSettings(path, (sentence) => warnings.push(sentence))
    const read = async (settings: object) => {
      await writeFile(file, JSON.stringify(settings))
      return await readFrom(file)
    }
    try {
      const right = { name: 'Example', issuer: 'https://id.example', clientId: 'console' }
      expect(await read(right)).toStrictEqual({ ...right, hasSecondFactor: false })
      await chmod(file, 0o644)
      await read(right)
      // A public client has no secret.
      expect(warnings).toStrictEqual([])
      await read({ ...right, clientSecret: 'hunter2' })
      expect(warnings).toStrictEqual([
        `Others on this machine may read the secret in ${file} (mode 0644): run chmod 600 on it.`,
      ])
      await chmod(file, 0o600)
      await read({ ...right, clientSecret: 'hunter2' })
      expect(warnings).toHaveLength(1)
      for (const change of [
        { issuer: 'http://id.example' },
        { clientId: '' },
        { roles: [] },
        { name: 'a\nb' },
      ])
        await expect(read({ ...right, ...change })).rejects.toThrow(/--oidc-file cannot be used/)
      await expect(readFrom(join(folder, 'other'))).rejects.toThrow(/ENOENT/)
      // The parser would quote what stands around the fault.
      await writeFile(file, '{ "name": "Example", "clientSecret": hunter2 }')
      await expect(readFrom(file)).rejects.toThrow(/--oidc-file cannot be used: it is not JSON\.$/)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
