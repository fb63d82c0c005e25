import type { PasskeyRequest, PasskeySecret } from '../engine/passkey-box.ts'
import { SecretNotGiven, type SecretSource } from './secret-source.ts'

/**
 * Reasons why no passkey of this browser can open a wallet. `device`: the device itself cannot verify a person; a
 * security key with a PIN still can. `secret`: passkeys here give no secret (PRF). `host`: the page has no name or no
 * encryption. `browser`: there are no passkeys, as in WebViews.
 */
const lacks = {
  device: { text: 'passkey.noDevice', mayGoOn: true },
  secret: { text: 'passkey.noSecret', mayGoOn: false },
  host: { text: 'passkey.noHost', mayGoOn: false },
  browser: { text: 'passkey.noBrowser', mayGoOn: false },
} as const

/** Passkeys belong to names: neither plain http nor an IP address has any. */
const hasName = (): boolean => isSecureContext && !/^[\d.]+$|:/.test(location.hostname)

async function lack(): Promise<(typeof lacks)[keyof typeof lacks] | null> {
  if (!hasName()) return lacks.host
  if (!('PublicKeyCredential' in globalThis) || navigator.credentials === undefined) return lacks.browser
  const capabilities = await PublicKeyCredential.getClientCapabilities?.().catch(() => undefined)
  if (capabilities?.['extension:prf'] === false) return lacks.secret
  const hasDevice = await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable().catch(
    () => false,
  )
  return hasDevice ? null : lacks.device
}

/** The question was closed, nobody answered it, or the passkey is gone: browsers do not tell these apart. */
const notGiven = ['NotAllowedError', 'AbortError']

async function given(asked: Promise<Credential | null>): Promise<PublicKeyCredential | null> {
  try {
    return (await asked) as PublicKeyCredential | null
  } catch (error) {
    if (error instanceof DOMException && notGiven.includes(error.name)) return null
    throw error
  }
}

const random = (): Uint8Array<ArrayBuffer> => crypto.getRandomValues(new Uint8Array(32))

/** Returns the PRF output of a passkey, 32 bytes; undefined if the authenticator gave no PRF output. */
function secretOf(credential: PublicKeyCredential): Uint8Array<ArrayBuffer> | undefined {
  const first = credential.getClientExtensionResults().prf?.results?.first
  if (first === undefined) return undefined
  const bytes = ArrayBuffer.isView(first) ? first.buffer : first
  return new Uint8Array(bytes as ArrayBuffer)
}

/** Lets the person confirm a passkey and returns its PRF output. @throws {SecretNotGiven} */
async function read(
  { credentialId, salt }: PasskeyRequest,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const publicKey: PublicKeyCredentialRequestOptions = {
    // No server judges the answer: the secret is the proof.
    challenge: random(),
    rpId: location.hostname,
    allowCredentials: [{ type: 'public-key', id: credentialId }],
    userVerification: 'required',
    extensions: { prf: { eval: { first: salt } } },
  }
  const credential = await given(navigator.credentials.get({ publicKey, signal }))
  if (credential === null) throw new SecretNotGiven('passkey.notGiven')
  const secret = secretOf(credential)
  if (secret === undefined) throw new SecretNotGiven('passkey.noSecret')
  return secret
}

/**
 * Creates a passkey for an account and returns it with its PRF output; some browsers ask the person a second time for it.
 *
 * @throws {SecretNotGiven}
 */
async function create(
  { app, address }: { readonly app: string; readonly address: string },
  signal: AbortSignal,
): Promise<PasskeySecret> {
  const salt = random()
  // A device or a password manager replaces a passkey of the same person, and the manager may have it from another
  // device, where it opens the same account. The date tells two of them apart in a list.
  const name = `${address.slice(0, 8)}…${address.slice(-4)} ${new Date().toISOString().slice(0, 10)}`
  const publicKey: PublicKeyCredentialCreationOptions = {
    challenge: random(),
    rp: { id: location.hostname, name: app },
    user: { id: random(), name, displayName: name },
    // Ed25519, ES256, RS256. Nothing is verified with them.
    pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    extensions: { prf: { eval: { first: salt } } },
  }
  const credential = await given(navigator.credentials.create({ publicKey, signal }))
  if (credential === null) throw new SecretNotGiven('passkey.notMade')
  const request = { credentialId: new Uint8Array(credential.rawId), salt }
  try {
    if (credential.getClientExtensionResults().prf?.enabled !== true)
      throw new SecretNotGiven('passkey.noSecret')
    return { ...request, secret: secretOf(credential) ?? (await read(request, signal)) }
  } catch (error) {
    forget(request)
    const isClosed = error instanceof SecretNotGiven && error.reason === 'passkey.notGiven'
    throw isClosed ? new SecretNotGiven('passkey.notMade') : error
  }
}

/**
 * Signals the device that a passkey is no longer in use, so that it can remove it (`signalUnknownCredential`). In
 * browsers without that method the passkey stays in the list of the device.
 */
function forget({ credentialId }: Pick<PasskeyRequest, 'credentialId'>): void {
  if (!('PublicKeyCredential' in globalThis)) return
  const text = btoa(String.fromCharCode(...credentialId))
  const base64url = text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  void PublicKeyCredential.signalUnknownCredential?.({
    rpId: location.hostname,
    credentialId: base64url,
  }).catch(() => undefined)
}

/** The passkeys of a browser, which give a secret for a salt (WebAuthn PRF). */
export const passkeys: SecretSource = {
  words: {
    title: 'passkey.title',
    text: 'passkey.text',
    isSetUp: 'passkey.isSetUp',
    setUp: 'passkey.setUp',
    setUpText: 'passkey.setUpText',
    create: 'passkey.create',
    use: 'passkey.use',
    remove: 'passkey.remove',
    removed: 'passkey.removed',
    removeText: 'passkey.removeText',
    notRemoved: 'passkey.notRemoved',
    failed: 'passkey.failed',
    opensNothing: 'passkey.opensNothing',
    perAccount: 'accounts.passkeys',
  },
  lack,
  create,
  read: (request, _, signal) => read(request, signal),
  forget,
}
