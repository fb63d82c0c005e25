import type { ReactNode } from 'react'
import { qrPath } from './qr-path.ts'

/** A QR code, black on white in every mode because scanners need that. */
export function QrPicture({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  const { path, cells } = qrPath(text)
  return (
    <svg className="qr" viewBox={`0 0 ${cells} ${cells}`} role="img" aria-label={label}>
      <path d={path} />
    </svg>
  )
}
