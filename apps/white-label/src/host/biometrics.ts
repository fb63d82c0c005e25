import { bytesToHex, hexToBytes } from '@hailstone/protocol'
import type { PasskeyRequest } from '../engine/passkey-box.ts'
import type { LaterKey } from '../i18n/later-texts.ts'
import { type NativeBridge, nativeBridge } from './is-package.ts'
import { SecretNotGiven, type SecretSource } from './secret-source.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Texts for the reasons that the plugin gives. */
const reasons: Readonly<Record<string, LaterKey>> = {
  cancelled: 'biometrics.cancelled',
  notRecognised: 'biometrics.notRecognised',
  lockedOut: 'biometrics.lockedOut',
  lockedUntilPin: 'biometrics.lockedUntilPin',
  noneEnrolled: 'biometrics.noneEnrolled',
  noSensor: 'biometrics.noSensor',
  tooOld: 'biometrics.tooOld',
  noKey: 'biometrics.noKey',
  gone: 'biometrics.gone',
}

const textOf = (reason: string): LaterKey => reasons[reason] ?? 'biometrics.unavailable'

/** Answer of the plugin: the secret as hexadecimal digits, or a reason. */
type Answer = { readonly secret?: string; readonly reason?: string }

const random = (): Bytes => crypto.getRandomValues(new Uint8Array(32))

/** Resolves to the secret once the person was recognised. Leaving the view closes the device's question. */
async function given(ask: (native: NativeBridge) => Promise<unknown>, signal: AbortSignal): Promise<Bytes> {
  const native = nativeBridge()
  if (native === undefined) throw new SecretNotGiven('biometrics.absent')
  const close = (): void => void native.nativePromise('AppUnlock', 'cancel').catch(() => undefined)
  signal.addEventListener('abort', close, { once: true })
  try {
    const { secret, reason = '' } = (await ask(native)) as Answer
    if (secret === undefined) throw new SecretNotGiven(textOf(reason))
    return hexToBytes(secret)
  } finally {
    signal.removeEventListener('abort', close)
  }
}

const optionsOf = ({ credentialId, salt }: PasskeyRequest, app: string, cancel: string): object => ({
  id: bytesToHex(credentialId),
  salt: bytesToHex(salt),
  title: app,
  cancel,
})

/** The fingerprint or face of a package's device: a key of its keystore gives the secret for a salt (HMAC-SHA-256). */
export const biometrics: SecretSource = {
  words: {
    title: 'biometrics.title',
    text: 'biometrics.text',
    isSetUp: 'biometrics.isSetUp',
    setUp: 'biometrics.setUp',
    setUpText: 'biometrics.setUpText',
    create: 'biometrics.create',
    use: 'biometrics.use',
    remove: 'biometrics.remove',
    removed: 'biometrics.removed',
    removeText: 'biometrics.removeText',
    notRemoved: 'biometrics.notRemoved',
    failed: 'biometrics.failed',
    opensNothing: 'biometrics.opensNothing',
    perAccount: 'biometrics.perAccount',
  },
  lack: async () => {
    try {
      const state = (await nativeBridge()?.nativePromise('AppUnlock', 'state')) as Answer
      return state.reason === undefined ? null : { text: textOf(state.reason), mayGoOn: false }
    } catch {
      // A package without the plugin, as for iOS.
      return { text: 'biometrics.absent', mayGoOn: false }
    }
  },
  create: async ({ app, cancel }, signal) => {
    const request = { credentialId: random().slice(0, 16), salt: random() }
    const options = optionsOf(request, app, cancel)
    const secret = await given((native) => native.nativePromise('AppUnlock', 'create', options), signal)
    return { ...request, secret }
  },
  read: (request, { app, cancel }, signal) => {
    const options = optionsOf(request, app, cancel)
    return given((native) => native.nativePromise('AppUnlock', 'read', options), signal)
  },
  forget: ({ credentialId }) =>
    void nativeBridge()
      ?.nativePromise('AppUnlock', 'forget', { id: bytesToHex(credentialId) })
      .catch(() => undefined),
}
