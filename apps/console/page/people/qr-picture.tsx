import type { JSX } from 'preact'
import encodeQR from 'qr'

/** A QR code, black on white in both modes because scanners need that. */
export function QrPicture({ text, label }: { readonly text: string; readonly label: string }): JSX.Element {
  const rows = encodeQR(text, 'raw', { border: 4, ecc: 'medium' })
  const path = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg class="qr" viewBox={`0 0 ${rows.length} ${rows.length}`} role="img" aria-label={label}>
      <path d={path} />
    </svg>
  )
}
