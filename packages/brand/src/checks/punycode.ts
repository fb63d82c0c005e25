const BASE = 36
const FIRST = 1
const LAST = 26
const SKEW = 38
const DAMP = 700
const INITIAL_BIAS = 72
const INITIAL_NUMBER = 128

const digitOf = (character: string): number => {
  if (/[a-z]/.test(character)) return character.charCodeAt(0) - 97
  return /[0-9]/.test(character) ? character.charCodeAt(0) - 22 : BASE
}

function adapted(delta: number, count: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2))
  rest += Math.floor(rest / count)
  let bias = 0
  while (rest > ((BASE - FIRST) * LAST) / 2) {
    rest = Math.floor(rest / (BASE - FIRST))
    bias += BASE
  }
  return bias + Math.floor(((BASE - FIRST + 1) * rest) / (rest + SKEW))
}

/**
 * Decodes one label of a host, without its `xn--`; undefined if it is malformed.
 *
 * Source: RFC 3492, section 6.2.
 */
export function decodePunycode(label: string): string | undefined {
  const split = label.lastIndexOf('-')
  const output = [...label.slice(0, Math.max(0, split))]
  const input = [...label.slice(split + 1)]
  let number = INITIAL_NUMBER
  let bias = INITIAL_BIAS
  let index = 0
  while (input.length > 0) {
    const before = index
    for (let weight = 1, step = BASE; ; step += BASE) {
      const digit = digitOf(input.shift() ?? '')
      if (digit >= BASE) return undefined
      index += digit * weight
      const threshold = Math.min(LAST, Math.max(FIRST, step - bias))
      if (digit < threshold) break
      weight *= BASE - threshold
    }
    const count = output.length + 1
    bias = adapted(index - before, count, before === 0)
    number += Math.floor(index / count)
    index %= count
    if (number > 0x10ffff) return undefined
    output.splice(index, 0, String.fromCodePoint(number))
    index += 1
  }
  return output.join('')
}
