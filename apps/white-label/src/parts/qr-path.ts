import encodeQR from 'qr'

/** Width of the empty edge in cells. */
export const QUIET = 4

/** Returns the cells of a QR code with their edge: a path for SVG, and the cells of one side. */
export function qrPath(text: string): { readonly path: string; readonly cells: number } {
  const rows = encodeQR(text, 'raw', { border: QUIET, ecc: 'medium' })
  const path = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return { path, cells: rows.length }
}
