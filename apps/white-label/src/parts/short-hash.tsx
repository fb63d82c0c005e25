import type { ReactNode } from 'react'
import { type ExplorerPage, explorerLink } from '../text/explorer-link.ts'

/** Shows both ends of a hash or address. Copying and screen readers get all of it. */
export function ShortHash({
  hash,
  explorer,
  kind,
}: {
  readonly hash: string
  readonly explorer: string | null
  readonly kind: ExplorerPage
}): ReactNode {
  const short = hash.length > 20 ? `${hash.slice(0, 8)}…${hash.slice(-6)}` : hash
  const shown = (
    <bdi className="hash-short" title={hash}>
      {short}
    </bdi>
  )
  if (explorer === null) return shown
  return (
    <a href={explorerLink(explorer, kind, hash)} target="_blank" rel="noopener noreferrer">
      {shown}
    </a>
  )
}
