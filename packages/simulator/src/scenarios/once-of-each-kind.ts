import type { Run } from '../run/run.ts'

/** Reports each kind of violation once: the first tells the most. */
export function onceOfEachKind(run: Run, prefix = ''): (kind: string, what: string) => void {
  const reported = new Set<string>()
  return (kind, what) => {
    if (reported.has(kind)) return
    reported.add(kind)
    run.violate('I5', `${prefix}${kind}: ${what}`)
  }
}
