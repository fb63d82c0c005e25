import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Claims = Record<string, unknown>

/** A small provider of OpenID Connect on this machine, which can be made to lie. */
export type OpenIdProvider = AsyncDisposable & {
  readonly issuer: string
  /** Changes to the next answers. */
  readonly lies: {
    claims: Claims
    header: Claims
    /** Issuer that the answer of the browser names. */
    responseIssuer?: string
    signature?: 'none' | 'other key'
    isAway?: boolean
    metadata: Claims
    /** Claims that stand in the answer of the user info alone. */
    userInfo?: Claims
  }
  /** Requests for tokens. */
  readonly tokens: () => number
  /** Signs the person in and returns the address that the browser is sent back to. */
  readonly visit: (url: string) => string
}

const CLIENT = 'console'
const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

export const clientOf = ({ issuer }: OpenIdProvider) => ({
  ...{ name: 'Example', issuer, clientId: CLIENT, clientSecret: 'a secret', hasSecondFactor: false },
})

export async function openProvider(): Promise<OpenIdProvider> {
  const [key, other] = [1, 2].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }))
  if (key === undefined || other === undefined) throw new Error('there are two keys')
  const lies: OpenIdProvider['lies'] = { claims: {}, header: {}, metadata: {} }
  const grants = new Map<string, URLSearchParams>()
  let [issuer, answered] = ['', 0]

  function idToken(nonce: string | null): string {
    const seconds = Math.floor(Date.now() / 1000)
    const header = { alg: 'RS256', kid: '1', ...lies.header }
    const claims = {
      ...{ iss: issuer, aud: CLIENT, sub: 'subject 1', nonce, iat: seconds, exp: seconds + 300 },
      ...{ email: 'ada@example.com', email_verified: true, ...lies.claims },
    }
    const content = `${base64url(header)}.${base64url(claims)}`
    if (lies.signature === 'none') return `${content}.`
    const by = lies.signature === 'other key' ? other : key
    return `${content}.${sign('RSA-SHA256', Buffer.from(content), (by as typeof key & object).privateKey).toString('base64url')}`
  }

  function tokens(form: URLSearchParams): object {
    answered++
    const asked = grants.get(form.get('code') ?? '')
    grants.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (asked?.get('code_challenge') !== challenge || asked.get('redirect_uri') !== form.get('redirect_uri'))
      return { error: 'invalid_grant' }
    return { access_token: 'access', token_type: 'bearer', id_token: idToken(asked.get('nonce')) }
  }

  const server = createServer(async (request, response) => {
    if (lies.isAway === true) return void response.destroy()
    let form = ''
    for await (const part of request) form += String(part)
    const paths: Record<string, () => object> = {
      '/.well-known/openid-configuration': () => ({
        ...{ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` },
        ...{ jwks_uri: `${issuer}/keys`, end_session_endpoint: `${issuer}/end` },
        ...{ userinfo_endpoint: `${issuer}/me`, authorization_response_iss_parameter_supported: true },
        ...lies.metadata,
      }),
      '/keys': () => ({ keys: [{ ...key.publicKey.export({ format: 'jwk' }), kid: '1', alg: 'RS256' }] }),
      '/token': () => tokens(new URLSearchParams(form)),
      '/me': () => ({ sub: 'subject 1', ...lies.userInfo }),
    }
    const answer = paths[request.url ?? '']?.() ?? { error: 'not_found' }
    response.writeHead('error' in answer ? 400 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    ...{ issuer, lies, tokens: () => answered },
    visit(url) {
      const asked = new URL(url).searchParams
      const code = randomBytes(8).toString('hex')
      grants.set(code, asked)
      const back = new URL(asked.get('redirect_uri') ?? '')
      back.search = new URLSearchParams({
        ...{ code, state: asked.get('state') ?? '', iss: lies.responseIssuer ?? issuer },
      }).toString()
      return back.href
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
