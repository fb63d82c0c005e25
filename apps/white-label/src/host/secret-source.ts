import type { PasskeyRequest, PasskeySecret } from '../engine/passkey-box.ts'
import type { LaterKey } from '../i18n/later-texts.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** The device did not give a secret. */
export class SecretNotGiven extends Error {
  override readonly name = 'SecretNotGiven'
  /** Text that tells why. */
  readonly reason: LaterKey

  constructor(reason: LaterKey) {
    super(`The device gave no secret: ${reason}.`)
    this.reason = reason
  }
}

/** Words of the device's own question, where the app gives them. */
type AskedIn = { readonly app: string; readonly cancel: string }

/** Texts of the app about one kind of source. */
type SecretWords = Readonly<
  Record<
    | 'title'
    | 'text'
    | 'isSetUp'
    | 'setUp'
    | 'setUpText'
    | 'create'
    | 'use'
    | 'remove'
    | 'removed'
    | 'removeText'
    | 'notRemoved'
    | 'failed'
    | 'opensNothing'
    | 'perAccount',
    LaterKey
  >
>

/**
 * A device that keeps a secret of 32 bytes for an account and gives it once it has verified the person: the passkeys of a
 * browser, or in packages the device's keystore.
 */
export type SecretSource = {
  readonly words: SecretWords
  /** Returns what the device lacks, and if a secret can be set up all the same; null if it lacks nothing. */
  readonly lack: () => Promise<{ readonly text: LaterKey; readonly mayGoOn: boolean } | null>
  /**
   * Has the device make a secret and give it for the first time. The caller wipes it.
   *
   * @throws {SecretNotGiven}
   */
  readonly create: (
    given: AskedIn & { readonly address: string },
    signal: AbortSignal,
  ) => Promise<PasskeySecret>
  /** Has the device give a secret, which the caller wipes. @throws {SecretNotGiven} */
  readonly read: (request: PasskeyRequest, given: AskedIn, signal: AbortSignal) => Promise<Bytes>
  /** Deletes a secret that is no longer needed, as far as the device allows that. */
  readonly forget: (request: Pick<PasskeyRequest, 'credentialId'>) => void
}
