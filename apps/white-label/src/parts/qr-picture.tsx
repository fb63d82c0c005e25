import encodeQR from 'qr'
import type { ReactNode } from 'react'

/** Width of the empty edge in cells. */
export const QUIET = 4

/** A QR code, black on white in every mode because scanners need that. */
export function QrPicture({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  const rows = encodeQR(text, 'raw', { border: QUIET, ecc: 'medium' })
  const path = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg className="qr" viewBox={`0 0 ${rows.length} ${rows.length}`} role="img" aria-label={label}>
      <path d={path} />
    </svg>
  )
}
