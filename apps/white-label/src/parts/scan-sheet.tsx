import type { ReactNode } from 'react'
import { useTexts } from '../app/app-context.ts'
import Scanner from './scanner.tsx'
import { Sheet } from './sheet.tsx'

/** The scanner in a sheet, loaded on demand. */
export function ScanSheet({
  onClose,
  onScanned,
}: {
  readonly onClose: () => void
  readonly onScanned: (text: string) => void
}): ReactNode {
  const { text } = useTexts()
  return (
    <Sheet isOpen onClose={onClose} title={text('scan.title')}>
      <Scanner onScanned={onScanned} />
    </Sheet>
  )
}
