import { Progress } from 'radix-ui'
import type { ReactNode } from 'react'

/** Returns the progress in percent, for drawing only. The exact values are shown as text. */
function percentOf(have: bigint, need: bigint): number {
  if (need <= 0n || have >= need) return 100
  return Number((have * 100n) / need)
}

/** A bar of `have` against `need`. Empty and without a value if `have` is unknown. */
export function Meter({
  label,
  have,
  need,
}: {
  readonly label: string
  readonly have: bigint | null
  readonly need: bigint | null
}): ReactNode {
  const percent = have === null || need === null ? null : percentOf(have, need)
  const isMet = percent === 100
  return (
    <Progress.Root
      className={isMet ? 'meter meter-met' : 'meter'}
      value={percent}
      max={100}
      aria-label={label}
    >
      <svg className="meter-bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
        <rect width={percent ?? 0} height="1" />
      </svg>
    </Progress.Root>
  )
}
