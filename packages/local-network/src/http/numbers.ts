/**
 * The number a text begins with, 0 when it begins with none: how the public database compares a text with a
 * number column (PROTOCOL 3.2, macroblock_by_height).
 */
export function leadingNumber(text: string): number {
  const number = Number.parseFloat(
    /^[ \t\r\n]*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/.exec(text)?.[0] ?? '0',
  )
  return Number.isNaN(number) ? 0 : number
}
