import { useEffect, useState } from 'react'
import type { PasskeyRequest } from '../engine/passkey-box.ts'
import { isPackage } from './is-package.ts'
import { passkeys } from './passkey.ts'
import type { SecretSource } from './secret-source.ts'

const load = async (): Promise<SecretSource> => (await import('./biometrics.ts')).biometrics

/** Returns the source of secrets here: passkeys in a browser; in a package fingerprint or face, null until loaded. */
export function useSecretSource(): SecretSource | null {
  const [source, setSource] = useState(isPackage() ? null : passkeys)
  useEffect(() => {
    // Without the file nothing is offered, and the passphrase opens.
    if (isPackage()) load().then(setSource, () => undefined)
  }, [])
  return source
}

/** Deletes the secret that the device keeps for an account, as far as the device allows that. */
export async function forgetSecret(request: PasskeyRequest): Promise<void> {
  const source = isPackage() ? await load().catch(() => null) : passkeys
  source?.forget(request)
}
