import type { ReactNode } from 'react'

const BLOCK = 6

/** Shows an address in blocks that people can compare. The copied text has no gaps. */
export function AddressBlocks({ address }: { readonly address: string }): ReactNode {
  const blocks = address.match(new RegExp(`.{1,${BLOCK}}`, 'g')) ?? []
  return (
    <bdi className="address-blocks" data-address={address}>
      {blocks.map((block, index) => (
        <span key={index}>{block}</span>
      ))}
    </bdi>
  )
}
