import type { PasskeyRequest } from '../engine/passkey-box.ts'
import { passkeys } from './passkey.ts'
import type { SecretSource } from './secret-source.ts'

/** Returns the source of secrets here: the passkeys of the browser. */
export const useSecretSource = (): SecretSource | null => passkeys

/** Tells the device that the secret of an account that was removed is not in use any more. */
export async function forgetSecret(request: PasskeyRequest): Promise<void> {
  passkeys.forget(request)
}
