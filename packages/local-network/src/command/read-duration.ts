const unitsMs = { ms: 1, s: 1000, m: 60_000 } as const

/** Returns the time that a text such as 2s means, in ms; NaN for any other text. */
export function readDuration(text: string): number {
  const [, digits = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text) ?? []
  return Number(digits) * unitsMs[unit as keyof typeof unitsMs]
}
