const INDENT = '  '

/** Writes JSON text over several lines. Its numbers stay as they came: a double would round large units. */
export function indentJson(text: string): string {
  let depth = 0
  let out = ''
  const line = (): string => `\n${INDENT.repeat(depth)}`
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{]\s*[\]}]|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    if (token === '{' || token === '[') {
      depth += 1
      out += token + line()
    } else if (token === '}' || token === ']') {
      depth -= 1
      out += line() + token
    } else if (token === ',') out += token + line()
    else if (token === ':') out += ': '
    else out += token.replace(/^([[{])\s+/, '$1')
  }
  return out
}
