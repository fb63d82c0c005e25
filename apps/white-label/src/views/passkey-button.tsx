import { type ReactNode, useState } from 'react'
import { useApp, useTexts } from '../app/app-context.ts'
import { useAsker } from '../app/use-asker.ts'
import type { PasskeyRequest } from '../engine/passkey-box.ts'
import { useSecretSource } from '../host/device-secret.ts'
import { codeOf } from '../host/engine-connection.ts'
import { SecretNotGiven } from '../host/secret-source.ts'
import { useLaterTexts } from '../i18n/later-texts.ts'
import { ActionButton } from '../parts/busy-button.tsx'
import { Notice } from '../parts/notice.tsx'

/** Renders a button that has the device give the secret of the account, and says why it did not. */
export function PasskeyButton({
  passkey,
  isDisabled = false,
  onSecret,
  onDone,
}: {
  readonly passkey: PasskeyRequest
  readonly isDisabled?: boolean | undefined
  /** Called with the secret, which is wiped when it resolves. */
  readonly onSecret: (secret: Uint8Array<ArrayBuffer>, signal: AbortSignal) => Promise<unknown>
  readonly onDone?: ((given: never) => void) | undefined
}): ReactNode {
  const { brand } = useApp()
  const { text } = useTexts()
  const later = useLaterTexts()
  const source = useSecretSource()
  const ask = useAsker()
  const [note, setNote] = useState<string | null>(null)
  if (later === null || source === null) return null
  const { words, read } = source
  const say = later

  async function open(signal: AbortSignal): Promise<unknown> {
    const asked = { app: brand.app.name, cancel: text('common.cancel') }
    const secret = await read(passkey, asked, signal)
    try {
      signal.throwIfAborted()
      return await onSecret(secret, signal)
    } finally {
      secret.fill(0)
    }
  }

  async function act(): Promise<void> {
    setNote(null)
    try {
      const given = await ask(open)
      onDone?.(given as never)
    } catch (error) {
      if (error instanceof SecretNotGiven) setNote(say(error.reason))
      else if (codeOf(error) === 'KEYSTORE_UNLOCK_FAILED') setNote(say(words.opensNothing))
      else setNote(text('lock.failed'))
    }
  }
  return (
    <>
      <ActionButton className="button" disabled={isDisabled} act={act} working={later('passkey.waiting')}>
        {later(words.use)}
      </ActionButton>
      {note !== null && (
        <Notice tone="info" role="status">
          {note}
        </Notice>
      )}
    </>
  )
}
