import { type ReactNode, useState } from 'react'
import { useTexts } from '../app/app-context.ts'
import type { PasskeyRequest } from '../engine/passkey-box.ts'
import { codeOf } from '../host/engine-connection.ts'
import { PasskeyWithoutSecret, readPasskey } from '../host/passkey.ts'
import { type LaterKey, useLaterTexts } from '../i18n/later-texts.ts'
import { ActionButton } from '../parts/busy-button.tsx'
import { Notice } from '../parts/notice.tsx'
import { useLeaving } from './use-leaving.ts'

/** Renders a button that reads the secret of the passkey from the device, and says why that failed. */
export function PasskeyButton({
  passkey,
  isDisabled = false,
  onSecret,
}: {
  readonly passkey: PasskeyRequest
  readonly isDisabled?: boolean | undefined
  /** Called with the passkey's secret, which is wiped when it resolves. */
  readonly onSecret: (secret: Uint8Array<ArrayBuffer>) => Promise<void>
}): ReactNode {
  const { text } = useTexts()
  const later = useLaterTexts()
  const leaving = useLeaving()
  const [note, setNote] = useState<LaterKey | 'lock.failed' | null>(null)
  if (later === null) return null

  async function ask(): Promise<void> {
    setNote(null)
    try {
      const secret = await readPasskey(passkey, leaving())
      if (secret === null) return setNote('passkey.notGiven')
      await onSecret(secret).finally(() => secret.fill(0))
    } catch (error) {
      if (error instanceof PasskeyWithoutSecret) setNote('passkey.noSecret')
      else setNote(codeOf(error) === 'KEYSTORE_UNLOCK_FAILED' ? 'passkey.opensNothing' : 'lock.failed')
    }
  }
  return (
    <>
      <ActionButton className="button" disabled={isDisabled} act={ask} working={later('passkey.waiting')}>
        {later('passkey.use')}
      </ActionButton>
      {note !== null && (
        <Notice tone="info" role="status">
          {note === 'lock.failed' ? text(note) : later(note)}
        </Notice>
      )}
    </>
  )
}
