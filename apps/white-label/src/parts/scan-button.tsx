import { type ReactNode, Suspense, useState } from 'react'
import { useTexts } from '../app/app-context.ts'
import { Icon } from './icon.tsx'
import { FailedPart, loaded } from './loaded.tsx'

const ScanSheet = loaded(() => import('./scan-sheet.tsx'), 'ScanSheet', FailedPart)

/** Scans a QR code with the camera or from a picture. Asks for permission when pressed. */
export function ScanButton({
  isOpenAtOnce = false,
  onScanned,
}: {
  /** True if the person has already pressed a button that scans. */
  readonly isOpenAtOnce?: boolean | undefined
  readonly onScanned: (text: string) => void
}): ReactNode {
  const { text } = useTexts()
  const [isOpen, setOpen] = useState(isOpenAtOnce)
  return (
    <>
      <button type="button" className="button button-quiet" onClick={() => setOpen(true)}>
        <Icon name="scan" />
        {text('scan.title')}
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <ScanSheet
            onClose={() => setOpen(false)}
            onScanned={(found) => {
              setOpen(false)
              onScanned(found)
            }}
          />
        </Suspense>
      )}
    </>
  )
}
