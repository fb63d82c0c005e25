import type { ReactNode } from 'react'

const SIDE = 5

/**
 * A picture of an address, the same on every device with this brand. It helps to notice another address, and proves
 * nothing: whole addresses are compared by their blocks.
 */
export function Identicon({ address }: { readonly address: string }): ReactNode {
  const cells: string[] = []
  for (let index = 0; index < SIDE * Math.ceil(SIDE / 2); index++) {
    // The first byte says only whether the key is even.
    const nibble = Number.parseInt(address[2 + index * 4] ?? '0', 16)
    if (nibble % 2 === 0) continue
    const [x, y] = [Math.floor(index / SIDE), index % SIDE]
    const name = nibble > 9 ? 'identicon-second' : 'identicon-first'
    for (const column of new Set([x, SIDE - 1 - x])) cells.push(`${name} ${column} ${y}`)
  }
  return (
    <svg className="identicon" viewBox="-1.5 -1.5 8 8" aria-hidden="true" focusable="false">
      {cells.map((cell) => {
        const [name, x, y] = cell.split(' ')
        return <rect key={cell} className={name} x={x} y={y} width="1.02" height="1.02" />
      })}
    </svg>
  )
}
