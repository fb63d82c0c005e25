import { readFile } from 'node:fs/promises'
import { CommandLineError, fetchThroughProxy, openSecretWarning, writtenText } from '@hailstone/runtime/node'
import type { IDToken } from 'openid-client'
import { z } from 'zod'
import { issuesText } from '../issues-text.ts'
import { plainLine } from '../plain-line.ts'

const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/|$)/

const settingsSchema = z.strictObject({
  name: plainLine(40).describe('What people read on the button.'),
  issuer: z.url().refine((url) => /^https:/.test(url) || LOOPBACK.test(url), 'https:// outside this machine'),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1).optional().describe('A client without one is public.'),
  hasSecondFactor: z
    .boolean()
    .default(false)
    .describe('True if the provider asks for a second factor, so that the console does not.'),
})

/** A provider of OpenID Connect, as the file of `--oidc-file` has it. */
export type OpenIdSettings = z.infer<typeof settingsSchema>

/** Undefined for what is not JSON: the parser's own words quote the text, in which the secret is. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Reads the file of `--oidc-file`.
 *
 * @param warn called with a sentence if others on this machine may read the secret of the client
 * @throws {CommandLineError} for a file that cannot be read or has other members
 */
export async function readOpenIdSettings(
  file: string,
  warn: (sentence: string) => void,
): Promise<OpenIdSettings> {
  const refused = (why: string): CommandLineError =>
    new CommandLineError(`The file ${file} of --oidc-file cannot be used: ${why}`)
  const bytes = await readFile(file).catch((error: Error) => {
    throw refused(error.message)
  })
  const settings = jsonIn(writtenText(bytes))
  if (settings === undefined) throw refused('it is not JSON.')
  const read = settingsSchema.safeParse(settings)
  if (!read.success) throw refused(issuesText(read.error))
  const warning = read.data.clientSecret === undefined ? null : openSecretWarning(file, 'secret')
  if (warning !== null) warn(warning)
  return read.data
}

/** Time for one answer of the provider, in s, and for which its metadata is not asked for again, in ms. */
const [ANSWER_SECONDS, METADATA_MS] = [8, 3_600_000]

/** Longest answer of the provider, in bytes. The keys of large providers take 30,000. */
const MAX_ANSWER_BYTES = 262_144

/** Fetches as `fetch` does, through the proxy that the environment names; an answer that is too long, also one that is compressed, is given up at the limit. */
async function fetchBounded(url: string, options: object): Promise<Response> {
  const response = await fetchThroughProxy(url, options)
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > MAX_ANSWER_BYTES)
      throw Object.assign(new Error(`${url} answers more than ${MAX_ANSWER_BYTES} bytes`), {
        code: 'ANSWER_TOO_LONG',
      })
    chunks.push(chunk)
  }
  // A status such as 204 allows no body at all.
  return new Response(bytes === 0 ? null : Buffer.concat(chunks), response)
}

/**
 * Random values of one sign-in, which the provider has to return or to prove, each 43 characters of base64url; and the URL
 * of the console that the browser comes back to.
 */
export type Expected = Readonly<Record<'redirectUri' | 'state' | 'nonce' | 'verifier', string>>

/**
 * Creates a client of a provider for the authorization code flow with PKCE. Signatures of ID tokens are verified. The
 * client sends no request before somebody signs in. Each answer has 8 s and 262,144 bytes; metadata is kept for an hour.
 * Methods reject with the errors of openid-client, whose `code` is `ANSWER_TOO_LONG` for a longer answer.
 *
 * @param now returns Unix milliseconds
 */
export function createOpenIdClient(settings: OpenIdSettings, now: () => number) {
  const { issuer, clientId, clientSecret } = settings
  async function discover() {
    const client = await import('openid-client')
    const config = await client.discovery(
      new URL(issuer),
      clientId,
      undefined,
      clientSecret === undefined ? client.None() : client.ClientSecretBasic(clientSecret),
      {
        timeout: ANSWER_SECONDS,
        [client.customFetch]: fetchBounded,
        // Without the first one the signature of a token that came over https is not looked at.
        execute: [
          client.enableNonRepudiationChecks,
          ...(LOOPBACK.test(issuer) ? [client.allowInsecureRequests] : []),
        ],
      },
    )
    return { client, config, metadata: config.serverMetadata(), atMs: now() }
  }
  let found: Awaited<ReturnType<typeof discover>> | undefined
  const get = async () => {
    if (found === undefined || now() - found.atMs > METADATA_MS) found = await discover()
    return found
  }
  return {
    /** Returns the address at the provider that a browser is sent to. */
    async begin(redirectUri: string): Promise<{ readonly url: string; readonly expected: Expected }> {
      const { client, config } = await get()
      const [state, nonce, verifier] = [
        client.randomState(),
        client.randomNonce(),
        client.randomPKCECodeVerifier(),
      ]
      const url = client.buildAuthorizationUrl(config, {
        ...{ redirect_uri: redirectUri, scope: 'openid email', state, nonce, code_challenge_method: 'S256' },
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
      })
      return { url: url.href, expected: { redirectUri, state, nonce, verifier } }
    },
    /**
     * Returns the claims about a person, those of the user info included if the ID token names no e-mail address, and the
     * ID token.
     *
     * @param search query of the URL that the browser came back to
     */
    async prove(search: string, { redirectUri, state, nonce, verifier }: Expected) {
      const { client, config, metadata } = await get()
      const tokens = await client.authorizationCodeGrant(config, new URL(search, redirectUri), {
        ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
      })
      const claims = tokens.claims() as IDToken
      const isComplete = claims.email !== undefined || metadata.userinfo_endpoint === undefined
      const more = isComplete ? {} : await client.fetchUserInfo(config, tokens.access_token, claims.sub)
      return { claims: { ...more, ...claims }, idToken: tokens.id_token ?? '' }
    },
    /** Returns the address that ends the session at the provider; null if it has none. */
    async endUrl(idToken: string, back: string): Promise<string | null> {
      const { client, config, metadata } = await get()
      if (metadata.end_session_endpoint === undefined) return null
      const parameters = { id_token_hint: idToken, post_logout_redirect_uri: back }
      return client.buildEndSessionUrl(config, parameters).href
    },
  }
}
