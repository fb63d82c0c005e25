import { type ReactNode, Suspense } from 'react'
import { useEngine } from '../app/app-context.ts'
import { FailedPart, loaded } from '../parts/loaded.tsx'

const PasskeyButton = loaded(() => import('./passkey-button.tsx'), 'PasskeyButton', FailedPart)

/** A button that asks for passkey, fingerprint or face instead of the passphrase, where that was set up. */
export function ByPasskey(props: {
  readonly isDisabled?: boolean | undefined
  readonly onSecret: (secret: Uint8Array<ArrayBuffer>, signal: AbortSignal) => Promise<unknown>
  readonly onDone?: ((given: never) => void) | undefined
}): ReactNode {
  const passkey = useEngine()?.passkey
  return (
    passkey && (
      <Suspense fallback={null}>
        <PasskeyButton passkey={passkey} {...props} />
      </Suspense>
    )
  )
}
