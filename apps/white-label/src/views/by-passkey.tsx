import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { useApp } from '../app/app-context.ts'
import type { PasskeyRequest } from '../engine/passkey-box.ts'
import { FailedPart, loaded } from '../parts/loaded.tsx'

const PasskeyButton = loaded(() => import('./passkey-button.tsx'), 'PasskeyButton', FailedPart)

/** A button that asks for the passkey instead of the passphrase, where one was set up. */
export function ByPasskey(props: {
  readonly isDisabled?: boolean | undefined
  readonly onSecret: (secret: Uint8Array<ArrayBuffer>) => Promise<void>
}): ReactNode {
  const { brand, host } = useApp()
  const isOffered = brand.security.passkey
  const [passkey, setPasskey] = useState<PasskeyRequest | null>(null)
  useEffect(() => {
    if (isOffered) host.account.passkey().then(setPasskey, () => undefined)
  }, [isOffered, host])
  return (
    passkey && (
      <Suspense fallback={null}>
        <PasskeyButton passkey={passkey} {...props} />
      </Suspense>
    )
  )
}
